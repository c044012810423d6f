/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finding the pattern of a probe point. A pattern is text, "timer.s(number).randomize(number)";
 * matching walks both side by side, so the tables of the families stay readable and
 * --dump-probe-types needs no second spelling.
 */
#include <fnmatch.h>
#include <string.h>

#include "base/similar.h"
#include "probe/families.h"
#include "probe/library.h"
#include "probe/point.h"
#include "probe/program_of_point.h"
#include "target/target.h"

/* What a component of a pattern takes in parentheses. */
enum param { PARAM_NONE, PARAM_STRING, PARAM_NUMBER };

/* The next component of a pattern. */
struct component {
	const char *name;
	size_t len;
	enum param param;
};

/*
 * Splits one component off TEXT, a pattern or the rest of one; returns what follows its dot, NULL
 * at the end. A parameter is told by its first letter: "(string)" or "(number)".
 */
static const char *next_component(const char *text, struct component *ret)
{
	ret->name = text;
	ret->len = strcspn(text, ".(");
	ret->param = PARAM_NONE;
	text += ret->len;
	if (*text == '(') {
		ret->param = text[1] == 's' ? PARAM_STRING : PARAM_NUMBER;
		text = strchr(text, ')') + 1;
	}
	return *text == '.' ? text + 1 : NULL;
}

/* A wildcard in the script's component matches the pattern's word, never the other way round. */
static bool name_matches(struct arena *arena, const struct component *component,
			 const struct istr *name)
{
	if (is_glob(name->text))
		return fnmatch(name->text, arena_strndup(arena, component->name, component->len),
			       0) == 0;
	return name->len == component->len && !memcmp(name->text, component->name, component->len);
}

/* Parameters are compared by kind only; their values are the family's business. */
static bool param_matches(const struct component *component, const struct ast_expr *param)
{
	switch (component->param) {
	case PARAM_NONE:
		return !param;
	case PARAM_STRING:
		return param && param->kind == AST_EXPR_STRING;
	case PARAM_NUMBER:
		return param && param->kind == AST_EXPR_NUMBER;
	}
	return false;
}

/* How many components agree; *whole when both end there. rest: the pattern from the first that does
 * not. */
static size_t match(struct arena *arena, const char *text, const struct ast_point *point,
		    bool *whole, const char **rest)
{
	size_t i = 0;

	*whole = false;
	*rest = text;
	while (text && i < point->parts.n) {
		struct component component;
		const char *next = next_component(text, &component);

		if (!name_matches(arena, &component, point->parts.data[i].name) ||
		    !param_matches(&component, point->parts.data[i].param))
			return i;
		text = next;
		*rest = text;
		i++;
	}
	*whole = !text && i == point->parts.n;
	return i;
}

/* For messages: "wants a string". */
static const char *param_text(enum param param)
{
	static const char *const names[] = { [PARAM_NONE] = "no parameter",
					     [PARAM_STRING] = "a string",
					     [PARAM_NUMBER] = "a number" };

	return names[param];
}

/*
 * What the component takes, when patterns that agree before it have its name with another
 * parameter; NULL: none has.
 */
static const char *wanted_params(const struct probe_catalog *catalog, struct arena *arena,
				 const struct ast_point *point, size_t at)
{
	const struct istr *name = point->parts.data[at].name;
	bool takes[PARAM_NUMBER + 1] = { 0 };
	const char *text = NULL;

	for (const struct probe_family *const *f = catalog->families; *f; f++)
		for (const struct probe_pattern *p = (*f)->patterns; p->text; p++) {
			const char *rest;
			struct component component;
			bool whole;

			if (match(arena, p->text, point, &whole, &rest) != at || !rest)
				continue;
			next_component(rest, &component);
			takes[component.param] |= component.len == name->len &&
						  !memcmp(component.name, name->text, name->len);
		}
	for (int i = PARAM_NONE; i <= PARAM_NUMBER; i++)
		if (takes[i])
			text = text ? arena_printf(arena, "%s or %s", text, param_text(i))
				    : param_text(i);
	return text;
}

/* Room for the names of a list; further ones are left out of hints. */
#define CANDIDATES 256
#define SHORT_LIST 16 /* names that a hint enumerates at most */

