/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Marks for programs: DTRACE_PROBEn(provider, name, arg1, ..., argn), or STAP_PROBEn, n up to 12;
 * STAP_PROBEV counts its arguments. A mark is a no-operation and a note about it that is not
 * loaded: section .note.stapsdt, name "stapsdt", type 3; the description is three words (address of
 * the instruction, address of the section .stapsdt.base, address of the semaphore or 0) and three
 * strings (provider, name, arguments). An argument is N@OPERAND: bytes, negative when signed, and
 * where the compiler has the value. Arguments are integers and pointers.
 *
 * STAP_PROBE_ASM(provider, name, OPERANDS) is the text of a mark for the template of an asm
 * statement. The operands are written as the assembler's, apart by blanks, with or without N@:
 *
 *	asm("..." STAP_PROBE_ASM(provider, name, %rax 4@8(%rbp)) "...");
 *
 * In a statement that has operands of its own, STAP_PROBE_ASM_TEMPLATE(n) stands for those that
 * STAP_PROBE_ASM_OPERANDS(n, arg1, ..., argn) has among its inputs, once in a statement; it clobbers
 * "memory" when an argument points to something.
 *
 * In assembly that is preprocessed (.S) the same macros are statements, and arguments operands:
 *
 *	STAP_PROBE2(provider, name, %rax, 4@8(%rbp))
 *
 * With SDT_USE_SEMAPHORES, or _SDT_HAS_SEMAPHORES as dtrace(1) has it, defined before the header is
 * included, PROVIDER_NAME_semaphore must be declared for each mark, with SDT_SEMAPHORE() or by the
 * header that dtrace(1) makes: a counter that is not 0 while somebody looks, so what is costly to
 * compute can be left out. Where arguments may be is STAP_SDT_ARG_CONSTRAINT, a constraint of asm,
 * which may be defined before, too.
 */
#ifndef _SYS_SDT_H
#define _SYS_SDT_H

#if __SIZEOF_POINTER__ == 8
#define _SDT_WORD .8byte
#else
#define _SDT_WORD .4byte
#endif
#if defined(SDT_USE_SEMAPHORES) || defined(_SDT_HAS_SEMAPHORES)
#define _SDT_SEMAPHORE(provider, name) provider##_##name##_semaphore
#else
#define _SDT_SEMAPHORE(provider, name) 0
#endif

/* A line of assembly. No word of it is expanded that is not a parameter of the macro around. */
#define _SDT_STRING(...) #__VA_ARGS__
#ifdef __ASSEMBLER__
#define _SDT_LINE(...) __VA_ARGS__;
#else
#define _SDT_LINE(...) #__VA_ARGS__ "\n"
#endif

/* clang-format off */
#define _SDT_NOTE(word, provider, name, semaphore, text)                                           \
	_SDT_LINE(990: nop)                                                                        \
	_SDT_LINE(.pushsection .note.stapsdt, "", "note")                                          \
	_SDT_LINE(.balign 4)                                                                       \
	_SDT_LINE(.4byte 992f-991f, 994f-993f, 3)                                                  \
	_SDT_LINE(991: .asciz "stapsdt")                                                           \
	_SDT_LINE(992: .balign 4)                                                                  \
	_SDT_LINE(993: word 990b, _.stapsdt.base, semaphore)                                       \
	_SDT_LINE(.asciz provider)                                                                 \
	_SDT_LINE(.asciz name)                                                                     \
	_SDT_LINE(.asciz text)                                                                     \
	_SDT_LINE(994: .balign 4)                                                                  \
	_SDT_LINE(.popsection)                                                                     \
	_SDT_LINE(.ifndef _.stapsdt.base)                                                          \
	_SDT_LINE(.pushsection .stapsdt.base, "aG", "progbits", .stapsdt.base, comdat)             \
	_SDT_LINE(.weak _.stapsdt.base)                                                            \
	_SDT_LINE(.hidden _.stapsdt.base)                                                          \
	_SDT_LINE(_.stapsdt.base: .space 1)                                                        \
	_SDT_LINE(.size _.stapsdt.base, 1)                                                         \
	_SDT_LINE(.popsection)                                                                     \
	_SDT_LINE(.endif)
/* clang-format on */

