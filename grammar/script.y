/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The grammar of scripts and tapset files. Actions only call the builders of ast/build.h.
 *
 * Statements need no terminator, so whatever can continue an expression does: every such conflict is between ending an
 * expression (precedence LOW) and shifting the operator, and the precedences below decide all of them. %expect 0 keeps
 * it so: a new construct that is ambiguous must be told apart by the filter (parse/filter.c), which already makes
 *   COMPONENT    a dotted name's part, wildcards included	BRACE_LIST   the "{" of a{b,c}
 *   RETURN_VOID  return without a value			SEMI_ELSE    ";" and "else" in one
 *   PRINT        the name of a print operator before "("	ELSE_IF      "else" and "if" in one, also SEMI_ELSE_IF: a
 *                                                           chain of them is a list, however long it is
 */
%code requires {
#include "ast/declare.h"

struct parser;

struct script_sort {
	int dir;
	struct span span;
};
}

%code {
#include "parse/parser.h"

int script_yylex(SCRIPT_YYSTYPE *value, SCRIPT_YYLTYPE *span, struct parser *p);
static void script_yyerror(SCRIPT_YYLTYPE *span, struct parser *p, const char *text);

#define B (&p->build)
#define YYLLOC_DEFAULT(current, rhs, n)                                                                                \
	do {                                                                                                           \
		(current).start = (n) ? YYRHSLOC(rhs, 1).start : YYRHSLOC(rhs, 0).end;                                 \
		(current).end = (n) ? YYRHSLOC(rhs, n).end : YYRHSLOC(rhs, 0).end;                                     \
	} while (0)
#define YYMAXDEPTH 5000
}

%define api.pure full
%define api.prefix {script_yy}
%define api.value.type union
%define api.location.type {struct span}
%define parse.error custom
%define parse.lac full
%param {struct parser *p}
%locations
%expect 0

%token SCRIPT_EOF 0 "end of file"
%token <const struct istr *> NAME "identifier" COMPONENT "probe point component" TARGET "context variable"
%token <const struct istr *> PRETTY "'$'" STRING "literal string" EMBEDDED "'%{'"
%token <int64_t> NUMBER "literal number"
%token PROBE "'probe'" GLOBAL "'global'" PRIVATE "'private'" FUNCTION "'function'"
%token IF "'if'" ELSE "'else'" SEMI_ELSE "'; else'" ELSE_IF "'else if'" SEMI_ELSE_IF "'; else if'" FOR "'for'" FOREACH "'foreach'" IN "'in'" LIMIT "'limit'"
%token RETURN "'return'" RETURN_VOID "'return;'" DELETE "'delete'" WHILE "'while'" BREAK "'break'"
%token CONTINUE "'continue'" NEXT "'next'" TRY "'try'" CATCH "'catch'"
%token <int> TYPE "'long' or 'string'"
%token <int> ASSIGN "assignment operator" ADD_ASSIGN "'+='" SUB_ASSIGN "'-='"
%token <int> COMPARE "comparison" MATCH "'=~'" SHIFT "shift" INCDEC "'++'" NEXT_INCDEC "'++' behind '++'" PRINT "print operator"
%token LOGAND "'&&'" LOGOR "'||'" ARROW "'->'" BRACE_LIST "brace list"
%token AT_VAR "'@var'" AT_ERRNO "'@errno'" AT_CAST "'@cast'" AT_ENUMNAME "'@enumname'" AT_VARIANCE "'@variance'"
%token AT_HIST_LOG "'@hist_log'" AT_HIST_LINEAR "'@hist_linear'"
%token <int> AT_OPERAND "'@defined'" AT_TEXT "'@const'" AT_DEREF "'@kderef'" AT_REGISTER "'@kregister'"
%token <int> AT_STAT "'@count'"
/* never reach the grammar */
%token AT_WORD ARGUMENT PP_OPEN "'%('" PP_THEN "'%?'" PP_ELSE "'%:'" PP_CLOSE "'%)'" JUNK "junk"

