/* SPDX-License-Identifier: BSD-3-Clause */
/* path_change.h - who submits now has another PATH, and jobs see it (pure) */
#ifndef REPORT_PATH_CHANGE_H
#define REPORT_PATH_CHANGE_H

/* If the event is a submission that jobs have another PATH by than by the one
 * before, append a sentence that says in which directories they differ.
 */
bool path_change_text (const struct json *event, struct strbuf *out);

#endif /* !REPORT_PATH_CHANGE_H */
