/* SPDX-License-Identifier: BSD-3-Clause */
/* expression_parse.c - text -> tree, by precedence */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/compiler.h"
#include "base/error.h"
#include "base/json.h"
#include "base/problems.h"
#include "base/strvec.h"
#include "signature/expression.h"
#include "signature/expression_token.h"
#include "signature/expression_tree.h"

/* Bounds the stack of this parser, of the evaluator and of the destroyer. */
enum { NESTING_MAX = 64 };

struct parser {
    struct token_reader reader;
    int nesting;
    struct error *err;
};

/* From the loosest to the tightest. */
enum level {
    LEVEL_OR,
    LEVEL_AND,
    LEVEL_NOT,
    LEVEL_COMPARE,
    LEVEL_SUM,
    LEVEL_PRODUCT,
    LEVEL_UNARY,
};

static const struct {
    const char *sign;
    enum level level;
    enum expression_kind kind;
} binary_operators[] = {
    { "or", LEVEL_OR, EXPRESSION_OR },
    { "and", LEVEL_AND, EXPRESSION_AND },
    { "==", LEVEL_COMPARE, EXPRESSION_EQUAL },
    { "!=", LEVEL_COMPARE, EXPRESSION_UNEQUAL },
    { "<", LEVEL_COMPARE, EXPRESSION_LESS },
    { "<=", LEVEL_COMPARE, EXPRESSION_LESS_EQUAL },
    { ">", LEVEL_COMPARE, EXPRESSION_GREATER },
    { ">=", LEVEL_COMPARE, EXPRESSION_GREATER_EQUAL },
    { "+", LEVEL_SUM, EXPRESSION_ADD },
    { "-", LEVEL_SUM, EXPRESSION_SUBTRACT },
    { "*", LEVEL_PRODUCT, EXPRESSION_MULTIPLY },
    { "/", LEVEL_PRODUCT, EXPRESSION_DIVIDE },
};

static const struct {
    const char *name;
    enum expression_kind kind;
    size_t least, most; /* arguments */
} functions[] = {
    { "min", EXPRESSION_MIN, 1, NESTING_MAX },
    { "max", EXPRESSION_MAX, 1, NESTING_MAX },
    { "mean", EXPRESSION_MEAN, 1, NESTING_MAX },
    { "sum", EXPRESSION_SUM, 1, NESTING_MAX },
    { "count", EXPRESSION_COUNT, 1, NESTING_MAX },
    { "abs", EXPRESSION_ABS, 1, 1 },
    { "default", EXPRESSION_DEFAULT, 2, 2 },
};

static int fail_here (struct parser *parser, const char *what)
{
    return error_set (parser->err, "column %zu: %s",
                      parser->reader.token.column, what);
}

/* --- the tree --- */

void expression_destroy (struct expression *expression)
{
    if (!expression)
        return;
    for (size_t i = 0; i < expression->n_args; i++)
        expression_destroy (expression->args[i]);
    free (expression->args);
    json_unref (expression->literal);
    free (expression->name);
    free (expression);
}

static struct expression *make_node (const struct parser *parser,
                                     enum expression_kind kind)
{
    struct expression *node = xcalloc (1, sizeof (*node));

    node->kind = kind;
    node->column = parser->reader.token.column;
    node->height = 1;
    return node;
}

/* Takes 'arg' over.  -1 when it is NULL or the tree became too high. */
static int add_arg (struct parser *parser,
                    struct expression *node,
                    struct expression *arg)
{
    if (!arg)
        return -1;
    node->args = grow_array (node->args, node->n_args, &node->alloc,
                             sizeof (*node->args));
    node->args[node->n_args++] = arg;
    if (arg->height >= node->height)
        node->height = arg->height + 1;
    if (node->height <= NESTING_MAX)
        return 0;
    return error_set (parser->err, "column %zu: nested deeper than %d",
                      node->column, NESTING_MAX);
}

/* --- grammar --- */

static struct expression *parse_level (struct parser *parser, enum level level);

static int descend (struct parser *parser)
{
    if (++parser->nesting <= NESTING_MAX)
        return 0;
    return error_set (parser->err, "column %zu: nested deeper than %d",
                      parser->reader.token.column, NESTING_MAX);
}

/* `not` or `-` and its operand. */
static struct expression *parse_prefix (struct parser *parser,
                                        enum expression_kind kind,
                                        enum level level)
{
    struct expression *node = make_node (parser, kind);

    if (descend (parser) < 0 || token_next (&parser->reader, parser->err) < 0
        || add_arg (parser, node, parse_level (parser, level)) < 0) {
        expression_destroy (node);
        return NULL;
    }
    parser->nesting--;
    return node;
}

