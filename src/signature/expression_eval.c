/* SPDX-License-Identifier: BSD-3-Clause */
/* expression_eval.c - what operators and functions do
 *
 * The recursion is as deep as the tree, which the parser limits.
 */
#include "base/base.h"

#include "base/json.h"
#include "signature/expression.h"
#include "signature/expression_tree.h"

struct scope {
    struct json *(*lookup) (const char *name, void *arg);
    void *arg;
    struct error *err;
};

static struct json *wrong_kind (const struct scope *scope,
                                const struct node *node, const char *wanted,
                                const struct json *got)
{
    error_set (scope->err, "column %zu: expected %s, got %s", node->column,
               wanted, json_kind_name (got));
    return NULL;
}

/* What is not finite says nothing. */
static struct json *real_or_null (double v)
{
    return isfinite (v) ? json_real (v) : json_null ();
}

/* The integer, or what it is otherwise where no value can be that. */
static struct json *int_or_real (__int128 exact, double real)
{
    if (exact >= -JSON_INT_MAX && exact <= JSON_INT_MAX)
        return json_int ((int64_t)exact);
    return real_or_null (real);
}

static struct json *eval (const struct scope *scope, const struct node *node)
{
    struct json *v;

    if (node->literal)
        return json_ref (node->literal);
    if (node->operation)
        return node->operation->eval (scope, node);
    v = scope->lookup (node->name, scope->arg);
    return v ? v : json_null ();
}

/* --- and, or, not, default: what need not be looked at is not --- */

/* 1, 0, or -1 with 'err'. */
static int eval_truth (const struct scope *scope, const struct node *node)
{
    _cleanup_json_ struct json *v = eval (scope, node);
    int answer = v ? json_as_bool (v) : -1;

    if (v && !json_is_null (v) && json_kind (v) != JSON_KIND_BOOL) {
        wrong_kind (scope, node, "true or false", v);
        answer = -1;
    }
    return answer;
}

static struct json *eval_not (const struct scope *scope,
                              const struct node *node)
{
    int answer = eval_truth (scope, node->args);

    return answer < 0 ? NULL : json_bool (!answer);
}

/* 'detail': the answer of the first that leaves the second to be asked. */
static struct json *eval_logic (const struct scope *scope,
                                const struct node *node)
{
    int answer = eval_truth (scope, node->args);

    if (answer == node->operation->detail)
        answer = eval_truth (scope, node->args->next);
    return answer < 0 ? NULL : json_bool (answer);
}

static struct json *eval_default (const struct scope *scope,
                                  const struct node *node)
{
    struct json *v = eval (scope, node->args);

    if (!v || !json_is_null (v))
        return v;
    json_unref (v);
    return eval (scope, node->args->next);
}

/* --- comparisons --- */

/* Of which orders of left and right a comparison is true. */
enum { IS_LESS = 1, IS_EQUAL = 2, IS_GREATER = 4 };

static int compare_numbers (const struct json *a, const struct json *b)
{
    if (json_kind (a) == JSON_KIND_INT && json_kind (b) == JSON_KIND_INT)
        return (json_as_int (a) > json_as_int (b))
               - (json_as_int (a) < json_as_int (b));
    return (json_as_double (a) > json_as_double (b))
           - (json_as_double (a) < json_as_double (b));
}

static struct json *compare (const struct scope *scope, const struct node *node,
                             const struct json *a, const struct json *b)
{
    int detail = node->operation->detail, order;

    if (json_is_number (a) && json_is_number (b)) {
        order = compare_numbers (a, b);
    } else if (json_kind (a) != json_kind (b)) {
        error_set (scope->err, "column %zu: cannot compare %s with %s",
                   node->column, json_kind_name (a), json_kind_name (b));
        return NULL;
    } else if (json_kind (a) == JSON_KIND_STRING) {
        order = strcmp (json_as_string (a), json_as_string (b));
    } else if (detail == IS_EQUAL || detail == (IS_LESS | IS_GREATER)) {
        order = json_equal (a, b) ? 0 : 1;
    } else {
        error_set (scope->err, "column %zu: %s has no order", node->column,
                   json_kind_name (a));
        return NULL;
    }
    return json_bool (detail
                      & (order < 0   ? IS_LESS
                         : order > 0 ? IS_GREATER
                                     : IS_EQUAL));
}

/* --- arithmetic --- */

static struct json *arithmetic (int sign, const struct json *a,
                                const struct json *b)
{
    double x = json_as_double (a), y = json_as_double (b);
    double real = sign == '+'   ? x + y
                  : sign == '-' ? x - y
                  : sign == '*' ? x * y
                  : y == 0      ? NAN
                                : x / y;
    __int128 m = json_as_int (a), n = json_as_int (b);

    if (sign == '/' || json_kind (a) != JSON_KIND_INT
        || json_kind (b) != JSON_KIND_INT)
        return real_or_null (real);
    return int_or_real (sign == '+'   ? m + n
                        : sign == '-' ? m - n
                                      : m * n,
                        real);
}

/* A comparison or arithmetic between two values. */
static struct json *eval_binary (const struct scope *scope,
                                 const struct node *node)
{
    _cleanup_json_ struct json *a = eval (scope, node->args);
    _cleanup_json_ struct json *b = a ? eval (scope, node->args->next) : NULL;
    struct json *result = NULL;

    if (b && (json_is_null (a) || json_is_null (b)))
        result = json_null ();
    else if (b && node->operation->level == LEVEL_COMPARE)
        result = compare (scope, node, a, b);
    else if (b && json_is_number (a) && json_is_number (b))
        result = arithmetic (node->operation->detail, a, b);
    else if (b)
        wrong_kind (scope, node, "numbers on both sides",
                    json_is_number (a) ? b : a);
    return result;
}

