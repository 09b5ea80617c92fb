/* SPDX-License-Identifier: BSD-3-Clause */
/* expression_eval.c - tree -> value
 *
 * The recursion is as deep as the tree, which the parser limits.
 */
#include "config.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "signature/expression.h"
#include "signature/expression_tree.h"

struct scope {
    struct json *(*lookup) (const char *name, void *arg);
    void *arg;
    struct error *err;
};

static bool is_number (const struct json *v)
{
    return json_kind (v) == JSON_KIND_INT || json_kind (v) == JSON_KIND_REAL;
}

static int wrong_kind (const struct scope *scope,
                       const struct expression *e,
                       const char *wanted,
                       const struct json *got)
{
    return error_set (scope->err, "column %zu: expected %s, got %s", e->column,
                      wanted, json_kind_name (got));
}

/* What is not finite says nothing. */
static struct json *real_or_null (double v)
{
    return isfinite (v) ? json_real (v) : json_null ();
}

/* --- and, or, not --- */

/* 1, 0, or -1 with 'err'; takes the reference of 'v'. */
static int truth (const struct scope *scope,
                  const struct expression *e,
                  struct json *v)
{
    int answer = -1;

    if (json_is_null (v))
        answer = 0;
    else if (json_kind (v) == JSON_KIND_BOOL)
        answer = json_as_bool (v) ? 1 : 0;
    else
        wrong_kind (scope, e, "true or false", v);
    json_unref (v);
    return answer;
}

static struct json *eval (const struct scope *scope,
                          const struct expression *e);

static int eval_truth (const struct scope *scope, const struct expression *e)
{
    struct json *v = eval (scope, e);

    return v ? truth (scope, e, v) : -1;
}

static struct json *eval_logic (const struct scope *scope,
                                const struct expression *e)
{
    int answer = eval_truth (scope, e->args[0]);

    if (answer < 0)
        return NULL;
    if (e->kind == EXPRESSION_NOT)
        return json_bool (!answer);
    if (answer == (e->kind == EXPRESSION_AND ? 1 : 0)) {
        answer = eval_truth (scope, e->args[1]);
        if (answer < 0)
            return NULL;
    }
    return json_bool (answer);
}

/* --- comparisons --- */

/* -1, 0 or 1. */
static int compare_numbers (const struct json *a, const struct json *b)
{
    if (json_kind (a) == JSON_KIND_INT && json_kind (b) == JSON_KIND_INT)
        return (json_as_int (a) > json_as_int (b))
               - (json_as_int (a) < json_as_int (b));
    return (json_as_double (a) > json_as_double (b))
           - (json_as_double (a) < json_as_double (b));
}

static bool holds (enum expression_kind kind, int order)
{
    switch (kind) {
    case EXPRESSION_EQUAL:
        return order == 0;
    case EXPRESSION_UNEQUAL:
        return order != 0;
    case EXPRESSION_LESS:
        return order < 0;
    case EXPRESSION_LESS_EQUAL:
        return order <= 0;
    case EXPRESSION_GREATER:
        return order > 0;
    default:
        return order >= 0;
    }
}

static struct json *compare (const struct scope *scope,
                             const struct expression *e,
                             const struct json *a,
                             const struct json *b)
{
    bool ordered = e->kind != EXPRESSION_EQUAL && e->kind != EXPRESSION_UNEQUAL;

    if (is_number (a) && is_number (b))
        return json_bool (holds (e->kind, compare_numbers (a, b)));
    if (json_kind (a) != json_kind (b)) {
        error_set (scope->err, "column %zu: cannot compare %s with %s",
                   e->column, json_kind_name (a), json_kind_name (b));
        return NULL;
    }
    if (json_kind (a) == JSON_KIND_STRING)
        return json_bool (
            holds (e->kind, strcmp (json_as_string (a), json_as_string (b))));
    if (ordered) {
        error_set (scope->err, "column %zu: %s has no order", e->column,
                   json_kind_name (a));
        return NULL;
    }
    return json_bool (holds (e->kind, json_equal (a, b) ? 0 : 1));
}

