# SPDX-License-Identifier: GPL-2.0-or-later
# Text as troff takes it literally, also at the beginning of a line.
function roff(s)
{
	gsub(/\\/, "\\e", s)
	gsub(/-/, "\\-", s)
	gsub(/\047/, "\\(aq", s)
	gsub(/\^/, "\\(ha", s)
	gsub(/~/, "\\(ti", s)
	sub(/^\./, "\\\\\\&.", s)
	return s
}
