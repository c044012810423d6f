#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# aliases.sh with a stap that lists what it is asked for, and fails of a script, or lists no variables.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cat > "$scratch/stap" <<'END'
#!/bin/sh
case "$*" in
*-L*) echo "made_up.alias $VARIABLES" ;;
*) echo "Pass 2: analysis failed." >&2; exit 3 ;;
esac
END
chmod +x "$scratch/stap"
echo "made_up.alias: name:string" > "$scratch/table"
STAP=$scratch/stap KERNEL=none VARIABLES=name:string ./aliases.sh "$scratch/table"
echo "made_up.alias:" > "$scratch/table"
STAP=$scratch/stap KERNEL=none VARIABLES= ./aliases.sh "$scratch/table"
