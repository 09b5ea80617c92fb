/* SPDX-License-Identifier: BSD-3-Clause */
/* layout_read.c - what a path of the data space is */
#include "base/base.h"

#include "space/layout.h"
#include "space/layout_read.h"

/* Take the next component of *path; false where there is none, or it is too
 * long for a name that Fanfold gives.
 */
static bool take (const char **path, char name[SPACE_NAME_SIZE])
{
    size_t len = strcspn (*path, "/");

    if (len == 0 || len >= SPACE_NAME_SIZE)
        return false;
    memcpy (name, *path, len);
    name[len] = '\0';
    *path += len + ((*path)[len] == '/');
    return true;
}

static bool take_word (const char **path, const char *word)
{
    size_t len = strlen (word);

    if (strncmp (*path, word, len) != 0
        || ((*path)[len] != '/' && (*path)[len] != '\0'))
        return false;
    *path += len + ((*path)[len] == '/');
    return true;
}

/* A number of six digits or more; -1 where there is none, and *path stays. */
static int take_number (const char **path)
{
    const char *p = *path;
    size_t len = strspn (p, "0123456789");
    long long n = 0;

    if (len < 6 || len > 10 || (p[len] != '/' && p[len] != '\0'))
        return -1;
    for (size_t i = 0; i < len; i++)
        n = n * 10 + (p[i] - '0');
    if (n > INT_MAX)
        return -1;
    *path += len + (p[len] == '/');
    return (int)n;
}

/* NAME/CODE/iter/ITER[/job/TASK] */
static bool read_stage (const char *path, struct space_path *out)
{
    struct space_path found = { .kind = SPACE_STAGE, .task = -1 };
    const char *below;

    if (!take (&path, found.name) || !take (&path, found.code)
        || !take_word (&path, "iter")
        || (found.iteration = take_number (&path)) < 0)
        return false;
    found.rest = path;
    if (strcmp (found.name, LAYOUT_DATASET_DIR) == 0) {
        found.kind = SPACE_DATASET;
        memcpy (found.name, found.code, sizeof (found.name));
        found.code[0] = '\0';
    } else if ((below = path, take_word (&below, LAYOUT_JOBS))
               && (found.task = take_number (&below)) >= 0) {
        found.rest = below;
    }
    *out = found;
    return true;
}

/* .fanfold/run/GENERATION */
static bool read_run (const char *path, struct space_path *out)
{
    struct space_path found = { .kind = SPACE_RUN,
                                .iteration = -1,
                                .task = -1 };

    if ((found.generation = take_number (&path)) < 0)
        return false;
    found.rest = path;
    *out = found;
    return true;
}

static const struct {
    const char *dir;
    enum space_kind kind;
} places[] = {
    { LAYOUT_INPUTS_DIR, SPACE_INPUTS },
    { LAYOUT_PROGRAMS_DIR, SPACE_INPUTS },
    { LAYOUT_REPLACED_DIR, SPACE_REPLACED },
    { LAYOUT_HIDDEN_DIR, SPACE_RECORDS },
    { LAYOUT_CONFIG_DIR, SPACE_RECORDS },
    { LAYOUT_STATE_FILE, SPACE_RECORDS },
    { LAYOUT_KEPT_DIR, SPACE_KEPT },
    { "calls", SPACE_CALLS },
};

void space_path_read (const char *path, struct space_path *out)
{
    struct space_path found = {
        .kind = SPACE_OTHER, .iteration = -1, .task = -1, .rest = path
    };
    const char *below = path;

    if (take_word (&below, LAYOUT_RUN_DIR) && read_run (below, out))
        return;
    for (size_t i = 0; i < ARRAY_SIZE (places); i++) {
        below = path;
        if (!take_word (&below, places[i].dir))
            continue;
        found.kind = places[i].kind;
        found.rest = below;
        *out = found;
        return;
    }
    if (read_stage (path, out))
        return;
    if (take_word (&below, LAYOUT_DATASET_DIR))
        found.kind = SPACE_DATASET;
    *out = found;
}

const char *space_kind_name (enum space_kind kind)
{
    static const char *const names[] = { "stage",  "dataset",  "run",
                                         "inputs", "replaced", "kept",
                                         "calls",  "records",  "other" };

    return names[kind];
}
