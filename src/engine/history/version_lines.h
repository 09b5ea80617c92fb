/* SPDX-License-Identifier: BSD-3-Clause */
/* version_lines.h - which versions of its code a stage's tasks ran
 *
 * {LINE: TASKS}, the lines in which the code told its version
 * (agent/version_line.h) with the number of tasks that printed each, in order
 * of tasks; what comes after the first VERSION_LINES_MAX is counted under "".
 */
#ifndef ENGINE_VERSION_LINES_H
#define ENGINE_VERSION_LINES_H

enum { VERSION_LINES_MAX = 16 };

/* Count a task; "": it printed none that is known, which is not counted. */
void version_lines_note (struct json *lines, const char *line);

/* May what a finished generation made be taken by an operator that asks for
 * 'versions' (NULL: for none)?  Yes where its stage.json 'manifest' asked for
 * the same, or its witness.json 'witness' knows a version of each task, and all
 * are asked for.
 */
bool version_lines_allow (const char *const *versions,
                          const struct json *manifest,
                          const struct json *witness);

/* Append "'LINE' (3 tasks), 'LINE' (1 task)". */
void version_lines_text (const struct json *lines, struct strbuf *out);

#endif /* !ENGINE_VERSION_LINES_H */