static int expect_sign (struct parser *parser, const char *sign)
{
    if (token_is (&parser->reader.token, sign))
        return token_next (&parser->reader, parser->err);
    if (parser->reader.token.kind == TOKEN_END)
        return error_set (parser->err, "column %zu: expected '%s'",
                          parser->reader.token.column, sign);
    return error_set (parser->err, "column %zu: expected '%s', got '%.*s'",
                      parser->reader.token.column, sign,
                      (int)parser->reader.token.len,
                      parser->reader.token.start);
}

static struct expression *parse_parenthesis (struct parser *parser)
{
    struct expression *inner = NULL;

    if (descend (parser) < 0 || token_next (&parser->reader, parser->err) < 0
        || !(inner = parse_level (parser, LEVEL_OR))
        || expect_sign (parser, ")") < 0) {
        expression_destroy (inner);
        return NULL;
    }
    parser->nesting--;
    return inner;
}

static int unknown_function (struct parser *parser, const struct token *name)
{
    struct strvec known = STRVEC_INIT;
    char *word = xstrndup (name->start, name->len);
    const char *near;

    for (size_t i = 0; i < ARRAY_SIZE (functions); i++)
        strvec_push (&known, functions[i].name);
    near = nearest_word (word, &known);
    if (near)
        error_set (parser->err,
                   "column %zu: unknown function '%s'; did you mean '%s'?",
                   name->column, word, near);
    else
        error_set (parser->err,
                   "column %zu: unknown function '%s'; there are min, max, "
                   "mean, sum, count, abs and default",
                   name->column, word);
    strvec_release (&known);
    free (word);
    return -1;
}

static int find_function (struct parser *parser, const struct token *name)
{
    for (size_t i = 0; i < ARRAY_SIZE (functions); i++) {
        if (strlen (functions[i].name) == name->len
            && memcmp (functions[i].name, name->start, name->len) == 0)
            return (int)i;
    }
    return unknown_function (parser, name);
}

static int parse_arguments (struct parser *parser, struct expression *call)
{
    if (descend (parser) < 0 || token_next (&parser->reader, parser->err) < 0)
        return -1;
    while (!token_is (&parser->reader.token, ")")) {
        if (call->n_args > 0 && expect_sign (parser, ",") < 0)
            return -1;
        if (add_arg (parser, call, parse_level (parser, LEVEL_OR)) < 0)
            return -1;
    }
    parser->nesting--;
    return token_next (&parser->reader, parser->err);
}

/* 'name' was a word and the token is the '(' behind it. */
static struct expression *parse_call (struct parser *parser,
                                      const struct token *name)
{
    int i = find_function (parser, name);
    struct expression *call;

    if (i < 0)
        return NULL;
    call = make_node (parser, functions[i].kind);
    call->column = name->column;
    if (parse_arguments (parser, call) < 0)
        goto fail;
    if (call->n_args >= functions[i].least && call->n_args <= functions[i].most)
        return call;
    error_set (parser->err, "column %zu: %s takes %s, got %zu", call->column,
               functions[i].name,
               functions[i].most == 1   ? "one argument"
               : functions[i].most == 2 ? "two arguments"
                                        : "a list or several arguments",
               call->n_args);
fail:
    expression_destroy (call);
    return NULL;
}

/* A word: a constant, a call or a name. */
static struct expression *parse_word (struct parser *parser)
{
    struct token word = parser->reader.token;
    struct expression *node = make_node (parser, EXPRESSION_LITERAL);

    if (token_is (&parser->reader.token, "true")
        || token_is (&parser->reader.token, "false")) {
        node->literal = json_bool (token_is (&parser->reader.token, "true"));
    } else if (token_is (&parser->reader.token, "null")) {
        node->literal = json_null ();
    } else {
        node->kind = EXPRESSION_NAME;
        node->name = xstrndup (word.start, word.len);
    }
    if (token_next (&parser->reader, parser->err) == 0) {
        if (node->kind == EXPRESSION_LITERAL
            || !token_is (&parser->reader.token, "("))
            return node;
        expression_destroy (node);
        return parse_call (parser, &word);
    }
    expression_destroy (node);
    return NULL;
}

static struct json *number_value (const struct token *token)
{
    char *text = xstrndup (token->start, token->len);
    struct json *v = NULL;
    double real;

