/* SPDX-License-Identifier: BSD-3-Clause */
/* expression_types.c - expressions that no value of these types could satisfy
 *
 * What is known of a node is a struct type, as of a port; TYPE_NONE: it may be
 * anything.  The rules are those of expression_eval.c.
 */
#include "base/base.h"

#include "base/json.h"
#include "signature/expression.h"
#include "signature/expression_tree.h"
#include "signature/type.h"

struct checker {
    struct type (*type_of) (const char *name, void *arg);
    void *arg;
    struct error *err;
};

/* What operations tell apart. */
enum sort {
    SORT_UNKNOWN,
    SORT_NUMBER,
    SORT_BOOL,
    SORT_TEXT,
    SORT_LIST,
    SORT_MAP,
    SORT_FILE,
};

static const char *const sort_names[] = {
    "anything", "a number", "true or false", "text", "a list", "a map", "a file"
};

static enum sort sort_of (const struct type *type)
{
    if (type->depth > 0)
        return SORT_LIST;
    if (type_is_artifact (type))
        return SORT_FILE;
    switch (type->kind) {
    case TYPE_INT:
    case TYPE_FLOAT:
    case TYPE_DURATION:
    case TYPE_BYTES:
        return SORT_NUMBER;
    case TYPE_BOOL:
        return SORT_BOOL;
    case TYPE_STRING:
        return SORT_TEXT;
    case TYPE_LIST:
        return SORT_LIST;
    case TYPE_MAP:
        return SORT_MAP;
    default:
        return SORT_UNKNOWN;
    }
}

static const struct type unknown = { .kind = TYPE_NONE };
static const struct type number = { .kind = TYPE_FLOAT };
static const struct type truth = { .kind = TYPE_BOOL };

static struct type literal_type (const struct json *v)
{
    struct type type = unknown;

    switch (json_kind (v)) {
    case JSON_KIND_INT:
    case JSON_KIND_REAL:
        return number;
    case JSON_KIND_BOOL:
        return truth;
    case JSON_KIND_STRING:
        type.kind = TYPE_STRING;
        break;
    default:
        break;
    }
    return type;
}

/* --- what is said --- */

/* What 'node' is called: its name, or 'otherwise'. */
static const char *word_of (const struct node *node, const char *otherwise)
{
    return node->literal || node->operation ? otherwise : node->name;
}

/* What the user may write for 'node', of the class 'got'. */
static void add_remedy (const struct node *node, enum sort got,
                        enum sort wanted, struct strbuf *text)
{
    const char *name = word_of (node, "it");

    if (got == SORT_LIST && wanted == SORT_BOOL)
        strbuf_addf (text, "; write, for instance, max(%s) < NUMBER", name);
    else if (got == SORT_LIST)
        strbuf_addf (text, "; write max(%s), min(%s) or mean(%s)", name, name,
                     name);
    else if (got == SORT_NUMBER && wanted == SORT_BOOL)
        strbuf_addf (text, "; compare it: %s > NUMBER", word_of (node, "..."));
    else if (got == SORT_TEXT)
        strbuf_addf (text, "; compare %s with another text, by ==", name);
    else if (got == SORT_BOOL)
        strbuf_addf (text,
                     "; write %s without the comparison or arithmetic, "
                     "or not %s",
                     name, name);
    else
        strbuf_add_str (text, "; name an output that is a number, or true or "
                              "false");
}

static int refuse (const struct checker *c, const struct node *node,
                   enum sort got, enum sort wanted)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    strbuf_addf (&text, "%s is %s, and %s must stand here",
                 word_of (node, "this"), sort_names[got], sort_names[wanted]);
    add_remedy (node, got, wanted, &text);
    error_set (c->err, "column %zu: %s", node->column, text.buf);
    return -1;
}

/* --- operations --- */

static int check (const struct checker *c, const struct node *node,
                  struct type *type);

/* Of the wanted sort, or not known. */
static int want (const struct checker *c, const struct node *node,
                 enum sort wanted, struct type *type)
{
    enum sort got;

    if (check (c, node, type) < 0)
        return -1;
    got = sort_of (type);
    return got == SORT_UNKNOWN || got == wanted ? 0
                                                : refuse (c, node, got, wanted);
}

static int want_all (const struct checker *c, const struct node *node,
                     enum sort wanted)
{
    struct type type;

    for (node = node->args; node; node = node->next) {
        if (want (c, node, wanted, &type) < 0)
            return -1;
    }
    return 0;
}

static bool is_null (const struct node *node)
{
    return node->literal && json_is_null (node->literal);
}

static bool is_above_one (const struct node *node)
{
    return node->literal && json_as_double (node->literal) > 1;
}

/* "accurate > 1" is never true. */
static int check_bound (const struct checker *c, const struct node *fraction,
                        const struct node *other, const char *word, double v)
{
    static const char *const mirrored[][2] = {
        { "<", ">" }, { "<=", ">=" }, { ">", "<" }, { ">=", "<=" }
    };

    for (size_t i = 0; other->next == fraction && i < ARRAY_SIZE (mirrored);
         i++) {
        if (strcmp (word, mirrored[i][0]) == 0) {
            word = mirrored[i][1];
            break;
        }
    }
    if (strcmp (word, v == 1 ? ">" : "<") != 0)
        return 0;
    return error_set (c->err,
                      "column %zu: %s is from 0 to 1, so %s %g is never true; "
                      "write another number",
                      other->column, word_of (fraction, "this"), word, v);
}

/* A fraction is never above 1 or below 0: such a number is meant in per cent.
 */
