/* SPDX-License-Identifier: BSD-3-Clause */
/* record_log.h - append-only JSON lines that know when they are whole
 *
 * One record a line: {...,"x":"0123456789abcdef"} where x is XXH3-64 (seed 0)
 * of the line's bytes before `,"x":`.  A line without its newline, or a last
 * line that fails its checksum, is a torn tail: legal, not a record.  A bad
 * line with good ones after it is damage.
 */
#ifndef SPACE_RECORD_LOG_H
#define SPACE_RECORD_LOG_H

/* Append one record's line (with checksum and newline) to 'line'.  The object
 * must not be empty and must not hold a key "x".
 */
void record_format (const struct json *record, struct strbuf *line);

/* Call 'each' with every whole record of 'text', in order; its -1 stops and
 * is returned.  *accepted_bytes becomes the length of the whole records (also
 * on failure of 'each': up to the record before); while 'each' is called it is
 * where its record ends.  Damage: -1 with 'err' "NAME:line: what".
 */
int record_scan (const char *text, size_t len, const char *name,
                 int (*each) (const struct json *record, void *arg,
                              struct error *err),
                 void *arg, uint64_t *accepted_bytes, struct error *err);

#endif /* !SPACE_RECORD_LOG_H */
