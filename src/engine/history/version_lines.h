/* SPDX-License-Identifier: BSD-3-Clause */
/* version_lines.h - which versions of its code a stage's tasks ran
 *
 * {LINE: TASKS}, the lines in which the code told its version
 * (agent/version_line.h) with the number of tasks that printed each, in order
 * of tasks; what comes after the first VERSION_LINES_MAX is counted under "".
 */
#ifndef ENGINE_VERSION_LINES_H
#define ENGINE_VERSION_LINES_H

struct json;
struct strbuf;

enum { VERSION_LINES_MAX = 16 };

/* Count a task; "": it printed none that is known, which is not counted. */
void version_lines_note (struct json *lines, const char *line);

/* Append "'LINE' (3 tasks), 'LINE' (1 task)". */
void version_lines_text (const struct json *lines, struct strbuf *out);

#endif /* !ENGINE_VERSION_LINES_H */
