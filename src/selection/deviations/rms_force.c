/* SPDX-License-Identifier: BSD-3-Clause */
/* rms_force.c - how large the forces of a trajectory are */
#include "base/base.h"

#include "base/file.h"
#include "formats/number.h"
#include "formats/vector_reader.h"
#include "selection/deviations/rms_force.h"

/* Over the frames so far. */
struct mean {
    double squares;
    uint64_t n_atoms;
};

static void add_frame (const struct vector_frame *frame, struct mean *mean)
{
    for (size_t i = 0; i < 3 * frame->n_atoms; i++)
        mean->squares += frame->vectors[i] * frame->vectors[i];
    mean->n_atoms += frame->n_atoms;
}

static int add_file (const char *path, struct mean *mean, struct error *err)
{
    static const struct vector_options forces = { .kind = VECTOR_FORCES };
    struct error why = ERROR_INIT;
    struct vector_reader *reader = vector_reader_open (path, &forces, &why);
    struct vector_frame frame;
    int rc;

    if (!reader)
        return error_is_absence (&why) ? 0 : error_copy (err, &why);
    while ((rc = vector_reader_next (reader, &frame, err)) == 1)
        add_frame (&frame, mean);
    vector_reader_close (reader);
    if (rc < 0)
        error_prefix (err, "deviations are taken relative to forces");
    return rc;
}

/* --- a file for each frame --- */

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

/* In the order of steps, so that sums are the same wherever a directory lists
 * its files.
 */
static int add_files (const char *path, const char *star, struct mean *mean,
                      struct error *err)
{
    size_t dir_len = 0, n = 0, before;
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    struct error why = ERROR_INIT;
    _cleanup_free_ int64_t *steps = NULL;
    _cleanup_free_ char *dir = NULL;
    int rc;

    for (const char *p = path; p < star; p++)
        dir_len = *p == '/' ? (size_t)(p - path) + 1 : dir_len;
    before = (size_t)(star - path) - dir_len;
    dir = dir_len > 0 ? xstrndup (path, dir_len) : xstrdup (".");
    rc = file_list_dir (dir, &names, &why);
    if (rc < 0)
        rc = error_is_absence (&why) ? 0 : error_copy (err, &why);
    steps = xcalloc (names.n, sizeof (*steps));
    for (size_t i = 0; i < names.n; i++) {
        steps[n] = step_of (names.v[i], before, path + dir_len, star + 1);
        n += steps[n] >= 0;
    }
    if (n > 1)
        qsort (steps, n, sizeof (*steps), compare_steps);
    for (size_t i = 0; rc == 0 && i < n; i++) {
        _cleanup_free_ char *file =
            xasprintf ("%.*s%lld%s", (int)(star - path), path,
                       (long long)steps[i], star + 1);

        rc = add_file (file, mean, err);
    }
    return rc;
}

int rms_force (const char *path, double *rms, struct error *err)
{
    const char *star = strchr (path, '*');
    struct mean mean = { 0, 0 };
    int rc =
        star ? add_files (path, star, &mean, err) : add_file (path, &mean, err);

    if (rc < 0)
        return -1;
    *rms = mean.n_atoms > 0 ? sqrt (mean.squares / (double)mean.n_atoms) : NAN;
    return 0;
}
