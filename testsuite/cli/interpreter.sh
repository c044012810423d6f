# SPDX-License-Identifier: GPL-2.0-or-later
# Scripts that name their interpreter: directly with options, by env, with words behind that are the script's or, behind --, no options
dir=$(mktemp -d)
cd "$dir" || exit 1
script='probe begin { printf("%s %d\n", @1, $2) exit() }'
{ echo "#!$STAP -gp1"; printf '%s\n' "$script"; } > direct
{ echo '#!/usr/bin/env stap'; printf '%s\n' "$script"; } > by_env
{ echo "#!/usr/bin/env -S stap -p1 -g"; echo '# a comment'; printf '%s\n' "$script"; } > by_words
chmod +x direct by_env by_words
PATH=$(dirname "$STAP"):$PATH
./direct one 2
./by_env -p1 two -- -3
./by_words "three words" 4 | tail -4
./direct one; echo "status $?"
ls
rm -rf "$dir"