/* `-x`, and abs(x) with the 'detail' 1. */
static struct json *eval_magnitude (const struct scope *scope,
                                    const struct node *node)
{
    _cleanup_json_ struct json *v = eval (scope, node->args);
    _cleanup_json_ struct json *zero = json_int (0);
    struct json *result = NULL;

    if (!v || json_is_null (v)
        || (node->operation->detail && json_is_number (v)
            && json_as_double (v) >= 0))
        result = json_ref (v);
    else if (!json_is_number (v))
        wrong_kind (scope, node, "a number", v);
    else
        result = arithmetic ('-', zero, v);
    return result;
}

/* --- functions of lists --- */

enum fold { FOLD_MIN, FOLD_MAX, FOLD_MEAN, FOLD_SUM, FOLD_COUNT };

/* The arguments as one list: the only argument when that is a list. */
static struct json *eval_list (const struct scope *scope,
                               const struct node *node)
{
    struct json *list = json_array ();

    for (const struct node *arg = node->args; arg; arg = arg->next) {
        struct json *v = eval (scope, arg);

        if (!v
            || (node->n_args == 1
                && (json_kind (v) == JSON_KIND_ARRAY || json_is_null (v)))) {
            json_unref (list);
            return v;
        }
        json_push (list, v);
    }
    return list;
}

/* The least, greatest and mean of nothing are null; its sum is 0. */
static struct json *fold (const struct scope *scope, const struct node *node,
                          const struct json *list)
{
    enum fold what = (enum fold)node->operation->detail;
    struct json *best = NULL; /* borrowed */
    bool integers = true;
    __int128 int_sum = 0;
    double real_sum = 0;
    int64_t n = 0;

    for (size_t i = 0; i < json_count (list); i++) {
        struct json *v = json_at (list, i);

        if (json_is_null (v))
            continue;
        n++;
        if (what == FOLD_COUNT)
            continue;
        if (!json_is_number (v))
            return wrong_kind (scope, node, "a list of numbers", v);
        if (!best
            || (what == FOLD_MAX ? compare_numbers (v, best) > 0
                                 : compare_numbers (v, best) < 0))
            best = v;
        real_sum += json_as_double (v);
        int_sum += json_as_int (v);
        integers = integers && json_kind (v) == JSON_KIND_INT;
    }
    if (what == FOLD_COUNT)
        return json_int (n);
    if (what == FOLD_MEAN)
        return real_or_null (real_sum / (double)n);
    if (what == FOLD_SUM)
        return integers ? int_or_real (int_sum, real_sum)
                        : real_or_null (real_sum);
    return best ? json_ref (best) : json_null ();
}

static struct json *eval_fold (const struct scope *scope,
                               const struct node *node)
{
    _cleanup_json_ struct json *list = eval_list (scope, node);
    struct json *result = NULL;

    if (list)
        result = json_is_null (list) ? json_null () : fold (scope, node, list);
    return result;
}

const struct operation expression_operations[] = {
    { "or", LEVEL_OR, eval_logic, false, 0, 0 },
    { "and", LEVEL_AND, eval_logic, true, 0, 0 },
    { "not", LEVEL_NOT, eval_not, 0, 0, 0 },
    { "==", LEVEL_COMPARE, eval_binary, IS_EQUAL, 0, 0 },
    { "!=", LEVEL_COMPARE, eval_binary, IS_LESS | IS_GREATER, 0, 0 },
    { "<", LEVEL_COMPARE, eval_binary, IS_LESS, 0, 0 },
    { "<=", LEVEL_COMPARE, eval_binary, IS_LESS | IS_EQUAL, 0, 0 },
    { ">", LEVEL_COMPARE, eval_binary, IS_GREATER, 0, 0 },
    { ">=", LEVEL_COMPARE, eval_binary, IS_GREATER | IS_EQUAL, 0, 0 },
    { "+", LEVEL_SUM, eval_binary, '+', 0, 0 },
    { "-", LEVEL_SUM, eval_binary, '-', 0, 0 },
    { "*", LEVEL_PRODUCT, eval_binary, '*', 0, 0 },
    { "/", LEVEL_PRODUCT, eval_binary, '/', 0, 0 },
    { "-", LEVEL_UNARY, eval_magnitude, 0, 0, 0 },
    { "min", LEVEL_CALL, eval_fold, FOLD_MIN, 1, NESTING_MAX },
    { "max", LEVEL_CALL, eval_fold, FOLD_MAX, 1, NESTING_MAX },
    { "mean", LEVEL_CALL, eval_fold, FOLD_MEAN, 1, NESTING_MAX },
    { "sum", LEVEL_CALL, eval_fold, FOLD_SUM, 1, NESTING_MAX },
    { "count", LEVEL_CALL, eval_fold, FOLD_COUNT, 1, NESTING_MAX },
    { "abs", LEVEL_CALL, eval_magnitude, 1, 1, 1 },
    { "default", LEVEL_CALL, eval_default, 0, 2, 2 },
    { 0 },
};

int expression_eval (const struct expression *expression,
                     struct json *(*lookup) (const char *name, void *arg),
                     void *arg, struct json **result, struct error *err)
{
    struct scope scope = { .lookup = lookup, .arg = arg, .err = err };
    struct json *v = eval (&scope, expression->root);

    if (!v)
        return -1;
    *result = v;
    return 0;
}
