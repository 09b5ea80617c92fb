/* SPDX-License-Identifier: BSD-3-Clause */
/* generations.c - the numbers of generations that lie in a campaign's directory
 */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "engine/history/generations.h"
#include "space/layout.h"

static int higher (int a, int b)
{
    return a > b ? a : b;
}

/* Of directories that have the number as their names. */
static int highest_name (const char *dir, const char *below)
{
    _cleanup_free_ char *path = path_join (dir, below);
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    int highest = 0;

    file_list_dir (path, &names, NULL);
    for (size_t i = 0; i < names.n; i++)
        highest = higher (highest, atoi (names.v[i]));
    return highest;
}

/* Of STAGE/CODE/iter. */
static int highest_in_place (const char *dir)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    int highest = 0;

    file_list_dir (dir, &names, NULL);
    for (size_t i = 0; i < names.n; i++) {
        _cleanup_free_ char *below = path_join (dir, names.v[i]);
        _cleanup_free_ char *file = path_join (below, LAYOUT_STAGE_MANIFEST);
        _cleanup_json_ struct json *manifest = json_read_file (file, NULL);

        highest = higher (highest, (int)json_get_int (manifest, "generation"));
    }
    return highest;
}

/* Only what stages have, not a user's own directories below. */
static int highest_of_stages (const char *dir)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    int highest = 0;

    file_list_dir (dir, &names, NULL);
    for (size_t i = 0; i < names.n; i++) {
        _cleanup_free_ char *stage = path_join (dir, names.v[i]);
        _cleanup_ (strvec_release) struct strvec codes = STRVEC_INIT;

        if (layout_stage_name_ok (names.v[i]))
            file_list_dir (stage, &codes, NULL);
        for (size_t k = 0; k < codes.n; k++) {
            _cleanup_free_ char *code = path_join (stage, codes.v[k]);
            _cleanup_free_ char *iter = path_join (code, "iter");

            highest = higher (highest, highest_in_place (iter));
        }
    }
    return highest;
}

int generations_scan (const char *dir)
{
    static const char *const below[] = { LAYOUT_RUN_DIR, LAYOUT_REPLACED_DIR,
                                         LAYOUT_MAKING_DIR };
    int highest = highest_of_stages (dir);

    for (size_t i = 0; i < ARRAY_SIZE (below); i++)
        highest = higher (highest, highest_name (dir, below[i]));
    return highest;
}