#define STAP_PROBE_ASM(provider, name, ...)                                                        \
	_SDT_NOTE(_SDT_WORD, _SDT_STRING(provider), _SDT_STRING(name),                             \
		  _SDT_SEMAPHORE(provider, name), _SDT_STRING(__VA_ARGS__))

#ifdef __ASSEMBLER__
#define STAP_PROBE(provider, name) STAP_PROBE_ASM(provider, name, )
#define STAP_PROBE1(provider, name, a) STAP_PROBE_ASM(provider, name, a)
#define STAP_PROBE2(provider, name, a, b) STAP_PROBE_ASM(provider, name, a b)
#define STAP_PROBE3(provider, name, a, b, c) STAP_PROBE_ASM(provider, name, a b c)
#define STAP_PROBE4(provider, name, a, b, c, d) STAP_PROBE_ASM(provider, name, a b c d)
#define STAP_PROBE5(provider, name, a, b, c, d, e) STAP_PROBE_ASM(provider, name, a b c d e)
#define STAP_PROBE6(provider, name, a, b, c, d, e, f) STAP_PROBE_ASM(provider, name, a b c d e f)
#define STAP_PROBE7(provider, name, a, b, c, d, e, f, g)                                           \
	STAP_PROBE_ASM(provider, name, a b c d e f g)
#define STAP_PROBE8(provider, name, a, b, c, d, e, f, g, h)                                        \
	STAP_PROBE_ASM(provider, name, a b c d e f g h)
#define STAP_PROBE9(provider, name, a, b, c, d, e, f, g, h, i)                                     \
	STAP_PROBE_ASM(provider, name, a b c d e f g h i)
#define STAP_PROBE10(provider, name, a, b, c, d, e, f, g, h, i, j)                                 \
	STAP_PROBE_ASM(provider, name, a b c d e f g h i j)
#define STAP_PROBE11(provider, name, a, b, c, d, e, f, g, h, i, j, k)                              \
	STAP_PROBE_ASM(provider, name, a b c d e f g h i j k)
#define STAP_PROBE12(provider, name, a, b, c, d, e, f, g, h, i, j, k, l)                           \
	STAP_PROBE_ASM(provider, name, a b c d e f g h i j k l)

#else /* not __ASSEMBLER__ */

#define SDT_SEMAPHORE(provider, name)                                                              \
	__extension__ volatile unsigned short provider##_##name##_semaphore                        \
		__attribute__((section(".probes"), used))

/*
 * Bytes of a value, negative when signed. __builtin_classify_type() of a pointer is 5, of an array
 * too.
 */
#ifdef __cplusplus
template <typename T> struct _sdt_type {
	enum { size = T(-1) < T(0) ? -int(sizeof(T)) : int(sizeof(T)) };
};
template <typename T> struct _sdt_type<T *> {
	enum { size = sizeof(T *) };
};
#if __cplusplus >= 201103L
template <> struct _sdt_type<decltype(nullptr)> {
	enum { size = sizeof(nullptr) };
};
#endif
template <typename T> static inline T _sdt_value(T x)
{
	return x;
}
#define _SDT_SIZE(x) int(_sdt_type<__typeof__(_sdt_value(x))>::size)
#else
#define _SDT_IS_POINTER(x) (__builtin_classify_type(x) == 5)
#define _SDT_NUMBER(x) __builtin_choose_expr(_SDT_IS_POINTER(x), 0u, x)
#define _SDT_SIZE(x)                                                                               \
	(_SDT_IS_POINTER(x)                                               ? (int)sizeof(void *)    \
	 : (__typeof__(_SDT_NUMBER(x)))-1 < (__typeof__(_SDT_NUMBER(x)))1 ? -(int)sizeof(x)        \
									  : (int)sizeof(x))
#endif

#ifdef STAP_SDT_ARG_CONSTRAINT
#elif defined(__x86_64__) || defined(__i386__)
#define STAP_SDT_ARG_CONSTRAINT "nor"
#else
#define STAP_SDT_ARG_CONSTRAINT "nr"
#endif

#define _SDT_TEXT(n) %c[s##n]@%[a##n]
#define _SDT_OPERAND(n, x) [s##n] "n"(_SDT_SIZE(x)), [a##n] STAP_SDT_ARG_CONSTRAINT(x)

