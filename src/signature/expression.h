/* SPDX-License-Identifier: BSD-3-Clause */
/* expression.h - the little language of `when:`, `stop:` and `history:`
 *
 *   select.accurate >= 0.9 and select.failed == 0
 *   not (iteration == 0) or mean(train.force_rmse) < 0.2
 *
 * or < and < not < == != < <= > >= < + - < * / < unary - < names, numbers,
 * "text", true, false, null, calls: min max mean sum count (of a list, or of
 * several arguments; nulls are left out), abs, default(x, y) (y when x is
 * null).  A name is dotted words.  Comparisons do not chain.
 *
 * Any comparison or arithmetic with null is null, and so are abs and the list
 * functions of null itself, a quotient by zero, whatever is not finite, and
 * the least, greatest or mean of nothing.  `and`, `or`, `not` give true or
 * false and take null for false.  `/` is never rounded; integers that overflow
 * become reals.
 */
#ifndef SIGNATURE_EXPRESSION_H
#define SIGNATURE_EXPRESSION_H

#include "signature/type.h"

struct expression;

/* NULL with 'err' "column N: what; what to do" for bad text; nesting (and the
 * length of a chain of operators) is limited to 64.
 */
struct expression *expression_parse (const char *text, struct error *err);
void expression_destroy (struct expression *expression); /* NULL is legal */

/* Call 'each' with every name referred to, in the order of the text; its -1
 * stops and is returned.
 */
typedef int expression_visit (const char *name, void *arg, struct error *err);
int expression_names (const struct expression *expression,
                      expression_visit *each, void *arg, struct error *err);

/* Let stand in place of each name for which 'text_of' has one the expression
 * that it returns; errors name the column of the name.
 */
int expression_replace (struct expression *expression,
                        const char *(*text_of) (const char *name, void *arg),
                        void *arg, struct error *err);

/* Evaluate.  'lookup' returns a new reference for a name, NULL for null.
 * *result is a new reference; wrong kinds ("text < 3") are errors, which name
 * the column.
 */
int expression_eval (const struct expression *expression,
                     struct json *(*lookup) (const char *name, void *arg),
                     void *arg, struct json **result, struct error *err);

/* Is there a value for each name, of the type that 'type_of' returns
 * (TYPE_NONE, TYPE_ANY: it is not known), with which the expression can be
 * evaluated?  Where 'is_condition' the result has to be true or false.  -1 with
 * 'err' "column N: what; what to write".  Null, which any output may be, is of
 * every type; to compare with the word is refused.
 */
int expression_check_types (const struct expression *expression,
                            struct type (*type_of) (const char *name,
                                                    void *arg),
                            void *arg, bool is_condition, struct error *err);

#endif /* !SIGNATURE_EXPRESSION_H */
