/* SPDX-License-Identifier: BSD-3-Clause */
/* expression_parse.c - text -> tree, by precedence
 *
 * Functions that return a node return NULL with 'err' on failure; what was made
 * until then goes with the expression.
 */
#include "base/base.h"

#include "base/arena.h"
#include "base/json.h"
#include "base/problems.h"
#include "signature/expression.h"
#include "signature/expression_tree.h"

enum token_kind {
    TOKEN_END,
    TOKEN_NUMBER,
    TOKEN_TEXT, /* with its quotes */
    TOKEN_WORD, /* a name (dotted words) or a word like `and` */
    TOKEN_SIGN,
};

struct token {
    enum token_kind kind;
    const char *start;
    size_t len;
    size_t column; /* from 1 */
};

struct parser {
    struct expression *made;
    const char *text;
    struct token token; /* the one to be looked at */
    int nesting;
    struct error *err;
};

/* "column N: ..."; returns NULL. */
static PRINTF_LIKE (3, 4) struct node *fail_at (const struct parser *parser,
                                                size_t column, const char *fmt,
                                                ...)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    va_list ap;

    va_start (ap, fmt);
    strbuf_vaddf (&text, fmt, ap);
    va_end (ap);
    error_set (parser->err, "column %zu: %s", column, text.buf);
    return NULL;
}

/* --- tokens --- */

static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
                              "ABCDEFGHIJKLMNOPQRSTUVWXYZ_";
static const char digits[] = "0123456789";

static size_t word_length (const char *p)
{
    size_t len = 0;

    while (*p
           && (strchr (letters, *p) || strchr (digits, *p)
               || (*p == '.' && p[1] && strchr (letters, p[1])))) {
        len++;
        p++;
    }
    return len;
}

static size_t number_length (const char *p)
{
    size_t len = strspn (p, digits), exponent;

    if (p[len] == '.')
        len += 1 + strspn (p + len + 1, digits);
    if (p[len] != 'e' && p[len] != 'E')
        return len;
    exponent = len + 1;
    exponent += p[exponent] == '+' || p[exponent] == '-';
    if (strspn (p + exponent, digits) > 0)
        len = exponent + strspn (p + exponent, digits);
    return len;
}

/* Measure the token at 'p', which is not the end; NULL, or what is wrong, "" of
 * a character that no token begins with.
 */
static const char *measure (const char *p, struct token *token)
{
    const char *end;

    if (strchr (letters, *p)) {
        token->kind = TOKEN_WORD;
        token->len = word_length (p);
        return NULL;
    }
    if (strchr (digits, *p)) {
        token->kind = TOKEN_NUMBER;
        token->len = number_length (p);
        if (p[token->len] == '\0' || !strchr (letters, p[token->len]))
            return NULL;
        return "not a number; durations are in seconds and sizes in bytes, "
               "without a unit";
    }
    if (*p == '"') {
        token->kind = TOKEN_TEXT;
        end = strchr (p + 1, '"');
        token->len = end ? (size_t)(end - p) + 1 : 0;
        return end ? NULL : "the text is not closed; add a '\"'";
    }
    token->kind = TOKEN_SIGN;
    token->len = strchr ("=!<>", *p) && p[1] == '=' ? 2 : 1;
    if (token->len == 2 || strchr ("<>+-*/(),", *p))
        return NULL;
    return *p == '='    ? "'=' alone; compare with =="
           : *p == '!'  ? "'!' alone; write not"
           : *p == '&'  ? "'&' means nothing; write and"
           : *p == '|'  ? "'|' means nothing; write or"
           : *p == '\'' ? "text is in double quotes; write \"...\""
                        : "";
}

/* Of a character, with all of its bytes, behind parser->token. */
static void complain_of_character (const struct parser *parser,
                                   const struct token *token)
{
    const struct token *before = &parser->token;
    size_t len = 1;

    while ((token->start[len] & 0xc0) == 0x80)
        len++;
    if (*token->start == '%' && before->kind == TOKEN_NUMBER)
        fail_at (parser, token->column,
                 "'%%' means nothing here; write %g for %.*s %%",
                 strtod (before->start, NULL) / 100, (int)before->len,
                 before->start);
    else
        fail_at (parser, token->column, "'%.*s' means nothing here", (int)len,
                 token->start);
}

/* Go to the next token. */
static bool next_token (struct parser *parser)
{
    const char *p = parser->token.start + parser->token.len;
    const char *start = p + strspn (p, " \t\r\n");
    struct token token = { TOKEN_END, start, 0,
                           (size_t)(start - parser->text) + 1 };
    const char *wrong = *start ? measure (start, &token) : NULL;

    if (wrong && *wrong)
        fail_at (parser, token.column, "%s", wrong);
    else if (wrong)
        complain_of_character (parser, &token);
    parser->token = token;
    return !wrong;
}

static bool token_is (const struct token *token, const char *word)
{
    return (token->kind == TOKEN_WORD || token->kind == TOKEN_SIGN)
           && strlen (word) == token->len
           && memcmp (word, token->start, token->len) == 0;
}

