/* SPDX-License-Identifier: BSD-3-Clause */
/* history_format.h - which program may go on with a campaign
 *
 * The head of each journal segment, and state.json, say who wrote them:
 *   {"format": 1, "program": "0.1.0", ...}
 * A program reads its own format, whichever version wrote it.  A version that
 * adds a kind of event keeps the format: one that does not know the kind stops
 * there.  What only saves time (state.json) is used by the version that wrote
 * it, and made anew by others.
 */
#ifndef ENGINE_HISTORY_FORMAT_H
#define ENGINE_HISTORY_FORMAT_H

void history_format_set (struct json *head);

/* Does this version read 'head'?  If not the error names the file 'path', both
 * versions and what to do.
 */
int history_format_check (const struct json *head, const char *path,
                          struct error *err);

/* Did this version write 'head'? */
bool history_format_is_ours (const struct json *head);

/* Add to 'err', which tells what cannot be read, that another version wrote the
 * file 'path' of that head; nothing where this one did.  Returns -1.
 */
int history_format_explain (const struct json *head, const char *path,
                            struct error *err);

#endif /* !ENGINE_HISTORY_FORMAT_H */