/* What could stand at component `at`, over all patterns that agree before it. */
static size_t candidates(const struct probe_catalog *catalog, struct arena *arena,
			 const struct ast_point *point, size_t at, const char **names)
{
	size_t n = 0;

	for (const struct probe_family *const *f = catalog->families; *f; f++)
		for (const struct probe_pattern *p = (*f)->patterns; p->text && n < CANDIDATES;
		     p++) {
			const char *rest;
			struct component component;
			bool whole, seen = false;

			if (match(arena, p->text, point, &whole, &rest) != at || !rest)
				continue;
			next_component(rest, &component);
			const char *name = arena_strndup(arena, component.name, component.len);

			for (size_t i = 0; i < n; i++)
				seen |= !strcmp(names[i], name);
			if (!seen)
				names[n++] = name;
		}
	return n;
}

/* What the family says whose first word this is; 0: nothing of its own. */
static enum diag_tag variant_of(const struct probe_catalog *catalog, struct arena *arena,
				const struct ast_point *point)
{
	const char *rest;
	bool whole;

	for (const struct probe_family *const *f = catalog->families; *f; f++)
		if ((*f)->unknown_variant &&
		    match(arena, (*f)->patterns[0].text, point, &whole, &rest))
			return (*f)->unknown_variant;
	return 0;
}

/* The longest of names that name begins with: sec for seconds. Returns how many, 0 or 1. */
static size_t longest_prefix(const struct istr *name, const char *const *names, size_t n,
			     const char **ret)
{
	size_t best = 1; /* one letter is no hint */

	for (size_t i = 0; i < n; i++)
		if (strlen(names[i]) > best && !strncmp(name->text, names[i], strlen(names[i]))) {
			best = strlen(names[i]);
			*ret = names[i];
		}
	return best > 1;
}

/* Has the pattern the same components, in whatever order? */
static bool same_components(struct arena *arena, const char *text, const struct ast_point *point)
{
	uint64_t used = 0;

	while (text) {
		struct component component;
		size_t i = 0;

		text = next_component(text, &component);
		while (i < point->parts.n && i < 64 &&
		       (used >> i & 1 ||
			!name_matches(arena, &component, point->parts.data[i].name) ||
			!param_matches(&component, point->parts.data[i].param)))
			i++;
		if (i == point->parts.n || i == 64)
			return false;
		used |= (uint64_t)1 << i;
	}
	return (size_t)__builtin_popcountll(used) == point->parts.n;
}

/* The pattern that the point would be in another order; NULL: none. */
static const char *in_order(const struct probe_catalog *catalog, struct arena *arena,
			    const struct ast_point *point)
{
	for (const struct probe_family *const *f = catalog->families; *f; f++)
		for (const struct probe_pattern *p = (*f)->patterns; p->text; p++)
			if (same_components(arena, p->text, point))
				return p->text;
	return NULL;
}

/* What the language has and this version does not. */
struct not_built {
	const char *words; /* the names of a point's first components, with dots between them */
	const char *what, *instead;
};

/* The last of the components that WORDS name; NULL: the point begins otherwise. */
static const struct ast_component *begins_with(const char *words, const struct ast_point *point)
{
	vec_foreach(part, &point->parts) {
		size_t len = strcspn(words, ".");

		if (part->name->len != len || memcmp(part->name->text, words, len))
			return NULL;
		if (!words[len])
			return part;
		words += len + 1;
	}
	return NULL;
}

/* false: it is none of those. */
static bool report_not_built(struct probe_env *env, const struct ast_point *point)
{
	static const struct not_built rows[] = {
#define FAMILY(words, what, instead) { words, what, instead },
#include "probe/not_built.def"
#undef FAMILY
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct ast_component *c = begins_with(rows[i].words, point);
		struct diagnostic *d;

		if (!c)
			continue;
		d = diag_report(env->sink, DIAG_PROBE_NOT_BUILT, c->span, rows[i].what);
		diag_set_token(env->sink, d, "identifier '%s'", c->name->text);
		diag_set_hint(env->sink, d, "%s", rows[i].instead);
		return true;
	}
	return false;
}

/*
 * Why a point whose first AGREED components are one has no return, which somebody who writes
 * NAME.return cannot know of an alias: it is of an event, or the end of a function already. NULL:
 * BAD is no return, or a misspelt one.
 */
