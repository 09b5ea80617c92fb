/* SPDX-License-Identifier: BSD-3-Clause */
/* label.h - the kit of abacus.label: ABACUS's single points */
#ifndef OPERATORS_ABACUS_LABEL_H
#define OPERATORS_ABACUS_LABEL_H

#include "operators/label/label_kit.h"

extern const struct code abacus_code;
extern const struct label_kit abacus_label;

/* Is each line of an INPUT a key that ABACUS knows, with its value?  Is a file
 * a KPT with a mesh or a list of points?
 */
int abacus_check_lines (const char *text, size_t len, const char *name,
                        struct error *err);
int abacus_check_kpt (const struct known_input *input, struct error *err);

/* Of label_kit.h: 'doubt_template', 'same' and 'setting'. */
void abacus_doubt_input (const char *text, size_t len, const char *name,
                         const struct known_input *input, struct strbuf *says);
extern const char *const abacus_same[];
bool abacus_setting (const char *text, size_t len, const char *key,
                     struct strbuf *value);

#endif /* !OPERATORS_ABACUS_LABEL_H */
