/* SPDX-License-Identifier: BSD-3-Clause */
/* label_ports.c - what every operator that labels takes and gives, and what the
 * templates of its users must satisfy
 */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "formats/dataset_reader.h"
#include "formats/frame.h"
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
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    int rc = label_read_template (kit, path, &text, err);

    if (rc == 0 && kit->check_with)
        rc = kit->check_with (text.buf, text.len, path, input, err);

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

/* --- frames --- */

int label_check_frame (const struct label_kit *kit, const char *path,
                       const struct frame *frame, struct error *err)
{
    const char *code = kit->code->name;

    if (kit->needs_cell && !(fabs (frame_volume (frame)) > 0))
        return error_set (
            err,
            "%s: the frame has no cell, and %s needs one; write its "
            "Lattice",
            path, code);
    for (int i = 0; i < 3; i++) {
        if (kit->needs_periods && !frame->periodic[i])
            return error_set (err,
                              "%s: the frame does not repeat along %c, and %s "
                              "computes periodic ones; give it enough room "
                              "there, and pbc=\"T T T\"",
                              path, "abc"[i], code);
        if (kit->no_periods && frame->periodic[i])
            return error_set (err,
                              "%s: the frame repeats along %c, and %s computes "
                              "molecules; write pbc=\"F F F\"",
                              path, "abc"[i], code);
    }
    return 0;
}

struct looking {
    const struct label_kit *kit;
    const char *path;
    size_t n; /* frames that were looked at */
};

/* -1 without an error when enough was. */
static int look_at_frame (const struct frame *frame, void *arg,
                          struct error *err)
{
    static const size_t most = 1000;
    struct looking *looking = arg;
    _cleanup_free_ char *place =
        xasprintf ("frame %zu of %s", looking->n, looking->path);
    int rc = label_check_frame (looking->kit, place, frame, err);

    return rc == 0 && ++looking->n < most ? 0 : -1;
}

static int check_file (const struct label_kit *kit, const char *path,
                       const struct known_input *input, struct error *err)
{
    struct looking looking = { kit, path, 0 };
    struct error why = ERROR_INIT;
    size_t n = 0;

    while (input->elements && input->elements[n])
        n++;
    if (dataset_read (path, (char *const *)input->elements, n, look_at_frame,
                      &looking, NULL, &why)
            == 0
        || strncmp (why.text, "frame ", strlen ("frame ")) != 0)
        return 0; /* what cannot be read is told of the binding */
    return error_set (err, "frames: %s", why.text);
}

int label_check_frames (const struct label_kit *kit,
                        const struct known_input *input, struct error *err)
{
    int rc = 0;

    if (json_kind (input->value) == JSON_KIND_STRING)
        return check_file (kit, json_as_string (input->value), input, err);
    for (size_t i = 0; rc == 0 && i < json_count (input->value); i++)
        rc = check_file (kit, json_as_string (json_at (input->value, i)), input,
                         err);
    return rc;
}

/* --- what looks wrong --- */

/* Two that differ in case and blanks alone are the same. */
static bool alike (const char *a, const char *b)
{
    while (*a || *b) {
        a += strspn (a, " \t\r\n");
        b += strspn (b, " \t\r\n");
        if (tolower ((unsigned char)*a) != tolower ((unsigned char)*b))
            return false;
        a += *a != '\0';
        b += *b != '\0';
    }
    return true;
}

/* "ENCUT 300 (in input 450)" to what differs. */
static void compare_setting (const struct label_kit *kit, const char *key,
                             const struct strbuf *input,
                             const struct strbuf *fallback,
                             struct strbuf *differs)
{
    _cleanup_ (strbuf_release) struct strbuf a = STRBUF_INIT;
    _cleanup_ (strbuf_release) struct strbuf b = STRBUF_INIT;
    bool in_a = kit->setting (input->buf, input->len, key, &a);
    bool in_b = kit->setting (fallback->buf, fallback->len, key, &b);
    const char *of_a = a.buf ? a.buf : "", *of_b = b.buf ? b.buf : "";

    if (in_a != in_b || !alike (of_a, of_b))
        strbuf_addf (differs, "%s%s %s (in input %s)",
                     differs->len > 0 ? ", " : "", key, in_b ? of_b : "not set",
                     in_a ? of_a : "not set");
}

static void doubt_fallback (const struct label_kit *kit,
                            const struct strbuf *input,
                            const struct strbuf *fallback, const char *name,
                            struct strbuf *says)
{
    _cleanup_ (strbuf_release) struct strbuf differs = STRBUF_INIT;

    if (input->len > 0 && fallback->len > 0
        && alike (input->buf, fallback->buf))
        template_doubt (says, name, 0,
                        "says what input says, and what did not converge will "
                        "not converge again; change the mixing or the number "
                        "of steps");
    for (size_t i = 0; kit->same && kit->same[i]; i++)
        compare_setting (kit, kit->same[i], input, fallback, &differs);
    for (size_t i = 0; i < differs.len; i++)
        differs.buf[i] = differs.buf[i] == '\n' ? ' ' : differs.buf[i];
    if (differs.len > 0)
        template_doubt (says, name, 0,
                        "has %s: labels of frames that needed the fallback "
                        "would not fit the others; write the same",
                        differs.buf);
}

/* That of 'fallback' is compared with the input. */
static void doubt_one (const struct label_kit *kit,
                       const struct known_input *input, const char *path,
                       const struct strbuf *of_input, struct strbuf *says)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    if (file_read (path, TEMPLATE_MAX_BYTES, &text, NULL) == 0) {
        if (kit->doubt_template)
            kit->doubt_template (text.buf, text.len, path, input, says);
        if (of_input)
            doubt_fallback (kit, of_input, &text, path, says);
    }
}

void label_doubt_template (const struct label_kit *kit,
                           const struct known_input *input, struct strbuf *says)
{
    const char *first = json_get_string (input->others, "input");
    _cleanup_ (strbuf_release) struct strbuf of_input = STRBUF_INIT;

    if (json_kind (input->value) == JSON_KIND_STRING)
        doubt_one (kit, input, json_as_string (input->value), NULL, says);
    else if (*first && label_read_template (kit, first, &of_input, NULL) == 0) {
        for (size_t i = 0; i < json_count (input->value); i++)
            doubt_one (kit, input, json_as_string (json_at (input->value, i)),
                       &of_input, says);
    }
}

void label_doubt_kspacing (const struct known_input *input, struct strbuf *says)
{
    static const double least = 0.05, most = 1;
    double spacing = json_as_double (input->value);

    if (spacing > most || spacing < least)
        strbuf_addf (says,
                     "kspacing: %g/angstrom (2 pi included), where 0.15 to 0.5 "
                     "are usual; write that, unless it is meant",
                     spacing);
}
