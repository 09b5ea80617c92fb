/* SPDX-License-Identifier: BSD-3-Clause */
/* step_files.c - a trajectory whose frames are files */
#include "base/base.h"

#include "base/file.h"
#include "formats/number.h"
#include "selection/deviations/step_files.h"

char *step_file_path (const char *path, int64_t step)
{
    const char *star = strchr (path, '*');

    if (!star)
        return xstrdup (path);
    return xasprintf ("%.*s%lld%s", (int)(star - path), path, (long long)step,
                      star + 1);
}

/* The step in a name that is 'before', digits, 'after'; -1 in others. */
static int64_t step_of (const char *name, size_t before, const char *pattern,
                        const char *after)
{
    size_t len = strlen (name), tail = strlen (after);
    int64_t step;

    if (len <= before + tail || strncmp (name, pattern, before) != 0
        || strcmp (name + len - tail, after) != 0
        || integer_read (name + before, name + len - tail, &step)
               != name + len - tail)
        return -1;
    return step;
}

static int compare_steps (const void *a, const void *b)
{
    const int64_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

int step_files_list (const char *path, int64_t **steps, size_t *n,
                     struct error *err)
{
    const char *star = strchr (path, '*');
    size_t dir_len = 0, before;
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    struct error why = ERROR_INIT;
    _cleanup_free_ char *dir = NULL;

    for (const char *p = path; p < star; p++)
        dir_len = *p == '/' ? (size_t)(p - path) + 1 : dir_len;
    before = (size_t)(star - path) - dir_len;
    dir = dir_len > 0 ? xstrndup (path, dir_len) : xstrdup (".");
    if (file_list_dir (dir, &names, &why) < 0 && !error_is_absence (&why))
        return error_copy (err, &why);
    *steps = xcalloc (names.n, sizeof (**steps));
    *n = 0;
    for (size_t i = 0; i < names.n; i++) {
        (*steps)[*n] = step_of (names.v[i], before, path + dir_len, star + 1);
        *n += (*steps)[*n] >= 0;
    }
    if (*n > 1)
        qsort (*steps, *n, sizeof (**steps), compare_steps);
    return 0;
}
