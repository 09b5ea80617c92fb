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

/* Append the input.  Errors name a namelist that is missing, and an element
 * without pseudopotential.
 */
int pw_format_input (const struct pw_setup *setup, const char *lines,
                     size_t len, const char *name, const struct frame *frame,
                     struct strbuf *out, struct error *err);

/* --- one's way in an input: namelists, their keys, cards --- */

enum pw_item {
    PW_NAMELIST, /* "&CONTROL"; 'word' is "control" */
    PW_KEY,      /* a key of a namelist; 'word' is "nat" */
    PW_CARD,     /* the first word of a line outside namelists: "k_points",
                    but also the first number of a card's lines */
};

enum { PW_WORD_SIZE = 32 }; /* longer words are cut */

/* Call 'each' for every item, in order: its lower-case word, the line it is on
 * (from 1) and the position after it.  Comments (! and, outside namelists, #)
 * and quoted text are passed over.  Stops when 'each' returns not 0, and
 * returns that.
 */
typedef int pw_each_item (enum pw_item item, const char *word, size_t line,
                          size_t end, void *arg, struct error *err);
int pw_scan (const char *text, size_t len, pw_each_item *each, void *arg,
             struct error *err);

/* Keys of namelists, and first words of other lines, in lower case. */
template_scanner pw_keys;

#endif /* !OPERATORS_QE_INPUT_H */
