# SPDX-License-Identifier: GPL-2.0-or-later
printf 'one\ntwo words\n\nlonger than what a string here can hold\nend' | $STAPRUN $MODULE
