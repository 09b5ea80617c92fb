/* SPDX-License-Identifier: BSD-3-Clause */
/* input.h - CP2K input for one frame, from the user's template
 *
 * The template is a whole input but for what differs from frame to frame and
 * what is to be printed (https://manual.cp2k.org, "CP2K input"): words are
 * read in any case, sections are nested, a backslash at its end continues a
 * line, comments begin with '!' or '#'.
 */
#ifndef OPERATORS_CP2K_INPUT_H
#define OPERATORS_CP2K_INPUT_H

#include "operators/kit.h"

struct frame;

/* CP2K's name for the run; its own files are CP2K_PROJECT-... */
#define CP2K_PROJECT "frame"

/* Are its sections closed, is there a FORCE_EVAL, and will there be labels to
 * read?  Errors name the line ('name:line').
 */
int cp2k_check_input (const char *text, size_t len, const char *name,
                      struct error *err);

/* Append the input.  Errors are those of cp2k_check_input, and an atom that is
 * no element.
 */
int cp2k_format_input (const char *text, size_t len, const char *name,
                       const struct frame *frame, struct strbuf *out,
                       struct error *err);

/* Its keys and sections with those around them, in upper case:
 * "FORCE_EVAL/SUBSYS/&CELL", "GLOBAL/PROJECT".
 */
template_scanner cp2k_keys;

/* --- one's way in an input --- */

enum cp2k_item {
    CP2K_SECTION, /* "&KIND Si": the word is KIND, the value "Si" */
    CP2K_END,     /* its end; the word is that of the section */
    CP2K_KEY,     /* "BASIS_SET DZVP": the word is BASIS_SET */
    CP2K_COMMAND, /* "@SET CUTOFF 400": the word is @SET */
};

struct cp2k_line {
    enum cp2k_item item;
    const char *path;  /* of the sections around it, in upper case:
                          "FORCE_EVAL/SUBSYS"; "": none */
    const char *word;  /* in upper case */
    const char *value; /* what follows, without comments; variables of @SET
                          replaced, as far as they are known */
    size_t number;     /* of the line, from 1 */
    size_t after;      /* position of the next one */
};

/* Call 'each' for every line that says something, until it returns not 0; then
 * -1.  Also -1 with 'name:line' when sections are not closed as they were
 * opened, or are nested deeper than CP2K's.
 */
typedef int cp2k_each_line (const struct cp2k_line *line, void *arg,
                            struct error *err);
int cp2k_scan (const char *text, size_t len, const char *name,
               cp2k_each_line *each, void *arg, struct error *err);

/* Is the line's word, in a section that is known here, not one letter off? */
int cp2k_check_spelling (const struct cp2k_line *line, const char *name,
                         struct error *err);

/* Of label_kit.h: 'doubt_template', 'same' and 'setting'. */
struct known_input;
void cp2k_doubt_input (const char *text, size_t len, const char *name,
                       const struct known_input *input, struct strbuf *says);
extern const char *const cp2k_same[];
bool cp2k_setting (const char *text, size_t len, const char *key,
                   struct strbuf *value);

#endif /* !OPERATORS_CP2K_INPUT_H */
