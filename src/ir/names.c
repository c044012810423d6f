/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Spellings (names.h). Tables are indexed by the enums: a member added there needs its row here. */
#include "ir/names.h"

const char *ir_type_name(enum ir_type type)
{
	static const char *const names[] = {
		[IR_UNKNOWN] = "unknown",
		[IR_LONG] = "long",
		[IR_STRING] = "string",
		[IR_STATS] = "stats",
	};

	return names[type];
}

/* Signs share their spelling with addition and subtraction. */
const char *ir_op_text(enum ir_op op)
{
	static const char *const spellings[] = {
		[IR_OP_NONE] = "",    [IR_OP_ADD] = "+",     [IR_OP_SUB] = "-",
		[IR_OP_MUL] = "*",    [IR_OP_DIV] = "/",     [IR_OP_MOD] = "%",
		[IR_OP_SHL] = "<<",   [IR_OP_SHR] = ">>",    [IR_OP_USHR] = ">>>",
		[IR_OP_AND] = "&",    [IR_OP_OR] = "|",      [IR_OP_XOR] = "^",
		[IR_OP_CONCAT] = ".", [IR_OP_LOGAND] = "&&", [IR_OP_LOGOR] = "||",
		[IR_OP_LT] = "<",     [IR_OP_GT] = ">",      [IR_OP_LE] = "<=",
		[IR_OP_GE] = ">=",    [IR_OP_EQ] = "==",     [IR_OP_NE] = "!=",
		[IR_OP_NEG] = "-",    [IR_OP_NOT] = "!",     [IR_OP_BITNOT] = "~",
		[IR_OP_PLUS] = "+",
	};

	return spellings[op];
}

const char *ir_stat_name(enum ir_stat stat)
{
	switch (stat) {
	case IR_STAT_COUNT:
		return "count";
	case IR_STAT_SUM:
		return "sum";
	case IR_STAT_MIN:
		return "min";
	case IR_STAT_MAX:
		return "max";
	case IR_STAT_AVG:
		return "avg";
	case IR_STAT_VARIANCE:
		return "variance";
	}
	return "?";
}

const char *ir_expr_kind_name(enum ir_expr_kind kind)
{
	static const char *const names[] = {
		[IR_NUMBER] = "number",
		[IR_STRING_LITERAL] = "string",
		[IR_LOCAL] = "local",
		[IR_GLOBAL] = "global",
		[IR_ELEMENT] = "element",
		[IR_UNARY] = "unary",
		[IR_BINARY] = "binary",
		[IR_LOGICAL] = "logical",
		[IR_COMPARE] = "compare",
		[IR_CONCAT] = "concat",
		[IR_MATCH] = "match",
		[IR_TERNARY] = "ternary",
		[IR_ASSIGN] = "assign",
		[IR_FEED] = "feed",
		[IR_INCDEC] = "incdec",
		[IR_IN] = "in",
		[IR_CALL] = "call",
		[IR_BUILTIN_CALL] = "builtin call",
		[IR_FETCH] = "fetch",
		[IR_SAVED] = "saved",
		[IR_POINT_TEXT] = "text of the point",
		[IR_DEREF] = "deref",
		[IR_REGISTER] = "register",
		[IR_EXTRACT] = "extract",
		[IR_HIST_BUCKET] = "histogram bucket",
		[IR_PRINT] = "print",
		[IR_PRINT_HIST] = "print histogram",
		[IR_ENUMNAME] = "enumerator name",
		[IR_EMBEDDED] = "embedded",
	};

	return names[kind];
}
