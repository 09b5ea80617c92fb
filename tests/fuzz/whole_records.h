/* SPDX-License-Identifier: BSD-3-Clause */
/* whole_records.h - records with good checksums out of any text
 *
 * No fuzzer guesses a checksum: so every line that is a JSON object becomes a
 * whole record, and the others stay as they are.
 */
#ifndef TESTS_WHOLE_RECORDS_H
#define TESTS_WHOLE_RECORDS_H

#include "base/json.h"
#include "space/record_log.h"

static inline void add_whole_record (const char *line, size_t len,
                                     struct strbuf *log)
{
    struct json *record = json_parse (line, len, "line", NULL);

    if (record && json_kind (record) == JSON_KIND_OBJECT)
        json_delete (record, "x");
    if (record && json_kind (record) == JSON_KIND_OBJECT
        && json_count (record) > 0) {
        record_format (record, log);
    } else {
        strbuf_add (log, line, len);
        strbuf_add_char (log, '\n');
    }
    json_unref (record);
}

static inline void whole_records (const char *text, size_t len,
                                  struct strbuf *log)
{
    while (len > 0) {
        const char *end = memchr (text, '\n', len);
        size_t n = end ? (size_t)(end - text) : len;

        add_whole_record (text, n, log);
        n += end != NULL;
        text += n;
        len -= n;
    }
}

#endif /* !TESTS_WHOLE_RECORDS_H */