%precedence LOW
%precedence ELSE SEMI_ELSE ELSE_IF SEMI_ELSE_IF
%right '=' ASSIGN ADD_ASSIGN SUB_ASSIGN
%right '?' ':'
%left LOGOR
%left LOGAND
%left '|'
%left '^'
%left '&'
%precedence IN
%precedence COMPARE
%nonassoc MATCH
%left SHIFT
%left '.'
%left '+' '-'
%left '*' '/' '%'
%precedence UNARY '!' '~'
%right INCDEC NEXT_INCDEC
%precedence ADDRESS
%precedence ALONE
%precedence '(' '['

%type <struct ast_expr *> expr match expr.opt postfix value literal opt.init stat hist key
%type <struct ast_exprs> exprs exprs.opt keys
%type <struct ast_stmt *> stmt block body
%type <struct ast_stmts> stmts
%type <struct ast_chain> chain chain.head
%type <struct ast_global *> global
%type <struct ast_params> params params.opt
%type <struct ast_param> param
%type <struct ast_priority> opt.priority
%type <struct ast_points> point points part parts lists listed aliases
%type <struct ast_foreach *> fe.head fe.value fe.each fe.keys fe.list
%type <struct script_sort> sort
%type <struct ast_expr *> condition
%type <int64_t> number
%type <int> opt.type extractor mark
%type <bool> opt.wrap globals global.start
%type <const struct istr *> opt.module

%%

items:
	%empty
|	items item
;

item:
	globals
|	globals ';'
|	FUNCTION NAME opt.type '(' params.opt ')' opt.priority body
		{ ast_function_add(B, false, @2, $2, $3, $5, $7, $8); }
|	PRIVATE FUNCTION NAME opt.type '(' params.opt ')' opt.priority body
		{ ast_function_add(B, true, @3, $3, $4, $6, $8, $9); }
|	PROBE points block			{ ast_probe_add(B, @1, $2, $3); }
|	PROBE aliases '=' points block		{ ast_alias_add(B, @1, $2, $4, $5, NULL); }
|	PROBE aliases '=' points block ',' block	{ ast_alias_add(B, @1, $2, $4, $5, $7); }
|	PROBE aliases ADD_ASSIGN points block	{ ast_alias_add(B, @1, $2, $4, NULL, $5); }
|	EMBEDDED				{ ast_embedded_add(B, @1, $1); }
;

/* ---- globals ---- */

globals:
	global.start global			{ $$ = $1; ast_global_add(B, $1, $2); }
|	globals ',' global			{ $$ = $1; ast_global_add(B, $1, $3); }
;

global.start:
	GLOBAL					{ $$ = false; }
|	PRIVATE GLOBAL				{ $$ = true; }
|	PRIVATE					{ $$ = true; }
;

global:
	NAME opt.wrap opt.init			{ $$ = ast_global(B, @1, $1, $2, false, 0, $3); }
|	NAME opt.wrap '[' NUMBER ']' opt.init	{ $$ = ast_global(B, @1, $1, $2, true, $4, $6); }
;

opt.wrap:
	%empty					{ $$ = false; }
|	'%'					{ $$ = true; }
;

opt.init:
	%empty					{ $$ = NULL; }
|	'=' literal				{ $$ = $2; }
;

literal:
	number					{ $$ = ast_number(B, @1, $1); }
|	STRING					{ $$ = ast_string(B, @1, $1); }
;

number:
	NUMBER					{ $$ = $1; }
|	'-' NUMBER				{ $$ = (int64_t)(0 - (uint64_t)$2); }
;

/* ---- functions ---- */

opt.type:
	%empty					{ $$ = AST_TYPE_UNKNOWN; }
|	':' TYPE				{ $$ = $2; }
;

params.opt:
	%empty					{ $$ = (struct ast_params){ 0 }; }
|	params					{ $$ = $1; }
|	params ','				{ $$ = $1; }
;

params:
	param
		{ $$ = (struct ast_params){ 0 }; ast_params_add(B, &$$, $1.span, $1.name, $1.type); }
|	params ',' param			{ $$ = $1; ast_params_add(B, &$$, $3.span, $3.name, $3.type); }
;

