/* SPDX-License-Identifier: BSD-3-Clause */
/* label_ports.c - what every operator that labels takes and gives, and what the
 * templates of its users must satisfy
 */
#include "config.h"

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "operators/label/label_kit.h"

const struct port label_outputs[] = {
    { "frame", .type = ONE (FRAMES) },
    { 0 },
};

const struct port label_collected[] = {
    { "dataset", .type = ONE (FRAMES), .publish = true },
    { "labelled", .type = ONE (INT) },
    { "failed", .type = ONE (INT) },
    { 0 },
};

const char *const label_fan_out[] = { "frames", NULL };

int label_read_template (const struct label_kit *kit, const char *path,
                         struct strbuf *text, struct error *err)
{
    size_t before = text->len;

    if (file_read (path, TEMPLATE_MAX_BYTES, text, err) < 0)
        return -1;
    if (template_check_keys (kit->scan, kit->keys, text->buf + before,
                             text->len - before, path, err)
        < 0)
        return -1;
    if (!kit->check_template)
        return 0;
    return kit->check_template (text->buf + before, text->len - before, path,
                                err);
}

static int check_one (const struct label_kit *kit,
                      const struct known_input *input, const char *path,
                      struct error *err)
{
    struct strbuf text = STRBUF_INIT;
    int rc = label_read_template (kit, path, &text, err);

    if (rc == 0 && kit->check_with)
        rc = kit->check_with (text.buf, text.len, path, input, err);

    strbuf_release (&text);
    return rc;
}

int label_check_template (const struct label_kit *kit,
                          const struct known_input *input, struct error *err)
{
    int rc = 0;

    if (json_kind (input->value) == JSON_KIND_STRING)
        rc = check_one (kit, input, json_as_string (input->value), err);
    for (size_t i = 0; rc == 0 && i < json_count (input->value); i++)
        rc = check_one (kit, input, json_as_string (json_at (input->value, i)),
                        err);
    return rc < 0 ? error_prefix (err, "%s", input->name) : 0;
}