static int check_fraction (const struct checker *c, const struct node *fraction,
                           const struct type *type, const struct node *other,
                           const char *word)
{
    double v = other->literal ? json_as_double (other->literal) : 0;

    if (type->is_fraction && other->literal && (v == 0 || v == 1))
        return check_bound (c, fraction, other, word, v);
    if (!type->is_fraction || !other->literal || (v >= 0 && v <= 1))
        return 0;
    if (v > 1 && v <= 100)
        return error_set (c->err,
                          "column %zu: %s is a fraction, from 0 to 1, and %s "
                          "%g says nothing of it; write %g for %g %%",
                          other->column, word_of (fraction, "this"), word, v,
                          v / 100, v);
    return error_set (c->err,
                      "column %zu: %s is a fraction, from 0 to 1, and %s %g "
                      "says nothing of it; write a number from 0 to 1",
                      other->column, word_of (fraction, "this"), word, v);
}

static int check_sides (const struct checker *c, const struct node *node,
                        const struct type *a, const struct type *b)
{
    const struct node *left = node->args, *right = left->next;
    enum sort of_a = sort_of (a), of_b = sort_of (b);
    bool equality = strcmp (node->operation->word, "==") == 0
                    || strcmp (node->operation->word, "!=") == 0;
    /* the side to speak of: no literal, no number */
    bool blame_right =
        left->literal || (of_a == SORT_NUMBER && !right->literal);

    if (of_a == SORT_UNKNOWN || of_b == SORT_UNKNOWN)
        return 0;
    if (of_a != of_b)
        return blame_right ? refuse (c, right, of_b, of_a)
                           : refuse (c, left, of_a, of_b);
    if (of_a != SORT_NUMBER && of_a != SORT_TEXT && !equality)
        return refuse (c, left, of_a, SORT_NUMBER);
    if (check_fraction (c, left, a, right, node->operation->word) < 0)
        return -1;
    return check_fraction (c, right, b, left, node->operation->word);
}

static int check_comparison (const struct checker *c, const struct node *node)
{
    const struct node *left = node->args, *right = left->next;
    const struct node *other = is_null (left) ? right : left;
    struct type a, b;

    if (check (c, left, &a) < 0 || check (c, right, &b) < 0)
        return -1;
    if (is_null (left) || is_null (right))
        return error_set (c->err,
                          "column %zu: a comparison with null is never true; "
                          "write default(%s, VALUE) for a value in its place",
                          node->column, word_of (other, "..."));
    return check_sides (c, node, &a, &b);
}

/* 'type' becomes that of one of the numbers. */
static int check_fold (const struct checker *c, const struct node *node,
                       struct type *type)
{
    bool counts = strcmp (node->operation->word, "count") == 0;
    const struct node *arg = node->args;
    enum sort got;

    *type = number;
    if (node->n_args > 1)
        return counts ? 0 : want_all (c, node, SORT_NUMBER);
    if (check (c, arg, type) < 0)
        return -1;
    got = sort_of (type);
    if (got == SORT_LIST && type->depth > 0)
        type->depth--;
    else if (got == SORT_LIST)
        *type = unknown;
    else if (counts && (got == SORT_MAP || got == SORT_FILE))
        return refuse (c, arg, got, SORT_LIST);
    if (!counts && sort_of (type) != SORT_UNKNOWN
        && sort_of (type) != SORT_NUMBER)
        return error_set (
            c->err,
            "column %zu: %s() is of numbers, and %s is %s; name "
            "an output of numbers",
            node->column, node->operation->word, word_of (arg, "this"),
            got == SORT_LIST ? "a list of others" : sort_names[got]);
    if (counts || strcmp (node->operation->word, "sum") == 0)
        *type = number;
    return 0;
}

static int check_default (const struct checker *c, const struct node *node,
                          struct type *type)
{
    struct type other;

    if (check (c, node->args, type) < 0
        || check (c, node->args->next, &other) < 0)
        return -1;
    if (sort_of (type) != sort_of (&other))
        *type = unknown;
    type->is_fraction = type->is_fraction && !is_above_one (node->args->next);
    return 0;
}

static int check_call (const struct checker *c, const struct node *node,
                       struct type *type)
{
    if (strcmp (node->operation->word, "default") == 0)
        return check_default (c, node, type);
    if (strcmp (node->operation->word, "abs") != 0)
        return check_fold (c, node, type);
    *type = number;
    return want_all (c, node, SORT_NUMBER);
}

/* Not written where that fails. */
static int check (const struct checker *c, const struct node *node,
                  struct type *type)
{
    if (!node->operation) {
        *type = node->literal ? literal_type (node->literal)
                              : c->type_of (node->name, c->arg);
        return 0;
    }
    switch (node->operation->level) {
    case LEVEL_OR:
    case LEVEL_AND:
    case LEVEL_NOT:
        *type = truth;
        return want_all (c, node, SORT_BOOL);
    case LEVEL_COMPARE:
        *type = truth;
        return check_comparison (c, node);
    case LEVEL_SUM:
    case LEVEL_PRODUCT:
    case LEVEL_UNARY:
        *type = number;
        return want_all (c, node, SORT_NUMBER);
    case LEVEL_CALL:
        return check_call (c, node, type);
    }
    return 0;
}

int expression_check_types (const struct expression *expression,
                            struct type (*type_of) (const char *name,
                                                    void *arg),
                            void *arg, bool is_condition, struct error *err)
{
    struct checker c = { type_of, arg, err };
    struct type type;

    return is_condition ? want (&c, expression->root, SORT_BOOL, &type)
                        : check (&c, expression->root, &type);
}
