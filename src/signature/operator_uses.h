/* SPDX-License-Identifier: BSD-3-Clause */
/* operator_uses.h - what an operator's tasks are told beside their inputs */
#ifndef SIGNATURE_OPERATOR_USES_H
#define SIGNATURE_OPERATOR_USES_H

struct operator_spec;

/* Do the commands of a task, its group or its script use the placeholder 'name'
 * ("seed", "task", "iteration"), or read it from task.json (a built-in one)?  A
 * script does where its text has that word in any place: what runs it may be
 * any language.  Prepare and collect are not looked at.
 */
bool operator_uses (const struct operator_spec *op, const char *name);

/* Does the text of a script use the placeholder 'name'?  Of the word `task`
 * neither task.json counts nor, but for task.number, the object of our Python
 * package.  False for NULL.
 */
bool script_uses (const char *text, const char *name);

/* Where 'text' has the identifier 'name', or NULL: not as a part of a longer
 * one, such as "seeds".
 */
const char *text_find_word (const char *text, const char *name);

#endif /* !SIGNATURE_OPERATOR_USES_H */