param:
	NAME opt.type				{ $$ = (struct ast_param){ $1, @1, (enum ast_type)$2 }; }
;

opt.priority:
	%empty					{ $$ = (struct ast_priority){ 0 }; }
|	':' number				{ $$ = (struct ast_priority){ true, $2, @2 }; }
;

body:
	block
|	EMBEDDED				{ $$ = ast_stmt_code(B, @1, $1); }
;

/* ---- probes ---- */

aliases:
	point					{ $$ = $1; }
|	aliases '=' point			{ $$ = $1; ast_points_append(B, &$$, $3); }
;

points:
	point
|	points ',' point			{ $$ = $1; ast_points_append(B, &$$, $3); }
;

point:
	parts mark condition			{ $$ = $1; ast_points_mark($$, $2 == '?', $2 == '!', $3); }
;

mark:
	%empty					{ $$ = 0; }
|	'?'					{ $$ = '?'; }
|	'!'					{ $$ = '!'; }
;

condition:
	%empty					{ $$ = NULL; }
|	IF '(' expr ')'				{ $$ = $3; }
;

parts:
	part
|	parts '.' part				{ $$ = ast_points_join(B, @2, $1, $3); }
;

part:
	COMPONENT				{ $$ = ast_point_component(B, @1, $1, NULL); }
|	COMPONENT '(' literal ')'		{ $$ = ast_point_component(B, @1, $1, $3); }
|	BRACE_LIST lists '}'			{ $$ = $2; }
;

lists:
	listed
|	lists ',' listed			{ $$ = $1; ast_points_append(B, &$$, $3); }
;

listed:
	parts mark				{ $$ = $1; ast_points_mark($$, $2 == '?', $2 == '!', NULL); }
;

/* ---- statements ---- */

block:
	'{' stmts '}'				{ $$ = ast_stmt_block(B, @1, $2); }
;

stmts:
	%empty					{ $$ = (struct ast_stmts){ 0 }; }
|	stmts stmt				{ $$ = $1; ast_stmts_add(B, &$$, $2); }
|	stmts error
		{
			$$ = $1;
			if (p->filter.ending)
				YYABORT;
			yyclearin;
			yyerrok;
		}
;

stmt:
	';'					{ $$ = ast_stmt_simple(B, @1, AST_STMT_EMPTY); }
|	block
|	expr %prec LOW				{ $$ = ast_stmt_expr(B, $1->span, AST_STMT_EXPR, $1); }
|	chain %prec LOW				{ $$ = $1.first; }
|	chain ELSE stmt				{ $$ = $1.first; ast_chain_else(&$1, $3); }
|	chain SEMI_ELSE stmt			{ $$ = $1.first; ast_chain_else(&$1, $3); }
|	chain.head SEMI_ELSE stmt
		{
			$$ = $1.first;
			ast_chain_arm(&$1, ast_stmt_simple(B, @2, AST_STMT_EMPTY));
			ast_chain_else(&$1, $3);
		}
|	WHILE '(' expr ')' stmt			{ $$ = ast_stmt_for(B, @1, NULL, $3, NULL, $5); }
|	FOR '(' expr.opt ';' expr.opt ';' expr.opt ')' stmt
		{ $$ = ast_stmt_for(B, @1, $3, $5, $7, $9); }
|	FOREACH '(' fe.head ')' stmt		{ $$ = ast_stmt_foreach(B, @1, $3, $5); }
|	BREAK					{ $$ = ast_stmt_simple(B, @1, AST_STMT_BREAK); }
|	CONTINUE				{ $$ = ast_stmt_simple(B, @1, AST_STMT_CONTINUE); }
|	NEXT					{ $$ = ast_stmt_simple(B, @1, AST_STMT_NEXT); }
|	RETURN_VOID				{ $$ = ast_stmt_expr(B, @1, AST_STMT_RETURN, NULL); }
|	RETURN expr %prec LOW			{ $$ = ast_stmt_expr(B, @1, AST_STMT_RETURN, $2); }
|	DELETE expr %prec LOW			{ $$ = ast_stmt_expr(B, @1, AST_STMT_DELETE, $2); }
|	TRY block CATCH block			{ $$ = ast_stmt_try(B, @1, $2, NULL, @3, $4); }
|	TRY block CATCH '(' NAME ')' block	{ $$ = ast_stmt_try(B, @1, $2, $5, @5, $7); }
;