/* --- arithmetic --- */

/* False: the result is no integer that a value can be, but a real. */
static bool int_arithmetic (enum expression_kind kind,
                            int64_t a,
                            int64_t b,
                            int64_t *result)
{
    switch (kind) {
    case EXPRESSION_ADD:
        return !__builtin_add_overflow (a, b, result)
               && json_int_fits (*result);
    case EXPRESSION_SUBTRACT:
        return !__builtin_sub_overflow (a, b, result)
               && json_int_fits (*result);
    case EXPRESSION_MULTIPLY:
        return !__builtin_mul_overflow (a, b, result)
               && json_int_fits (*result);
    default:
        return false;
    }
}

static double real_arithmetic (enum expression_kind kind, double a, double b)
{
    switch (kind) {
    case EXPRESSION_ADD:
        return a + b;
    case EXPRESSION_SUBTRACT:
        return a - b;
    case EXPRESSION_MULTIPLY:
        return a * b;
    default:
        return b == 0 ? NAN : a / b;
    }
}

/* Both are numbers. */
static struct json *arithmetic (enum expression_kind kind,
                                const struct json *a,
                                const struct json *b)
{
    int64_t result;

    if (json_kind (a) == JSON_KIND_INT && json_kind (b) == JSON_KIND_INT
        && int_arithmetic (kind, json_as_int (a), json_as_int (b), &result))
        return json_int (result);
    return real_or_null (
        real_arithmetic (kind, json_as_double (a), json_as_double (b)));
}

/* A comparison or arithmetic between 'a' and 'b'. */
static struct json *combine (const struct scope *scope,
                             const struct expression *e,
                             const struct json *a,
                             const struct json *b)
{
    if (json_is_null (a) || json_is_null (b))
        return json_null ();
    if (e->kind < EXPRESSION_ADD)
        return compare (scope, e, a, b);
    if (is_number (a) && is_number (b))
        return arithmetic (e->kind, a, b);
    wrong_kind (scope, e, "numbers on both sides", is_number (a) ? b : a);
    return NULL;
}

static struct json *eval_binary (const struct scope *scope,
                                 const struct expression *e)
{
    struct json *a = eval (scope, e->args[0]);
    struct json *b = a ? eval (scope, e->args[1]) : NULL;
    struct json *result = b ? combine (scope, e, a, b) : NULL;

    json_unref (a);
    json_unref (b);
    return result;
}

/* `-x` and abs(x). */
static struct json *eval_magnitude (const struct scope *scope,
                                    const struct expression *e)
{
    struct json *v = eval (scope, e->args[0]);
    struct json *zero = json_int (0), *result = NULL;

    if (!v || json_is_null (v))
        result = json_ref (v);
    else if (!is_number (v))
        wrong_kind (scope, e, "a number", v);
    else if (e->kind == EXPRESSION_ABS && json_as_double (v) >= 0)
        result = json_ref (v);
    else
        result = arithmetic (EXPRESSION_SUBTRACT, zero, v);
    json_unref (zero);
    json_unref (v);
    return result;
}

/* --- functions of lists --- */

/* The arguments as one list: the only argument when that is a list. */
static struct json *eval_list (const struct scope *scope,
                               const struct expression *e)
{
    struct json *list = json_array ();

    for (size_t i = 0; i < e->n_args; i++) {
        struct json *v = eval (scope, e->args[i]);

        if (!v) {
            json_unref (list);
            return NULL;
        }
        if (e->n_args == 1
            && (json_kind (v) == JSON_KIND_ARRAY || json_is_null (v))) {
            json_unref (list);
            return v;
        }
        json_push (list, v);
    }
    return list;
}

/* All there is to say of a list of numbers; elements are borrowed. */
struct histogram {
    int64_t n;
    struct json *least;
    struct json *greatest;
    bool exact; /* int_sum holds the sum */
    int64_t int_sum;
    double real_sum;
};

