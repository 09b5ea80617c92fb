/* SPDX-License-Identifier: BSD-3-Clause */
/* function_text.h - what the campaign that a call is says of its operator
 *
 * It lies in calls/NAME/NUMBER, so {campaign} and relative paths are written as
 * they are seen from there.
 */
#ifndef CAMPAIGN_FUNCTION_TEXT_H
#define CAMPAIGN_FUNCTION_TEXT_H

struct compilation;
struct function;
struct yaml_node;

/* Fill the function's texts from its mapping 'node', which is good. */
void function_text_write (struct compilation *c, const struct yaml_node *node,
                          struct function *function);

/* Append 'text' with {campaign} as seen from a call. */
void function_text_from_call (const char *text, struct strbuf *out);

/* Record placeholders of the argv 'then' that there are not. */
void then_check (const struct yaml_node *then);

#endif /* !CAMPAIGN_FUNCTION_TEXT_H */