static const char *no_return(struct probe_env *env, const struct ast_point *point, size_t agreed,
			     const struct ast_component *bad)
{
	struct ast_point stem = *point;

	if (strcmp(bad->name->text, "return") != 0)
		return NULL;
	stem.parts.n = agreed;
	stem.optional = stem.sufficient = false;
	return arena_printf(env->arena,
			    point_has(&stem, "return")
				    ? "%s is the end of a function already"
				    : "%s is an event, which has no end to probe",
			    point_text(env, &stem));
}

/*
 * No pattern agrees with the whole point; AGREED components did with the best one. Reports exactly
 * one diagnostic: not built, point too short, parameter of another kind, the family's own message,
 * or the component with near names.
 */
static void report_mismatch(const struct probe_catalog *catalog, struct probe_env *env,
			    const struct ast_point *point, size_t agreed)
{
	const char *names[CANDIDATES], *near[8];
	size_t n = candidates(catalog, env->arena, point, agreed, names), n_near;
	const struct ast_component *bad =
		agreed < point->parts.n ? &point->parts.data[agreed] : NULL;
	const char *wanted = bad ? wanted_params(catalog, env->arena, point, agreed) : NULL;
	const char *order = in_order(catalog, env->arena, point);
	struct diagnostic *d;

	if (report_not_built(env, point))
		return;
	if (!bad) {
		d = diag_report(env->sink, DIAG_PROBE_TRUNCATED, point->parts.data[agreed - 1].span,
				similar_join(env->arena, names, n < 12 ? n : 12));
		diag_set_token(env->sink, d, "identifier '%s'",
			       point->parts.data[agreed - 1].name->text);
		return;
	}
	if (wanted) {
		d = diag_report(env->sink, DIAG_PROBE_PARAMETER, bad->span, bad->name->text,
				wanted);
		diag_set_token(env->sink, d, "identifier '%s'", bad->name->text);
		return;
	}
	if (agreed == 1 && variant_of(catalog, env->arena, point)) {
		d = diag_report(env->sink, variant_of(catalog, env->arena, point), bad->span);
	} else if (is_glob(bad->name->text)) {
		d = diag_report(env->sink, DIAG_PROBE_MISMATCH, bad->span);
	} else if (n == 0) {
		d = diag_report(env->sink, DIAG_PROBE_SUFFIX, bad->span);
	} else {
		n_near = similar_names(bad->name->text, names, n, near, 8);
		d = diag_report(env->sink, DIAG_PROBE_SIMILAR, bad->span,
				n_near ? similar_join(env->arena, near, n_near)
				       : similar_join(env->arena, names, n < 8 ? n : 8));
	}
	diag_set_token(env->sink, d, "identifier '%s'", bad->name->text);
	n_near = similar_names(bad->name->text, names, n, near, 1);
	if (!n_near)
		n_near = longest_prefix(bad->name, names, n, near);
	if (no_return(env, point, agreed, bad))
		diag_set_hint(env->sink, d, "%s", no_return(env, point, agreed, bad));
	else if (order)
		diag_set_hint(env->sink, d, "the order is %s", order);
	else if (n_near)
		diag_set_hint(env->sink, d, "did you mean %s?", near[0]);
	else if (n && n <= SHORT_LIST && d->tag != DIAG_PROBE_SIMILAR)
		diag_set_hint(env->sink, d, "there is %s", similar_join(env->arena, names, n));
}

/*
 * A pattern of FAMILY agreed, but nothing that is probed did. WHY: what the family says about it,
 * or NULL.
 */
static void report_no_match(struct probe_env *env, const struct probe_family *family,
			    const struct ast_point *point, const char *why)
{
	const struct ast_component *first = &point->parts.data[0];
	struct diagnostic *d =
		diag_report(env->sink, DIAG_PROBE_NO_MATCH, first->span, why ? why : "");
	const char *hint = family->hint ? family->hint(env, point) : NULL;

	diag_set_token(env->sink, d, "identifier '%s'", first->name->text);
	if (hint)
		diag_set_hint(env->sink, d, "%s", hint);
}

