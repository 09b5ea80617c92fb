/* SPDX-License-Identifier: BSD-3-Clause */
/* input.h - pw.x input for one frame, from the user's template
 *
 * The template holds the namelists and K_POINTS; what differs from frame to
 * frame and where files go is ours (Quantum ESPRESSO, INPUT_PW.html).
 */
#ifndef OPERATORS_QE_INPUT_H
#define OPERATORS_QE_INPUT_H

#include <stddef.h>

#include "operators/kit.h"

struct error;
struct frame;
struct json;
struct strbuf;

/* Names in a task's directory. */
#define PW_PREFIX "frame"
#define PW_SCRATCH_DIR "scratch"

struct pw_setup {
    const char *pseudo_dir;
    struct json *pseudopotentials; /* {element: file name} */
};

/* Has the template the namelists? */
int pw_check_input (const char *lines, size_t len, const char *name,
                    struct error *err);

/* Append the input.  Errors name a namelist that is missing.  Every element of
 * the frame has a pseudopotential.
 */
int pw_format_input (const struct pw_setup *setup, const char *lines,
                     size_t len, const char *name, const struct frame *frame,
                     struct strbuf *out, struct error *err);

/* Keys of namelists, and first words of other lines, in lower case. */
template_scanner pw_keys;

#endif /* !OPERATORS_QE_INPUT_H */
