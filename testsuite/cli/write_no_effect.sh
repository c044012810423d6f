# SPDX-License-Identifier: GPL-2.0-or-later
# Of each function: what is said of a write to a register of its entry.
program=$BUILD/programs/forgets
see() {
	echo "$*:"
	"$STAP" -g -p2 "$@" "$program" 2>&1 >/dev/null | sed '/^indexing/d; s/0x[0-9a-f][0-9a-f]*/ADDRESS/'
}
for f in unused overwritten used rarely passed; do
	see -e "probe process(@1).function(\"$f\") { \$n = 1 }"
done
see -e 'probe process(@1).function("in_memory") { $n = 1; $p->a = 2; @var("sink") = 3 }'
see -w -e 'probe process(@1).function("unused") { $n = 1 }'
# nothing is written
see -e 'probe process(@1).function("unused") { println($n, @defined($n)) }'
"$STAP" -g -p2 -W -e 'probe process(@1).function("unused") { $n = 1 }' "$program" > /dev/null 2>&1; echo "status $?"
