/* SPDX-License-Identifier: BSD-3-Clause */
/* label_files.c - files that lie beside the input of a program that labels */
#include "base/base.h"

#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "operators/label/label_kit.h"

int label_check_files (const struct known_input *input, struct error *err)
{
    for (size_t i = 0; i < json_count (input->value); i++) {
        const char *path = json_as_string (json_at (input->value, i));

        for (size_t k = 0; k < i; k++) {
            const char *other = json_as_string (json_at (input->value, k));

            if (strcmp (path_base (path), path_base (other)) == 0)
                return error_set (err,
                                  "files: '%s' and '%s' would have one name in "
                                  "the task's directory; rename one",
                                  other, path);
        }
    }
    return 0;
}

int label_link_files (const struct json *inputs, struct error *err)
{
    _cleanup_ (strvec_release) struct strvec files = STRVEC_INIT;
    int rc = 0;

    if (!json_is_null (json_get (inputs, "files")))
        rc = step_strings (inputs, "files", &files, err);
    for (size_t i = 0; rc == 0 && i < files.n; i++) {
        const char *name = path_base (files.v[i]);

        if (symlink (files.v[i], name) < 0)
            rc = error_errno (err, "cannot make the link '%s'", name);
    }
    return rc;
}