chain:
	chain.head stmt				{ $$ = $1; ast_chain_arm(&$$, $2); }
;

chain.head:
	IF '(' expr ')'				{ $$ = ast_chain(B, @1, $3); }
|	chain ELSE_IF '(' expr ')'		{ $$ = $1; ast_chain_if(B, &$$, @2, $4); }
|	chain SEMI_ELSE_IF '(' expr ')'		{ $$ = $1; ast_chain_if(B, &$$, @2, $4); }
|	chain.head SEMI_ELSE_IF '(' expr ')'
		{
			$$ = $1;
			ast_chain_arm(&$$, ast_stmt_simple(B, @2, AST_STMT_EMPTY));
			ast_chain_if(B, &$$, @2, $4);
		}
;

fe.head:
	fe.value
|	fe.value LIMIT expr			{ $$ = $1; $$->limit = $3; }
;

fe.value:
	fe.each
|	NAME sort '=' fe.each
		{
			$$ = $4;
			$$->value = ast_name(B, @1, $1);
			ast_foreach_sort(B, $$, $2.dir, 0, $2.span);
		}
|	NAME ADD_ASSIGN fe.each
		{ $$ = $3; $$->value = ast_name(B, @1, $1); ast_foreach_sort(B, $$, 1, 0, @2); }
|	NAME SUB_ASSIGN fe.each
		{ $$ = $3; $$->value = ast_name(B, @1, $1); ast_foreach_sort(B, $$, -1, 0, @2); }
;

fe.each:
	fe.keys IN NAME extractor sort
		{
			$$ = $1;
			ast_foreach_source(B, $$, ast_name(B, @3, $3), NULL, $4, @4, $5.dir, $5.span);
		}
|	fe.keys IN NAME '[' keys ']' extractor sort
		{
			$$ = $1;
			ast_foreach_source(B, $$, ast_name(B, @3, $3), &$5, $7, @7, $8.dir, $8.span);
		}
|	fe.keys IN hist sort
		{ $$ = $1; $$->hist = $3; ast_foreach_sort(B, $$, $4.dir, 0, $4.span); }
;

fe.keys:
	NAME sort
		{
			$$ = ast_foreach_create(B);
			ast_foreach_key(B, $$, ast_name(B, @1, $1), $2.dir, $2.span);
		}
|	'[' fe.list ']'				{ $$ = $2; }
;

fe.list:
	NAME sort
		{
			$$ = ast_foreach_create(B);
			ast_foreach_key(B, $$, ast_name(B, @1, $1), $2.dir, $2.span);
		}
|	fe.list ',' NAME sort
		{ $$ = $1; ast_foreach_key(B, $$, ast_name(B, @3, $3), $4.dir, $4.span); }
;

sort:
	%empty					{ $$ = (struct script_sort){ 0 }; }
|	'+'					{ $$ = (struct script_sort){ 1, @1 }; }
|	'-'					{ $$ = (struct script_sort){ -1, @1 }; }
;

extractor:
	%empty					{ $$ = 0; }
|	AT_STAT					{ $$ = $1; }
|	AT_VARIANCE				{ $$ = AST_VARIANCE; }
;

/* ---- expressions ---- */

expr.opt:
	%empty					{ $$ = NULL; }
|	expr
;

exprs.opt:
	%empty					{ $$ = (struct ast_exprs){ 0 }; }
|	exprs
;

exprs:
	expr					{ $$ = (struct ast_exprs){ 0 }; ast_exprs_add(B, &$$, $1); }
|	exprs ',' expr				{ $$ = $1; ast_exprs_add(B, &$$, $3); }
;

/* subscripts; '*' stands for any key */
keys:
	key					{ $$ = (struct ast_exprs){ 0 }; ast_exprs_add(B, &$$, $1); }
