/* SPDX-License-Identifier: BSD-3-Clause */
/* record_log.c - append-only JSON lines that know when they are whole */
#include "base/base.h"

#include "base/hash.h"
#include "base/json.h"
#include "space/record_log.h"

/* What follows the record's own keys: ,"x":"0123456789abcdef"} */
#define CHECK_KEY ",\"x\":"
enum {
    CHECK_HEX = 16,
    CHECK_LEN = sizeof (CHECK_KEY) - 1 + 1 + CHECK_HEX + 2,
};

static void check_format (const char *record, size_t len, char *out)
{
    snprintf (out, CHECK_LEN + 1, CHECK_KEY "\"%016" PRIx64 "\"}",
              hash_bytes (0, record, len));
}

void record_format (const struct json *record, struct strbuf *line)
{
    size_t start = line->len;
    char check[CHECK_LEN + 1];

    json_dump (record, JSON_COMPACT, line);
    strbuf_truncate (line, line->len - 1); /* the closing brace */
    check_format (line->buf + start, line->len - start, check);
    strbuf_add_str (line, check);
    strbuf_add_char (line, '\n');
}

/* Is this (a line without its newline) what record_format wrote? */
static bool is_whole (const char *line, size_t len)
{
    char check[CHECK_LEN + 1];

    if (len <= CHECK_LEN)
        return false;
    check_format (line, len - CHECK_LEN, check);
    return memcmp (line + len - CHECK_LEN, check, CHECK_LEN) == 0;
}

/* Length of the line at 'text' without its newline; false when there is no
 * newline.
 */
static bool line_length (const char *text, size_t len, size_t *line_len)
{
    const char *end = len > 0 ? memchr (text, '\n', len) : NULL;

    if (!end)
        return false;
    *line_len = (size_t)(end - text);
    return true;
}

static bool any_whole (const char *text, size_t len)
{
    size_t n;

    for (; line_length (text, len, &n); text += n + 1, len -= n + 1) {
        if (is_whole (text, n))
            return true;
    }
    return false;
}

static int pass_on (const char *line, size_t len, const char *name,
                    int64_t number,
                    int (*each) (const struct json *record, void *arg,
                                 struct error *err),
                    void *arg, struct error *err)
{
    struct json *record = json_parse (line, len, name, err);
    int rc;

    if (!record)
        return error_prefix (err, "record %" PRId64, number);
    json_delete (record, "x");
    rc = each (record, arg, err);
    json_unref (record);
    return rc;
}

int record_scan (const char *text, size_t len, const char *name,
                 int (*each) (const struct json *record, void *arg,
                              struct error *err),
                 void *arg, uint64_t *accepted_bytes, struct error *err)
{
    size_t at = 0;
    size_t n;
    int64_t number = 1;
    int rc = 0;

    for (; line_length (text + at, len - at, &n); at += n + 1, number++) {
        const char *line = text + at;

        if (!is_whole (line, n)) {
            if (any_whole (line + n + 1, len - at - n - 1))
                rc = error_set (err,
                                "%s:%" PRId64 ": damaged record "
                                "(its checksum does not match)",
                                name, number);
            break;
        }
        *accepted_bytes = at + n + 1;
        if ((rc = pass_on (line, n, name, number, each, arg, err)) < 0)
            break;
    }
    *accepted_bytes = at;
    return rc;
}
