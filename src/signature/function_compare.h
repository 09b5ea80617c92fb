/* SPDX-License-Identifier: BSD-3-Clause */
/* function_compare.h - an operator, and the Python function that it runs
 *
 * The command of a task, or of a worker, that runs a function is
 *     python3 -m fanfold.run {campaign}/FILE FUNCTION     (or fanfold.serve)
 * and what the function's annotations say is JSON, with the keys that an
 * operator in campaign.yaml has (fanfold-python(7)).
 */
#ifndef SIGNATURE_FUNCTION_COMPARE_H
#define SIGNATURE_FUNCTION_COMPARE_H

struct operator_spec;

/* Where it is; lent by the operator. */
struct function_place {
    const char *file; /* as seen from the campaign */
    const char *name;
};

/* Does the operator run a function? */
bool operator_function (const struct operator_spec *op,
                        struct function_place *place);

/* Append to 'differences' where the operator and 'function' differ: "input
 * 'rate': what; what to do", a text each.  An operator may say more than the
 * function does: a default, a dtype, a shape.
 */
void function_compare (const struct operator_spec *op,
                       const struct json *function, struct strvec *differences);

#endif /* !SIGNATURE_FUNCTION_COMPARE_H */