/* The operator or function of this level that the token is, or NULL. */
static const struct operation *find_operation (const struct token *token,
                                               enum level level)
{
    const struct operation *operation = expression_operations;

    while (operation->word
           && (operation->level != level || !token_is (token, operation->word)))
        operation++;
    return operation->word ? operation : NULL;
}

/* --- the tree --- */

void expression_destroy (struct expression *expression)
{
    if (!expression)
        return;
    json_unref (expression->literals);
    arena_destroy (expression->arena);
    free (expression);
}

static struct node *make_node (const struct parser *parser,
                               const struct operation *operation,
                               const struct token *token)
{
    struct node *node = arena_alloc (parser->made->arena, sizeof (*node));

    node->operation = operation;
    node->column = token->column;
    node->height = 1;
    node->end = &node->args;
    return node;
}

/* 'node' with 'arg' as its next argument; NULL when that is NULL or the tree
 * became too high.
 */
static struct node *add_arg (const struct parser *parser, struct node *node,
                             struct node *arg)
{
    if (!arg)
        return NULL;
    *node->end = arg;
    node->end = &arg->next;
    node->n_args++;
    if (arg->height >= node->height)
        node->height = arg->height + 1;
    if (node->height <= NESTING_MAX)
        return node;
    return fail_at (parser, node->column, "nested deeper than %d", NESTING_MAX);
}

/* --- grammar --- */

static struct node *parse_level (struct parser *parser, enum level level);

/* What stands behind the token, one level of nesting further down. */
static struct node *parse_inner (struct parser *parser, enum level level)
{
    struct node *inner = NULL;

    if (++parser->nesting > NESTING_MAX)
        fail_at (parser, parser->token.column, "nested deeper than %d",
                 NESTING_MAX);
    else if (next_token (parser))
        inner = parse_level (parser, level);
    parser->nesting--;
    return inner;
}

static bool expect_sign (struct parser *parser, const char *sign)
{
    const struct token *token = &parser->token;

    if (token_is (token, sign))
        return next_token (parser);
    if (token->kind == TOKEN_END)
        fail_at (parser, token->column, "expected '%s'", sign);
    else
        fail_at (parser, token->column, "expected '%s', got '%.*s'", sign,
                 (int)token->len, token->start);
    return false;
}

static struct node *unknown_function (const struct parser *parser,
                                      const struct token *name)
{
    _cleanup_ (strvec_release) struct strvec known = STRVEC_INIT;
    _cleanup_ (strbuf_release) struct strbuf list = STRBUF_INIT;
    _cleanup_free_ char *word = xstrndup (name->start, name->len);
    const char *near;

    for (size_t i = 0; expression_operations[i].word; i++) {
        if (expression_operations[i].level != LEVEL_CALL)
            continue;
        strbuf_addf (&list, "%s%s", known.n > 0 ? ", " : "",
                     expression_operations[i].word);
        strvec_push (&known, expression_operations[i].word);
    }
    near = nearest_word (word, &known);
    fail_at (parser, name->column, "unknown function '%s'; %s%s%s", word,
             near ? "did you mean '" : "there are ", near ? near : list.buf,
             near ? "'?" : "");
    return NULL;
}

/* 'name' was a word and the token is the '(' behind it. */
static struct node *parse_call (struct parser *parser, const struct token *name)
{
    const struct operation *function = find_operation (name, LEVEL_CALL);
    struct node *call;

    if (!function)
        return unknown_function (parser, name);
    call = make_node (parser, function, name);
    if (++parser->nesting > NESTING_MAX)
        return fail_at (parser, parser->token.column, "nested deeper than %d",
                        NESTING_MAX);
    if (!next_token (parser))
        return NULL;
    while (!token_is (&parser->token, ")")) {
        if (call->n_args > 0 && !expect_sign (parser, ","))
            return NULL;
        if (!add_arg (parser, call, parse_level (parser, LEVEL_OR)))
            return NULL;
    }
    parser->nesting--;
    if (!next_token (parser))
        return NULL;
    if (call->n_args >= function->least && call->n_args <= function->most)
        return call;
    return fail_at (parser, call->column, "%s takes %s, got %zu",
                    function->word,
                    function->most == 1   ? "one argument"
                    : function->most == 2 ? "two arguments"
                                          : "a list or several arguments",
                    call->n_args);
}

/* The number, or NULL when no double is that large. */
static struct json *number_value (const char *text)
{
    long long n;
    double real;

    errno = 0;
    n = strtoll (text, NULL, 10);
    if (!strpbrk (text, ".eE") && errno == 0 && json_int_fits (n))
        return json_int (n);
    real = strtod (text, NULL);
    return isfinite (real) ? json_real (real) : NULL;
}

/* true, false, null, a number or a text; else NULL. */
static struct json *literal_value (const struct token *token, const char *text)
{
    if (token->kind == TOKEN_NUMBER)
        return number_value (text);
    if (token->kind == TOKEN_TEXT)
        return json_string (text);
    if (token_is (token, "true") || token_is (token, "false"))
        return json_bool (token_is (token, "true"));
    return token_is (token, "null") ? json_null () : NULL;
}