|	keys ',' key				{ $$ = $1; ast_exprs_add(B, &$$, $3); }
;

key:
	expr
|	'*'					{ $$ = NULL; }
;

expr:
	expr '=' expr				{ $$ = ast_assign(B, @2, AST_OP_SET, $1, $3); }
|	expr ASSIGN expr			{ $$ = ast_assign(B, @2, $2, $1, $3); }
|	expr ADD_ASSIGN expr			{ $$ = ast_assign(B, @2, $2, $1, $3); }
|	expr SUB_ASSIGN expr			{ $$ = ast_assign(B, @2, $2, $1, $3); }
|	expr '?' expr ':' expr			{ $$ = ast_ternary(B, @2, $1, $3, $5); }
|	expr LOGOR expr				{ $$ = ast_binary(B, @2, AST_OP_LOGOR, $1, $3); }
|	expr LOGAND expr			{ $$ = ast_binary(B, @2, AST_OP_LOGAND, $1, $3); }
|	expr '|' expr				{ $$ = ast_binary(B, @2, AST_OP_OR, $1, $3); }
|	expr '^' expr				{ $$ = ast_binary(B, @2, AST_OP_XOR, $1, $3); }
|	expr '&' expr				{ $$ = ast_binary(B, @2, AST_OP_AND, $1, $3); }
|	expr IN NAME
		{ struct ast_exprs one = { 0 }; ast_exprs_add(B, &one, $1); $$ = ast_in(B, @2, one, $3, @3); }
|	expr IN hist %prec IN			{ $$ = ast_in_hist(B, @2, $1, $3); }
|	'[' keys ']' IN NAME			{ $$ = ast_in(B, @4, $2, $5, @5); }
|	expr COMPARE expr %prec MATCH		{ $$ = ast_binary(B, @2, $2, $1, $3); }
|	match %prec LOW
|	match COMPARE				{ parser_not_associative(p); YYERROR; }
|	match MATCH				{ parser_not_associative(p); YYERROR; }
|	expr SHIFT expr				{ $$ = ast_binary(B, @2, $2, $1, $3); }
|	expr '.' expr				{ $$ = ast_binary(B, @2, AST_OP_CONCAT, $1, $3); }
|	expr '+' expr				{ $$ = ast_binary(B, @2, AST_OP_ADD, $1, $3); }
|	expr '-' expr				{ $$ = ast_binary(B, @2, AST_OP_SUB, $1, $3); }
|	expr '*' expr				{ $$ = ast_binary(B, @2, AST_OP_MUL, $1, $3); }
|	expr '/' expr				{ $$ = ast_binary(B, @2, AST_OP_DIV, $1, $3); }
|	expr '%' expr				{ $$ = ast_binary(B, @2, AST_OP_MOD, $1, $3); }
|	'-' expr %prec UNARY			{ $$ = ast_unary(B, @1, AST_OP_NEG, $2); }
|	'+' expr %prec UNARY			{ $$ = ast_unary(B, @1, AST_OP_PLUS, $2); }
|	'!' expr				{ $$ = ast_unary(B, @1, AST_OP_NOT, $2); }
|	'~' expr				{ $$ = ast_unary(B, @1, AST_OP_BITNOT, $2); }
|	INCDEC expr				{ $$ = ast_incdec(B, @1, $1, true, $2); }
|	NEXT_INCDEC expr			{ $$ = ast_incdec(B, @1, $1, true, $2); }
|	expr INCDEC				{ $$ = ast_incdec(B, @2, $2, false, $1); }
|	'&' postfix %prec ADDRESS		{ $$ = ast_address(B, @1, $2); }
|	postfix %prec ALONE
|	value
|	hist %prec ALONE
;

/* of the level of comparisons, but beside no other one: x < 0 =~ "re" and s =~ "a" == 1 are mistakes */
match:
	expr MATCH STRING			{ $$ = ast_match(B, @2, $2 == AST_OP_NOT, $1, $3, @3); }
;

/* what -> may follow, but no [ ]: a list of keys may begin the next statement */
value:
	NUMBER					{ $$ = ast_number(B, @1, $1); }