#define _SDT_TEXT0
#define _SDT_TEXT1 _SDT_TEXT(1)
#define _SDT_TEXT2 _SDT_TEXT1 _SDT_TEXT(2)
#define _SDT_TEXT3 _SDT_TEXT2 _SDT_TEXT(3)
#define _SDT_TEXT4 _SDT_TEXT3 _SDT_TEXT(4)
#define _SDT_TEXT5 _SDT_TEXT4 _SDT_TEXT(5)
#define _SDT_TEXT6 _SDT_TEXT5 _SDT_TEXT(6)
#define _SDT_TEXT7 _SDT_TEXT6 _SDT_TEXT(7)
#define _SDT_TEXT8 _SDT_TEXT7 _SDT_TEXT(8)
#define _SDT_TEXT9 _SDT_TEXT8 _SDT_TEXT(9)
#define _SDT_TEXT10 _SDT_TEXT9 _SDT_TEXT(10)
#define _SDT_TEXT11 _SDT_TEXT10 _SDT_TEXT(11)
#define _SDT_TEXT12 _SDT_TEXT11 _SDT_TEXT(12)

#define _SDT_OPERANDS0() [none] "n"(0)
#define _SDT_OPERANDS1(a) _SDT_OPERAND(1, a)
#define _SDT_OPERANDS2(a, b) _SDT_OPERANDS1(a), _SDT_OPERAND(2, b)
#define _SDT_OPERANDS3(a, b, c) _SDT_OPERANDS2(a, b), _SDT_OPERAND(3, c)
#define _SDT_OPERANDS4(a, b, c, d) _SDT_OPERANDS3(a, b, c), _SDT_OPERAND(4, d)
#define _SDT_OPERANDS5(a, b, c, d, e) _SDT_OPERANDS4(a, b, c, d), _SDT_OPERAND(5, e)
#define _SDT_OPERANDS6(a, b, c, d, e, f) _SDT_OPERANDS5(a, b, c, d, e), _SDT_OPERAND(6, f)
#define _SDT_OPERANDS7(a, b, c, d, e, f, g) _SDT_OPERANDS6(a, b, c, d, e, f), _SDT_OPERAND(7, g)
#define _SDT_OPERANDS8(a, b, c, d, e, f, g, h)                                                     \
	_SDT_OPERANDS7(a, b, c, d, e, f, g), _SDT_OPERAND(8, h)
#define _SDT_OPERANDS9(a, b, c, d, e, f, g, h, i)                                                  \
	_SDT_OPERANDS8(a, b, c, d, e, f, g, h), _SDT_OPERAND(9, i)
#define _SDT_OPERANDS10(a, b, c, d, e, f, g, h, i, j)                                              \
	_SDT_OPERANDS9(a, b, c, d, e, f, g, h, i), _SDT_OPERAND(10, j)
#define _SDT_OPERANDS11(a, b, c, d, e, f, g, h, i, j, k)                                           \
	_SDT_OPERANDS10(a, b, c, d, e, f, g, h, i, j), _SDT_OPERAND(11, k)
#define _SDT_OPERANDS12(a, b, c, d, e, f, g, h, i, j, k, l)                                        \
	_SDT_OPERANDS11(a, b, c, d, e, f, g, h, i, j, k), _SDT_OPERAND(12, l)

#define STAP_PROBE_ASM_TEMPLATE(n) _SDT_TEXT##n
#define STAP_PROBE_ASM_OPERANDS(n, ...) _SDT_OPERANDS##n(__VA_ARGS__)
/* "memory": what an argument points to has been stored when the mark is passed. */
#define _SDT_MARK(n, provider, name, ...)                                                          \
	__asm__ volatile(STAP_PROBE_ASM(provider, name, _SDT_TEXT##n)::_SDT_OPERANDS##n(           \
		__VA_ARGS__)                                                                       \
			 : "memory")