    if (!strpbrk (text, ".eE")) {
        long long n;

        errno = 0;
        n = strtoll (text, NULL, 10);
        if (errno == 0 && json_int_fits (n))
            v = json_int (n);
    }
    if (!v) {
        real = strtod (text, NULL);
        v = isfinite (real) ? json_real (real) : NULL;
    }
    free (text);
    return v;
}

static struct expression *parse_constant (struct parser *parser)
{
    struct expression *node = make_node (parser, EXPRESSION_LITERAL);

    if (parser->reader.token.kind == TOKEN_NUMBER) {
        node->literal = number_value (&parser->reader.token);
    } else {
        char *text = xstrndup (parser->reader.token.start + 1,
                               parser->reader.token.len - 2);

        node->literal = json_string (text);
        free (text);
    }
    if (!node->literal)
        fail_here (parser, "the number is too large");
    else if (token_next (&parser->reader, parser->err) == 0)
        return node;
    expression_destroy (node);
    return NULL;
}

static struct expression *parse_unary (struct parser *parser)
{
    static const char *const operators[] = { "or", "and", "not" };

    if (token_is (&parser->reader.token, "-"))
        return parse_prefix (parser, EXPRESSION_NEGATE, LEVEL_UNARY);
    if (token_is (&parser->reader.token, "("))
        return parse_parenthesis (parser);
    for (size_t i = 0; i < ARRAY_SIZE (operators); i++) {
        if (token_is (&parser->reader.token, operators[i])) {
            error_set (parser->err,
                       "column %zu: '%s' where a value is expected; put what "
                       "belongs together in parentheses",
                       parser->reader.token.column, operators[i]);
            return NULL;
        }
    }
    switch (parser->reader.token.kind) {
    case TOKEN_WORD:
        return parse_word (parser);
    case TOKEN_NUMBER:
    case TOKEN_TEXT:
        return parse_constant (parser);
    case TOKEN_SIGN:
        fail_here (parser, "an operator where a value is expected");
        return NULL;
    case TOKEN_END:
        break;
    }
    fail_here (parser, "a value is missing at the end");
    return NULL;
}

/* Is the token a binary operator of this level?  Its row, or -1. */
static int find_binary (const struct parser *parser, enum level level)
{
    for (size_t i = 0; i < ARRAY_SIZE (binary_operators); i++) {
        if (binary_operators[i].level == level
            && token_is (&parser->reader.token, binary_operators[i].sign))
            return (int)i;
    }
    return -1;
}

/* The token is a binary operator and 'left' (taken over) is before it. */
static struct expression *parse_right (struct parser *parser,
                                       int row,
                                       struct expression *left)
{
    enum level level = binary_operators[row].level;
    struct expression *node = make_node (parser, binary_operators[row].kind);

    if (add_arg (parser, node, left) < 0
        || token_next (&parser->reader, parser->err) < 0
        || add_arg (parser, node, parse_level (parser, level + 1)) < 0)
        goto fail;
    if (level != LEVEL_COMPARE || find_binary (parser, level) < 0)
        return node;
    fail_here (parser, "comparisons do not chain; write a < b and b < c");
fail:
    expression_destroy (node);
    return NULL;
}

static struct expression *parse_level (struct parser *parser, enum level level)
{
    struct expression *left;
    int row;

    if (level == LEVEL_UNARY)
        return parse_unary (parser);
    if (level == LEVEL_NOT && token_is (&parser->reader.token, "not"))
        return parse_prefix (parser, EXPRESSION_NOT, LEVEL_NOT);
    left = parse_level (parser, level + 1);
    while (left && (row = find_binary (parser, level)) >= 0)
        left = parse_right (parser, row, left);
    return left;
}

struct expression *expression_parse (const char *text, struct error *err)
{
    struct parser parser = { .reader = { .text = text, .p = text },
                             .err = err };
    struct expression *root;

    if (token_next (&parser.reader, err) < 0)
        return NULL;
    root = parse_level (&parser, LEVEL_OR);
    if (!root || parser.reader.token.kind == TOKEN_END)
        return root;
    error_set (err, "column %zu: '%.*s' after the end of the expression",
               parser.reader.token.column, (int)parser.reader.token.len,
               parser.reader.token.start);
    expression_destroy (root);
    return NULL;
}

int expression_names (const struct expression *expression,
                      int (*each) (const char *name,
                                   void *arg,
                                   struct error *err),
                      void *arg,
                      struct error *err)
{
    if (expression->kind == EXPRESSION_NAME)
        return each (expression->name, arg, err);
    for (size_t i = 0; i < expression->n_args; i++) {
        if (expression_names (expression->args[i], each, arg, err) < 0)
            return -1;
    }
    return 0;
}
