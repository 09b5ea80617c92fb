/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_imports.c - what scripts of four languages import */
#include "base/base.h"

#include "campaign/imports.h"
#include "fuzz.h"

/* Each has a path, and a place in the text. */
static void check_imports (const struct imports *imports, const char *text)
{
    for (size_t i = 0; i < imports->n; i++) {
        const struct import *import = &imports->v[i];
        const char *line = text;

        for (int k = 0; line && k < import->line; k++) {
            line = strchr (line, '\n');
            line += line != NULL;
        }
        must_hold (line && (size_t)import->column < strlen (line),
                   "its place is in the text");
        must_hold (import->path[0] != '\0', "it has a path");
    }
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    char *text = xstrndup ((const char *)data, size);

    for (int i = LANGUAGE_UNKNOWN; i <= LANGUAGE_R; i++) {
        struct imports imports = { 0 };

        imports_read ((enum script_language)i, text, &imports);
        check_imports (&imports, text);
        imports_release (&imports);
    }
    free (text);
    return 0;
}
