/* SPDX-License-Identifier: BSD-3-Clause */
/* records.h - what a task reported while it ran: reports.jsonl
 *
 * When the file is full every second record is dropped.
 */
#ifndef HANDOVER_RECORDS_H
#define HANDOVER_RECORDS_H

struct records {
    char *path; /* of the file; owned; NULL: it is in the working directory */
    int fd;     /* -1: none was told yet */
    size_t bytes;
    struct json *last; /* {name: report} */
};

#define RECORDS_INIT                                                           \
    {                                                                          \
        .fd = -1                                                               \
    }

/* Add what 'name' told. */
int records_add (struct records *records, const char *name, struct json *report,
                 double now_s, struct error *err);
void records_release (struct records *records);

/* Append every second line of 'text', the last one among them.  (pure) */
void records_thin (const char *text, struct strbuf *out);

#endif /* !HANDOVER_RECORDS_H */
