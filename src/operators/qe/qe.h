/* SPDX-License-Identifier: BSD-3-Clause */
/* qe.h - Quantum ESPRESSO's pw.x: the operator qe.label, and its input for one
 * frame from the user's template
 *
 * The template holds the namelists and K_POINTS; what differs from frame to
 * frame and where files go is ours (Quantum ESPRESSO, INPUT_PW.html).
 */
#ifndef OPERATORS_QE_QE_H
#define OPERATORS_QE_QE_H

#include "operators/label/label_kit.h"

/* Names in a task's directory. */
#define PW_PREFIX "frame"
#define PW_SCRATCH_DIR "scratch"

extern const struct code pw_code;
extern const struct label_kit qe_label;

/* Keys of namelists, and first words of other lines, in lower case. */
template_scanner pw_keys;

/* Has the template the namelists? */
int pw_check_input (const char *lines, size_t len, const char *name,
                    struct error *err);

/* Has it what pw.x needs, and nothing that it would stop at or that makes no
 * label?  What looks wrong is appended by the other.
 */
int pw_check_settings (const char *text, size_t len, const char *name,
                       struct error *err);
void pw_doubt_input (const char *text, size_t len, const char *name,
                     const struct known_input *input, struct strbuf *says);

/* Of label_kit.h: 'same' and 'setting'. */
extern const char *const pw_same[];
bool pw_setting (const char *text, size_t len, const char *key,
                 struct strbuf *value);

/* Append the input.  Errors name a namelist that is missing.  Every element of
 * the frame has a pseudopotential.
 */
int pw_format_input (const struct label_input *input, const char *pseudo_dir,
                     struct strbuf *out, struct error *err);

#endif /* !OPERATORS_QE_QE_H */