#define STAP_PROBE(provider, name) _SDT_MARK(0, provider, name, )
#define STAP_PROBE1(provider, name, a) _SDT_MARK(1, provider, name, a)
#define STAP_PROBE2(provider, name, a, b) _SDT_MARK(2, provider, name, a, b)
#define STAP_PROBE3(provider, name, a, b, c) _SDT_MARK(3, provider, name, a, b, c)
#define STAP_PROBE4(provider, name, a, b, c, d) _SDT_MARK(4, provider, name, a, b, c, d)
#define STAP_PROBE5(provider, name, a, b, c, d, e) _SDT_MARK(5, provider, name, a, b, c, d, e)
#define STAP_PROBE6(provider, name, a, b, c, d, e, f) _SDT_MARK(6, provider, name, a, b, c, d, e, f)
#define STAP_PROBE7(provider, name, a, b, c, d, e, f, g)                                           \
	_SDT_MARK(7, provider, name, a, b, c, d, e, f, g)
#define STAP_PROBE8(provider, name, a, b, c, d, e, f, g, h)                                        \
	_SDT_MARK(8, provider, name, a, b, c, d, e, f, g, h)
#define STAP_PROBE9(provider, name, a, b, c, d, e, f, g, h, i)                                     \
	_SDT_MARK(9, provider, name, a, b, c, d, e, f, g, h, i)
#define STAP_PROBE10(provider, name, a, b, c, d, e, f, g, h, i, j)                                 \
	_SDT_MARK(10, provider, name, a, b, c, d, e, f, g, h, i, j)
#define STAP_PROBE11(provider, name, a, b, c, d, e, f, g, h, i, j, k)                              \
	_SDT_MARK(11, provider, name, a, b, c, d, e, f, g, h, i, j, k)
#define STAP_PROBE12(provider, name, a, b, c, d, e, f, g, h, i, j, k, l)                           \
	_SDT_MARK(12, provider, name, a, b, c, d, e, f, g, h, i, j, k, l)

#endif /* __ASSEMBLER__ */

/* By how many arguments there are, provider and name among them. */
#define _SDT_PICK(p, q, a, b, c, d, e, f, g, h, i, j, k, l, macro, ...) macro
#define STAP_PROBEV(...)                                                                           \
	_SDT_PICK(__VA_ARGS__, STAP_PROBE12, STAP_PROBE11, STAP_PROBE10, STAP_PROBE9, STAP_PROBE8, \
		  STAP_PROBE7, STAP_PROBE6, STAP_PROBE5, STAP_PROBE4, STAP_PROBE3, STAP_PROBE2,    \
		  STAP_PROBE1, STAP_PROBE, STAP_PROBE, )                                           \
	(__VA_ARGS__)

#define DTRACE_PROBE(provider, name) STAP_PROBE(provider, name)
#define DTRACE_PROBE1(provider, name, a) STAP_PROBE1(provider, name, a)
#define DTRACE_PROBE2(provider, name, a, b) STAP_PROBE2(provider, name, a, b)
#define DTRACE_PROBE3(provider, name, a, b, c) STAP_PROBE3(provider, name, a, b, c)
#define DTRACE_PROBE4(provider, name, a, b, c, d) STAP_PROBE4(provider, name, a, b, c, d)
#define DTRACE_PROBE5(provider, name, a, b, c, d, e) STAP_PROBE5(provider, name, a, b, c, d, e)
#define DTRACE_PROBE6(provider, name, a, b, c, d, e, f)                                            \
	STAP_PROBE6(provider, name, a, b, c, d, e, f)
#define DTRACE_PROBE7(provider, name, a, b, c, d, e, f, g)                                         \
	STAP_PROBE7(provider, name, a, b, c, d, e, f, g)
#define DTRACE_PROBE8(provider, name, a, b, c, d, e, f, g, h)                                      \
	STAP_PROBE8(provider, name, a, b, c, d, e, f, g, h)
#define DTRACE_PROBE9(provider, name, a, b, c, d, e, f, g, h, i)                                   \
	STAP_PROBE9(provider, name, a, b, c, d, e, f, g, h, i)
#define DTRACE_PROBE10(provider, name, a, b, c, d, e, f, g, h, i, j)                               \
	STAP_PROBE10(provider, name, a, b, c, d, e, f, g, h, i, j)
#define DTRACE_PROBE11(provider, name, a, b, c, d, e, f, g, h, i, j, k)                            \
	STAP_PROBE11(provider, name, a, b, c, d, e, f, g, h, i, j, k)
#define DTRACE_PROBE12(provider, name, a, b, c, d, e, f, g, h, i, j, k, l)                         \
	STAP_PROBE12(provider, name, a, b, c, d, e, f, g, h, i, j, k, l)

#endif