|	STRING					{ $$ = ast_string(B, @1, $1); }
|	EMBEDDED				{ $$ = ast_embedded(B, @1, $1); }
|	hist '[' expr ']'			{ $$ = ast_bucket(B, @1, $1, $3); }
|	PRINT '(' exprs.opt ')'			{ $$ = ast_print_call(B, @1, $1, $3); }
|	AT_TEXT '(' STRING ')'			{ $$ = ast_text(B, @1, $1, $3); }
|	AT_ENUMNAME '(' expr ')'		{ $$ = ast_enumname(B, @1, $3, NULL, NULL); }
|	AT_ENUMNAME '(' expr ',' STRING opt.module ')'	{ $$ = ast_enumname(B, @1, $3, $5, $6); }
|	AT_DEREF '(' expr ',' expr ')'		{ $$ = ast_deref(B, @1, $1, $3, $5); }
|	AT_REGISTER '(' expr ')'		{ $$ = ast_register(B, @1, $1, $3); }
|	AT_STAT '(' stat ')'			{ $$ = ast_extract(B, @1, $1, $3); }
|	AT_VARIANCE '(' stat ')'		{ $$ = ast_extract(B, @1, AST_VARIANCE, $3); }
|	AT_VARIANCE '(' stat ',' number ')'	{ $$ = ast_variance(B, @1, $3, $5, @5); }
;

/* what -> and [ ] may follow: context expressions, and values whose type sema may know (autocast) */
postfix:
	NAME %prec ALONE			{ $$ = ast_variable(B, @1, $1); }
|	NAME '(' exprs.opt ')'			{ $$ = ast_call(B, @1, $1, $3); }
|	NAME '[' keys ']'			{ $$ = ast_index(B, @1, $1, $3); }
|	'(' expr ')'				{ $$ = $2; }
|	TARGET					{ $$ = ast_target(B, @1, $1); }
|	AT_VAR '(' STRING opt.module ')'	{ $$ = ast_atvar(B, @1, $3, $4); }
|	AT_ERRNO				{ $$ = ast_errno(B, @1); }
|	AT_CAST '(' expr ',' STRING opt.module ')'	{ $$ = ast_cast(B, @1, $3, $5, $6); }
|	AT_OPERAND '(' expr ')'			{ $$ = ast_operand(B, @1, $1, $3); }
|	postfix ARROW NAME			{ $$ = ast_member(B, @2, $1, $3); }
|	value ARROW NAME			{ $$ = ast_member(B, @2, $1, $3); }
|	postfix '[' expr ']'			{ $$ = ast_subscript(B, @2, $1, $3); }
|	postfix PRETTY				{ $$ = ast_pretty(B, @2, $1, $2); }
;

opt.module:
	%empty					{ $$ = NULL; }
|	',' STRING				{ $$ = $2; }
;

stat:
	NAME %prec ALONE			{ $$ = ast_name(B, @1, $1); }
|	NAME '[' keys ']'			{ $$ = ast_index(B, @1, $1, $3); }
|	'(' stat ')'				{ $$ = $2; }
;

hist:
	AT_HIST_LOG '(' stat ')'		{ $$ = ast_hist_log(B, @1, $3); }
|	AT_HIST_LINEAR '(' stat ',' number ',' number ',' number ')'
		{ $$ = ast_hist_linear(B, @1, $3, $5, $7, $9); }
;

%%

static int yyreport_syntax_error(const yypcontext_t *context, struct parser *p)
{
	yysymbol_kind_t expected[YYNTOKENS];
	const char *names[YYNTOKENS];
	int n = yypcontext_expected_tokens(context, expected, YYNTOKENS);

	for (int i = 0; i < n; i++)
		names[i] = yysymbol_name(expected[i]);
	parser_syntax_error(p, names, n);
	return 0;
}

/* Only for what bison itself says: its stack is full. */
static void script_yyerror(SCRIPT_YYLTYPE *span, struct parser *p, const char *text)
{
	diag_report(p->sink, DIAG_PARSE_DEPTH, *span);
}