/* A literal, a name or a call. */
static struct node *parse_value (struct parser *parser)
{
    struct token token = parser->token;
    struct node *node = make_node (parser, NULL, &token);
    size_t quote = token.kind == TOKEN_TEXT;

    node->name = arena_strndup (parser->made->arena, token.start + quote,
                                token.len - 2 * quote);
    node->literal = literal_value (&token, node->name);
    if (node->literal)
        json_push (parser->made->literals, node->literal);
    else if (token.kind == TOKEN_NUMBER)
        return fail_at (parser, token.column, "the number is too large");
    if (!next_token (parser))
        return NULL;
    if (!node->literal && token_is (&parser->token, "("))
        return parse_call (parser, &token);
    return node;
}

static struct node *parse_unary (struct parser *parser)
{
    const struct token *token = &parser->token;
    const struct operation *minus = find_operation (token, LEVEL_UNARY);
    struct node *inner;

    if (minus) {
        struct node *node = make_node (parser, minus, token);

        return add_arg (parser, node, parse_inner (parser, LEVEL_UNARY));
    }
    if (token_is (token, "(")) {
        inner = parse_inner (parser, LEVEL_OR);
        return inner && expect_sign (parser, ")") ? inner : NULL;
    }
    if (token_is (token, "or") || token_is (token, "and")
        || token_is (token, "not"))
        return fail_at (parser, token->column,
                        "'%.*s' where a value is expected; put what belongs "
                        "together in parentheses",
                        (int)token->len, token->start);
    if (token->kind == TOKEN_SIGN)
        return fail_at (parser, token->column,
                        "an operator where a value is expected");
    if (token->kind == TOKEN_END)
        return fail_at (parser, token->column, "a value is missing at the end");
    return parse_value (parser);
}

static struct node *parse_level (struct parser *parser, enum level level)
{
    const struct operation *operation;
    struct node *left, *node;

    if (level == LEVEL_UNARY)
        return parse_unary (parser);
    operation = find_operation (&parser->token, level);
    if (level == LEVEL_NOT && operation) {
        node = make_node (parser, operation, &parser->token);
        return add_arg (parser, node, parse_inner (parser, LEVEL_NOT));
    }
    left = parse_level (parser, level + 1);
    while (left && level != LEVEL_NOT
           && (operation = find_operation (&parser->token, level))) {
        node = make_node (parser, operation, &parser->token);
        if (!add_arg (parser, node, left) || !next_token (parser)
            || !add_arg (parser, node, parse_level (parser, level + 1)))
            return NULL;
        if (level == LEVEL_COMPARE && find_operation (&parser->token, level))
            return fail_at (parser, parser->token.column,
                            "comparisons do not chain; write a < b and b < c");
        left = node;
    }
    return left;
}

/* 'text' as a tree of 'made'; NULL with 'err'. */
static struct node *parse_text (struct expression *made, const char *text,
                                struct error *err)
{
    struct parser parser = {
        .made = made, .text = text, .token.start = text, .err = err
    };
    const struct token *token = &parser.token;
    struct node *root =
        next_token (&parser) ? parse_level (&parser, LEVEL_OR) : NULL;

    if (!root || token->kind == TOKEN_END)
        return root;
    return fail_at (&parser, token->column,
                    "'%.*s' after the end of the expression", (int)token->len,
                    token->start);
}

struct expression *expression_parse (const char *text, struct error *err)
{
    struct expression *made = xcalloc (1, sizeof (*made));

    made->arena = arena_create ();
    made->literals = json_array ();
    made->root = parse_text (made, text, err);
    if (made->root)
        return made;
    expression_destroy (made);
    return NULL;
}

/* --- names --- */

static bool is_name (const struct node *node)
{
    return !node->literal && !node->operation;
}

static int visit_names (const struct node *node, expression_visit *each,
                        void *arg, struct error *err)
{
    if (is_name (node))
        return each (node->name, arg, err);
    for (node = node->args; node; node = node->next) {
        if (visit_names (node, each, arg, err) < 0)
            return -1;
    }
    return 0;
}

int expression_names (const struct expression *expression,
                      expression_visit *each, void *arg, struct error *err)
{
    return visit_names (expression->root, each, arg, err);
}

static void set_column (struct node *node, size_t column)
{
    node->column = column;
    for (node = node->args; node; node = node->next)
        set_column (node, column);
}

static int replace_names (struct expression *expression, struct node *node,
                          const char *(*text_of) (const char *name, void *arg),
                          void *arg, struct error *err)
{
    const char *text = is_name (node) ? text_of (node->name, arg) : NULL;
    struct node *next = node->next, *other;

    if (text) {
        if (!(other = parse_text (expression, text, err)))
            return -1;
        set_column (other, node->column);
        *node = *other;
        node->next = next;
        return 0;
    }
    for (node = node->args; node; node = node->next) {
        if (replace_names (expression, node, text_of, arg, err) < 0)
            return -1;
    }
    return 0;
}

int expression_replace (struct expression *expression,
                        const char *(*text_of) (const char *name, void *arg),
                        void *arg, struct error *err)
{
    return replace_names (expression, expression->root, text_of, arg, err);
}