static void histogram_number (struct histogram *histogram, struct json *v)
{
    if (!histogram->least || compare_numbers (v, histogram->least) < 0)
        histogram->least = v;
    if (!histogram->greatest || compare_numbers (v, histogram->greatest) > 0)
        histogram->greatest = v;
    histogram->real_sum += json_as_double (v);
    histogram->exact =
        histogram->exact && json_kind (v) == JSON_KIND_INT
        && !__builtin_add_overflow (histogram->int_sum, json_as_int (v),
                                    &histogram->int_sum);
}

static int histogram_list (const struct scope *scope,
                           const struct expression *e,
                           const struct json *list,
                           struct histogram *histogram)
{
    *histogram = (struct histogram){ .exact = true };
    for (size_t i = 0; i < json_count (list); i++) {
        struct json *v = json_at (list, i);

        if (json_is_null (v))
            continue;
        histogram->n++;
        if (is_number (v))
            histogram_number (histogram, v);
        else if (e->kind != EXPRESSION_COUNT)
            return wrong_kind (scope, e, "a list of numbers", v);
    }
    return 0;
}

/* The least, greatest and mean of nothing are null; its sum is 0. */
static struct json *histogram_result (enum expression_kind kind,
                                      const struct histogram *histogram)
{
    switch (kind) {
    case EXPRESSION_COUNT:
        return json_int (histogram->n);
    case EXPRESSION_SUM:
        return histogram->exact && json_int_fits (histogram->int_sum)
                   ? json_int (histogram->int_sum)
                   : real_or_null (histogram->real_sum);
    case EXPRESSION_MEAN:
        return real_or_null (histogram->real_sum / (double)histogram->n);
    default: {
        struct json *v =
            kind == EXPRESSION_MIN ? histogram->least : histogram->greatest;

        return v ? json_ref (v) : json_null ();
    }
    }
}

static struct json *eval_fold (const struct scope *scope,
                               const struct expression *e)
{
    struct json *list = eval_list (scope, e), *result = NULL;
    struct histogram histogram;

    if (!list)
        return NULL;
    if (json_is_null (list))
        result = json_null ();
    else if (histogram_list (scope, e, list, &histogram) == 0)
        result = histogram_result (e->kind, &histogram);
    json_unref (list);
    return result;
}

static struct json *eval_default (const struct scope *scope,
                                  const struct expression *e)
{
    struct json *v = eval (scope, e->args[0]);

    if (!v || !json_is_null (v))
        return v;
    json_unref (v);
    return eval (scope, e->args[1]);
}

/* A new reference, or NULL with scope->err. */
static struct json *eval (const struct scope *scope, const struct expression *e)
{
    struct json *v;

    switch (e->kind) {
    case EXPRESSION_LITERAL:
        return json_ref (e->literal);
    case EXPRESSION_NAME:
        v = scope->lookup (e->name, scope->arg);
        return v ? v : json_null ();
    case EXPRESSION_OR:
    case EXPRESSION_AND:
    case EXPRESSION_NOT:
        return eval_logic (scope, e);
    case EXPRESSION_NEGATE:
    case EXPRESSION_ABS:
        return eval_magnitude (scope, e);
    case EXPRESSION_MIN:
    case EXPRESSION_MAX:
    case EXPRESSION_MEAN:
    case EXPRESSION_SUM:
    case EXPRESSION_COUNT:
        return eval_fold (scope, e);
    case EXPRESSION_DEFAULT:
        return eval_default (scope, e);
    default:
        return eval_binary (scope, e);
    }
}

int expression_eval (const struct expression *expression,
                     struct json *(*lookup) (const char *name, void *arg),
                     void *arg,
                     struct json **result,
                     struct error *err)
{
    struct scope scope = { .lookup = lookup, .arg = arg, .err = err };
    struct json *v = eval (&scope, expression);

    if (!v)
        return -1;
    *result = v;
    return 0;
}
