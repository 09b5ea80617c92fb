/* SPDX-License-Identifier: BSD-3-Clause */
/* programs.h - what of an operator runs from a copy of its programs
 *
 * `programs: DIR` of an operator: what its commands and scripts name below DIR,
 * or among its `files:`, is run from a copy in which each file has the place
 * that it has in the campaign.  Where the copy is, a task is told; in templates
 * it is {FANFOLD_PROGRAMS}, in scripts the variable of that name.
 */
#ifndef SIGNATURE_PROGRAMS_H
#define SIGNATURE_PROGRAMS_H

#define PROGRAMS_PLACEHOLDER "FANFOLD_PROGRAMS"

/* Where 'path', as seen from the campaign, is in the copy: a call sees what it
 * is of through "../".  Lent.
 */
const char *programs_place (const char *path);

/* Is 'path' among what 'items' (paths and patterns, NULL-terminated) stand for?
 * By its text; names that begin with a dot are not.
 */
bool programs_hold (const char *const *items, const char *path);

/* Append an argument of a template with what 'items' hold named in the copy. */
void programs_argument (const char *const *items, const char *argument,
                        struct strbuf *out);

/* The same of the text of a script: "$campaign/x", "${campaign}"/x. */
void programs_script (const char *const *items, const char *text,
                      struct strbuf *out);

/* Does an argument, or the text of a script, name {campaign} or $campaign so
 * that what 'items' hold is found in place behind it: as such, as a directory
 * above them, or by a path that is computed?  Paths that name the copy, or
 * other files, do not.
 */
bool programs_argument_is_open (const char *const *items, const char *argument);
bool programs_script_is_open (const char *const *items, const char *text);

/* Append where the stage with this stage.json runs 'path' from: the path in its
 * copy, or itself.
 */
void programs_run_from (const struct json *manifest, const char *path,
                        struct strbuf *out);

#endif /* !SIGNATURE_PROGRAMS_H */
