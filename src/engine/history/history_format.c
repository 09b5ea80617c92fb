/* SPDX-License-Identifier: BSD-3-Clause */
/* history_format.c - which program may go on with a campaign */
#include "base/base.h"

#include "base/json.h"
#include "base/version.h"
#include "engine/history/history_format.h"

enum { FORMAT = 1 };

void history_format_set (struct json *head)
{
    json_set (head, "format", json_int (FORMAT));
    json_set (head, "program", json_string (program_version ()));
}

/* Versions before the key was there did not name themselves. */
static const char *program_of (const struct json *head)
{
    const char *program = json_get_string (head, "program");

    return *program ? program : "of another version";
}

bool history_format_is_ours (const struct json *head)
{
    return json_get_int (head, "format") == FORMAT
           && strcmp (program_of (head), program_version ()) == 0;
}

int history_format_check (const struct json *head, const char *path,
                          struct error *err)
{
    int64_t format = json_get_int (head, "format");

    if (format == FORMAT)
        return 0;
    return error_set (
        err,
        "'%s' was written by fanfold %s in format %" PRId64
        ", and fanfold %s reads format %d; go on with the version "
        "that wrote it (`fanfold --version` tells which one runs)",
        path, program_of (head), format, program_version (), FORMAT);
}

int history_format_explain (const struct json *head, const char *path,
                            struct error *err)
{
    struct error before = ERROR_INIT;

    if (!err || history_format_is_ours (head))
        return -1;
    error_copy (&before, err);
    return error_set (
        err,
        "%s; '%s' was written by fanfold %s and this is fanfold %s: go on with "
        "the newer one (`fanfold --version` tells which one runs)",
        before.text, path, program_of (head), program_version ());
}
