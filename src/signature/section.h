/* SPDX-License-Identifier: BSD-3-Clause */
/* section.h - inputs that stand together
 *
 * An input called "pick.quota" is the key `quota` of the section `pick`: there
 * a person writes it in `with:`, and there programs find it in task.json; its
 * placeholder is {pick.quota}.  To whoever binds, slices, checks or hands over
 * inputs it is an input like any other, with a type, a default and a binding of
 * its own, and sections are unknown to the rest.  A section has no sections.
 */
#ifndef SIGNATURE_SECTION_H
#define SIGNATURE_SECTION_H

struct operator_spec;
struct port;

/* Has an input of 'ports' (NULL: none) its place in this section? */
bool section_exists (const struct port *ports, const char *section);

/* The input `key` of a section, or NULL. */
const struct port *section_input (const struct port *ports, const char *section,
                                  const char *key);

/* Append what may be written in a section; NULL: at the top, where sections
 * are.
 */
void section_keys (const struct port *ports, const char *section,
                   struct strvec *keys);

/* {"pick.quota": 16} as {"pick": {"quota": 16}}; values are shared.  Caller
 * unrefs.
 */
struct json *inputs_in_sections (const struct json *inputs);

/* 'word' is no input, and no section, of the operator: append what to write
 * instead ("write pick: {quota: ...}", "did you mean 'pick'?").  False: it is
 * no input's name in a section, none of the other names is so,
 * and no name is near.
 */
bool input_remedy (const struct operator_spec *op, const char *word,
                   struct strbuf *out);

#endif /* !SIGNATURE_SECTION_H */
