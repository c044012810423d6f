# SPDX-License-Identifier: GPL-2.0-or-later
# Descriptions as databases and interpreters have them; the header is compiled with each, as C and as C++
dir=$(mktemp -d)
dtrace=$BUILD/dtrace
include=$PWD/../../include
cd "$dir" || exit 1
made() { # NAME [OPTION...], the description on standard input: what the macros and types are
	echo "-- $1"
	name=$1
	shift
	cat > "$name.d"
	"$dtrace" -h "$@" -s "$name.d" -o "$name.h" || return
	grep -E '^(/\* [A-Z_0-9]* \(|typedef |#define .*DTRACE_PROBE)' "$name.h"
	{ cat program.h; echo "#include \"$name.h\""; } > header.c
	cc -Wall -Werror -I"$include" -I. -c header.c -o header.o
	c++ -Wall -Werror -I"$include" -I. -x c++ -c header.c -o header.o
	"$dtrace" -G "$@" -s "$name.d" -o "$name.o" && nm "$name.o" | sed 's/^0*[0-9a-f]* //'
}
mkdir inc
echo 'typedef unsigned long id_of_lock;' > inc/lock_program.h
cat > program.h <<'END'
#include <stdint.h>
#include <stddef.h>
typedef unsigned int Xid;
struct thd; struct point { int x, y; };
END
made database -C -Iinc -DMODE=int <<'END'
/* What a database's marks are about;
   provider nobody { probe no(); }; */
#include "lock_program.h"
#define Xid unsigned int
#define FLAG(name) \
	MODE name

#pragma D attributes Evolving/Evolving/Common provider database provider
provider database {

	probe transaction__start(Xid);
	probe lock__wait(id_of_lock /* which, and */, FLAG(mode)); // how; )
	probe query__done();
	/* several,
	   without a name */
	probe buffer__read__done(int, unsigned int,
			Xid, /* probe never(int); */
			_Bool, const char *);
};
#pragma D attributes Private/Private/Unknown provider database module
END
made server <<'END'
#define CONTINUED(a) \
	provider nobody { \
struct thd;
typedef struct st_vio { char quote; int n[';']; } *vio_p;
enum command { COM_A = '"', COM_B = '}' };
inline string banner = "provider; { // /*";
translator info <struct thd *T> {
	id = T->id; name = "}";
};
provider server {
#pragma D attributes Evolving/Evolving/Common provider server args
	probe command__start(unsigned long conn_id, int command,
		char *user, // who, in short
		char *host);
	probe translated(struct thd *t, int n) : (info *t, long n, string extra);
	probe translated__empty ( void ) : ( ) ;
	probe untranslated
#ifdef NEVER
#endif
		;
}
provider server__two { probe a(struct { int x, y; } *at); };
provider server { probe more__probes__here(int); };
struct thd { int id; };
END
made typed --types <<'END'
provider typed {
	probe plain(int, unsigned number, Xid, Xid id, const char *text, char *const *);
	probe of__c(struct point, struct thd *t, const struct point *, int (*f)(int, long), int (*)(void), uint8_t b[16], char [4]);
	probe words(string, const string name, size_t n, long long unsigned int, volatile Xid *const p);
};
END
cat > typed.c <<'END'
#include "program.h"
#include "typed.h"
#define SAME(a, b) _Static_assert(__builtin_types_compatible_p(a, b), #a)
SAME(typed_plain_arg2, unsigned);
SAME(typed_plain_arg4, Xid);
SAME(typed_plain_arg6, char *const *);
SAME(typed_of__c_arg1, struct point);
SAME(typed_of__c_arg4, int (*)(int, long));
SAME(typed_of__c_arg5, int (*)(void));
SAME(typed_of__c_arg6, unsigned char[16]);
SAME(typed_words_arg1, char *);
SAME(typed_words_arg5, volatile Xid *);
END

"$dtrace" -h --types -s typed.d && cc -I"$include" -I. -c typed.c && echo 'types are right'

echo '-- without the object'
cat > alone.c <<'END'
#include <sys/sdt.h>
#include "server.h"
int main(void)
{
	if (SERVER_TRANSLATED_ENABLED())
		SERVER_TRANSLATED(0, 7);
	return !SERVER_TRANSLATED_ENABLED();
}
END
cc -I"$include" -I. alone.c -o alone && ./alone && echo 'enabled always'
readelf -n alone | sed -n 's/.*Semaphore: //p'
"$STAP" -L 'process("./alone").mark("*")' | sed 's,"/.*/alone","alone",'

echo '-- no file'
"$dtrace" -h -s typed.d -o /dev/stdout | grep -c 'define TYPED.*DTRACE_PROBE'
mkfifo pipe
"$dtrace" -h -s typed.d -o pipe & grep -c 'define TYPED.*DTRACE_PROBE' pipe
wait
test -p pipe && ln -s linked.h link.h && "$dtrace" -h -s typed.d -o link.h && test -L link.h && test -s linked.h && echo 'links stay'

echo '-- kept'
TMPDIR=$PWD "$dtrace" -G -k -s server.d 2>&1 | sed 's,/.*/,DIR/,'
find . -name semaphores.c | wc -l
ls server.o

wrong() { printf '%s\n' "$1" > wrong.d; shift; "$dtrace" -h "$@" -s wrong.d; }
wrong 'provider p {
 /* ends
 probe a(); };'
wrong 'provider p { probe a(int) : long; };'
wrong 'provider p { probe a(int) : (long; };'
wrong '# 40 "other.d"
provider p { probe; };'
wrong 'struct thd
provider p { probe a(); }'
printf 'provider inner {\n probe;\n};\n' > inc/inner.d
wrong '#include "inner.d"' -C -Iinc
"$dtrace" -h -C -s server.d -o missing/server.h
wrong 'provider p { probe b_c(); probe b__c(); };'
wrong 'provider a_b { probe c(); }; provider a { probe b_c(); };'
printf 'provider p { probe a(); };\n\0 provider q { probe b(); };\n' > nul.d
"$dtrace" -h -s nul.d
ls nul.h 2> /dev/null

echo '-- ended by a signal'
mkdir tmp
printf '#!/bin/sh\nkill -TERM "$PPID"\nexec sleep 100\n' > cc && chmod +x cc
sh -c 'TMPDIR=$PWD/tmp CC=$PWD/cc exec "$1" -G -s server.d -o ended.o' sh "$dtrace" 2> /dev/null &
wait $! 2> /dev/null
echo "status $?"
ls -A tmp
ls ended.o 2> /dev/null
cd /
rm -rf "$dir"