/* Has a component's name (not its parameter) a wildcard? */
static bool has_globs(const struct ast_point *point)
{
	vec_foreach(c, &point->parts)
		if (is_glob(c->name->text))
			return true;
	return false;
}

/* The point with the pattern's words where the script has wildcards: families and lists see words
 * only. */
static const struct ast_point *spelled_out(struct probe_env *env, const struct ast_point *point,
					   const char *text)
{
	struct ast_point *p = arena_new(env->arena, struct ast_point);

	*p = *point;
	memset(&p->parts, 0, sizeof(p->parts));
	vec_foreach(c, &point->parts) {
		struct ast_component part = *c;
		struct component component;

		text = next_component(text, &component);
		part.name = intern_n(env->in, component.name, component.len);
		vec_push(env->arena, &p->parts, part);
	}
	return p;
}

/*
 * Calls the pattern's derive(). With wildcards it sees the words spelled out, and origin is put
 * back to the point of the script afterwards.
 */
static bool derive(const struct probe_pattern *p, struct probe_env *env,
		   const struct ast_point *point, bool globs, struct probe_points *ret,
		   const char **why)
{
	size_t before = ret->n;
	bool fine = p->derive(env, globs ? spelled_out(env, point, p->text) : point, p, ret, why);

	for (size_t i = before; globs && i < ret->n; i++)
		ret->data[i].origin = point;
	return fine;
}

/*
 * The resolve() of the catalog (family.h). Without wildcards the first derive() that fails ends it;
 * with them all matching patterns are tried, and failures count only when nothing was found.
 */
static bool resolve(const struct probe_catalog *catalog, struct probe_env *env,
		    const struct ast_point *point, struct probe_points *ret)
{
	size_t agreed = 0, before = ret->n, mark = diag_count(env->sink);
	const char *why = NULL, *rest;
	const struct probe_family *found = NULL;
	bool failed = false, whole, globs = has_globs(point);

	for (const struct probe_family *const *f = catalog->families; *f; f++)
		for (const struct probe_pattern *p = (*f)->patterns; p->text; p++) {
			size_t n = match(env->arena, p->text, point, &whole, &rest);

			if (n > agreed)
				agreed = n;
			/* a wildcard means what there is, not what might be built */
			if (!whole || (globs && (p->by_name || ((*f)->refuses && ret->n > before))))
				continue;
			found = *f;
			if (derive(p, env, point, globs, ret, &why))
				continue;
			if (!globs)
				goto failed;
			failed = true;
		}
	if (ret->n > before && failed)
		diag_truncate(env->sink,
			      mark); /* of what a wildcard stands for, something will do */
	if (ret->n > before)
		return true;
	if (failed)
		goto failed;
	if (point_is_optional(point) || ret->lacking)
		return true;
	if (found)
		report_no_match(env, found, point, why);
	else
		report_mismatch(catalog, env, point, agreed);
	return false;
failed:
	if (!point_is_optional(point))
		return false;
	diag_truncate(env->sink, mark);
	ret->n = before;
	return true;
}

static bool from_images(const struct probe_catalog *catalog, struct arena *arena,
			const struct ast_point *point)
{
	bool ret = false;

	for (const struct probe_family *const *f = catalog->families; *f; f++)
		for (const struct probe_pattern *p = (*f)->patterns; p->text; p++) {
			const char *rest;
			bool whole;

			match(arena, p->text, point, &whole, &rest);
			if (whole && !(*f)->from_images)
				return false;
			ret |= whole;
		}
	return ret;
}

static size_t agreeing(const struct probe_catalog *catalog, const struct ast_point *point)
{
	struct arena *scratch = arena_create();
	size_t most = 0;

	for (const struct probe_family *const *f = catalog->families; *f; f++)
		for (const struct probe_pattern *p = (*f)->patterns; p->text; p++) {
			const char *rest;
			bool whole;
			size_t n = match(scratch, p->text, point, &whole, &rest);

			most = n > most ? n : most;
		}
	arena_destroy(scratch);
	return most;
}

static const struct probe_family *const families[] = {
#define FAMILY(name) &probe_family_##name,
#include "probe/families.def"
#undef FAMILY
	NULL,
};

const struct probe_catalog probe_catalog = { families, resolve,      from_images,
					     agreeing, c_library_of, program_named_at };
