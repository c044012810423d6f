/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Before 6.4: offsets, base, count, names, markers, [sequence numbers (6.2),] tokens, token index.
 * From 6.4:   count, names, markers, tokens, token index, offsets, base, sequence numbers.
 * From 7.x:   the same without base, aligned to 4 instead of 8, offsets relative to their own
 * place. So: the token table is found by its ten digits, checked by the token index behind it; the
 * markers end where it begins; count and names lie before, checked by decoding all names; offsets
 * are on one side or the other.
 */
#include "target/kallsyms.h"

#include <string.h>

/*
 * Above KSYM_NAME_LEN (512), with the type before the name. Fewer symbols than MIN are taken for a
 * coincidence.
 */
#define NAME_LIMIT 1024
#define TOKEN_LIMIT 1024 /* of one token: it is part of a name */
#define MIN_SYMBOLS 1000u
#define MAX_SYMBOLS 2000000u

enum encoding {
	ENCODING_PERCPU,   /* >= 0: absolute (per-CPU); else base - 1 - offset */
	ENCODING_RELATIVE, /* base + unsigned offset */
	ENCODING_PREL,     /* relative to the entry itself */
	ENCODING_N,
};

/* Numbers in the tables need not be aligned to their size. */
static uint32_t u32_at(const unsigned char *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static uint64_t u64_at(const unsigned char *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static uint64_t align_up(uint64_t v, uint64_t align)
{
	return (v + align - 1) & ~(align - 1);
}

/* Is there a table of 256 tokens at T, and its index behind it? */
static bool token_table(const struct image_section *ro, const unsigned char *t,
			struct kallsyms_tables *k)
{
	const unsigned char *end = ro->data + ro->size, *p = t, *index;
	uint16_t off[256];

	for (int i = 0; i < 256; i++) {
		const unsigned char *nul = p < end ? memchr(p, '\0', end - p) : NULL;

		if (!nul || nul - t > UINT16_MAX)
			return false;
		off[i] = p - t;
		p = nul + 1;
	}
	index = ro->data + align_up(p - ro->data, k->align);
	if (end - index < (ptrdiff_t)sizeof(off) || memcmp(index, off, sizeof(off)))
		return false;
	memcpy(k->token_index, off, sizeof(off));
	k->tokens = (const char *)t;
	k->tail = index + sizeof(off);
	return true;
}

/*
 * The first token ends before END. What lies before it may have no zero byte at its end (sequence
 * numbers of symbols, when eight divides how many), so its start is tried wherever it may be
 * aligned.
 */
static bool first_token(const struct image_section *ro, const unsigned char *end,
			struct kallsyms_tables *k)
{
	uint64_t last = end - ro->data - 1, first = last > TOKEN_LIMIT ? last - TOKEN_LIMIT : 0;

	for (uint64_t at = last / k->align * k->align; at >= first; at -= k->align) {
		if (token_table(ro, ro->data + at, k))
			return true;
		if (at < k->align)
			break;
	}
	return false;
}

/*
 * Each byte that is not a token of several letters stands for itself, so the ten digits are ten
 * strings in a row.
 */
static bool find_tokens(const struct image_section *ro, struct kallsyms_tables *k)
{
	static const char digits[] = "0\0001\0002\0003\0004\0005\0006\0007\0008\0009";
	const unsigned char *end = ro->data + ro->size, *d = ro->data;

	while ((d = memmem(d, end - d, digits, sizeof(digits)))) {
		const unsigned char *t = d;

		/* '0' is token 0x30: as many strings back is the start of the first */
		for (int i = 1; i < '0' && t > ro->data + 1; i++)
			for (t--; t > ro->data && t[-1]; t--)
				;
		if (t > ro->data && first_token(ro, t, k))
			return true;
		d++;
	}
	return false;
}

/* Steps over one name; its length in LEN and text in the return value; NULL past the end. */
static const unsigned char *name_at(const unsigned char **at, const unsigned char *end,
				    unsigned *len)
{
	const unsigned char *p = *at;

	if (p + 2 >= end)
		return NULL;
	*len = *p++;
	if (*len & 0x80)
		*len = (*len & 0x7f) | *p++ << 7;
	if (!*len || end - p < (ptrdiff_t)*len)
		return NULL;
	*at = p + *len;
	return p;
}

/* N names from NAMES to the markers, which end at END */
static bool names_fit(const unsigned char *names, const unsigned char *end, uint32_t n,
		      uint64_t align)
{
	uint64_t size = align_up(((uint64_t)n + 255) / 256 * 4, align);
	const unsigned char *markers = end - size, *p = names;

	if (end - names < (ptrdiff_t)(size + n) || u32_at(markers) != 0)
		return false;
	for (uint32_t i = 0; i < n; i++) {
		unsigned len;

		if (i % 256 == 0 && u32_at(markers + i / 256 * 4) != p - names)
			return false;
		if (!name_at(&p, markers, &len))
			return false;
	}
	return true;
}

/*
 * Searches backward from the tokens for a count whose names fit. In between may be the sequence
 * numbers of 6.2, of 3 bytes each.
 */
static bool find_names(const struct image_section *ro, struct kallsyms_tables *k)
{
	const unsigned char *tokens = (const unsigned char *)k->tokens;
	const unsigned char *c = tokens - k->align;

	for (; c >= ro->data; c -= k->align) {
		uint32_t n = u32_at(c);
		const unsigned char *names = c + k->align;

		if (n < MIN_SYMBOLS || n > MAX_SYMBOLS || (k->align == 8 && u32_at(c + 4)) ||
		    (!names_fit(names, tokens, n, k->align) &&
		     !names_fit(names, tokens - align_up(3ull * n, k->align), n, k->align)))
			continue;
		k->n = n;
		k->names = names;
		k->end = tokens;
		return true;
	}
	return false;
}

/* The address of symbol I by the encoding that is being tried. */
static uint64_t address(const struct kallsyms_tables *k, uint32_t i)
{
	uint32_t off = u32_at(k->offsets + 4ull * i);

	switch ((enum encoding)k->encoding) {
	case ENCODING_PERCPU:
		return (int32_t)off >= 0 ? off : k->base - 1 - (int64_t)(int32_t)off;
	case ENCODING_RELATIVE:
		return k->base + off;
	case ENCODING_PREL:
	case ENCODING_N:
		break;
	}
	return k->offsets_addr + 4ull * i + (int64_t)(int32_t)off;
}

/* The name from its tokens, its type as the first letter, cut at NAME_LIMIT; returns its length. */
static size_t expand(const struct kallsyms_tables *k, const unsigned char *p, unsigned len,
		     char *buf)
{
	size_t n = 0;

	for (unsigned i = 0; i < len; i++)
		for (const char *t = k->tokens + k->token_index[p[i]]; *t && n < NAME_LIMIT - 1;
		     t++)
			buf[n++] = *t;
	buf[n] = '\0';
	return n;
}

void kallsyms_each(const struct kallsyms_tables *k,
		   void (*each)(void *arg, const char *name, char type, uint64_t addr), void *arg)
{
	const unsigned char *at = k->names, *p;
	char buf[NAME_LIMIT];
	unsigned len;

	for (uint32_t i = 0; i < k->n && (p = name_at(&at, k->end, &len)); i++)
		if (expand(k, p, len, buf) > 1)
			each(arg, buf + 1, buf[0], address(k, i));
}

/* What is seen while all symbols go by: are addresses in order, and _stext where it must be? */
struct witness {
	uint64_t stext, last;
	bool found, ordered;
};

static void witness_symbol(void *arg, const char *name, char type, uint64_t addr)
{
	struct witness *w = arg;

	if (addr < w->last)
		w->ordered = false;
	w->last = addr;
	if (!strcmp(name, "_stext") && addr == w->stext)
		w->found = true;
}

/* Do these offsets put _stext where the text begins, and all symbols in order? */
static bool offsets_fit(struct kallsyms_tables *k, const struct image_section *ro,
			const unsigned char *offsets, const unsigned char *base, uint64_t text)
{
	if (offsets < ro->data || offsets + 4ull * k->n > ro->data + ro->size || base < ro->data ||
	    base + 8 > ro->data + ro->size)
		return false;
	k->offsets = offsets;
	k->offsets_addr = ro->addr + (offsets - ro->data);
	k->base = u64_at(base);
	for (k->encoding = 0; k->encoding < ENCODING_N; k->encoding++) {
		struct witness w = { .stext = text, .ordered = true };

		kallsyms_each(k, witness_symbol, &w);
		if (w.found && w.ordered)
			return true;
	}
	return false;
}

/* Before the names (kernels before 6.4) or behind the token index. */
static bool find_offsets(const struct image_section *ro, uint64_t text, struct kallsyms_tables *k)
{
	uint64_t size = align_up(4ull * k->n, k->align);

	if ((uint64_t)(k->names - ro->data) > size + 2 * k->align &&
	    offsets_fit(k, ro, k->names - 2 * k->align - size, k->names - 2 * k->align, text))
		return true;
	return offsets_fit(k, ro, k->tail, k->tail + size, text);
}

/* Tables are aligned to 8 bytes, in newer kernels to 4; each is tried. */
struct error *kallsyms_open(const struct image *img, struct kallsyms_tables *ret)
{
	struct image_section ro, text;

	if (!image_section(img, ".rodata", &ro) || !image_section(img, ".text", &text) || !ro.data)
		return error_create("kernel image without .rodata or .text");
	for (uint64_t align = 8; align >= 4; align /= 2) {
		struct kallsyms_tables k = { .align = align };

		if (find_tokens(&ro, &k) && find_names(&ro, &k) &&
		    find_offsets(&ro, text.addr, &k)) {
			*ret = k;
			return NULL;
		}
	}
	return error_create(
		"kernel image without kallsyms (CONFIG_KALLSYMS), or with an unknown layout of it");
}
