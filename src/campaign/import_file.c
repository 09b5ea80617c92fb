/* SPDX-License-Identifier: BSD-3-Clause */
/* import_file.c - which file of the campaign an import of a script is */
#include "base/base.h"

#include <sys/stat.h>

#include "base/file.h"
#include "campaign/import_file.h"
#include "campaign/imports.h"

/* --- files of the campaign --- */

char *campaign_file (const char *campaign, const char *dir, const char *path)
{
    char *joined = path_join (dir, path), *full = path_absolute (joined);
    struct stat st;

    free (joined);
    if (path_is_at_or_below (full, campaign) && stat (full, &st) == 0
        && S_ISREG (st.st_mode))
        return full;
    free (full);
    return NULL;
}

static bool is_link (const char *path)
{
    struct stat st;

    return lstat (path, &st) == 0 && S_ISLNK (st.st_mode);
}

char *directory_of (const char *path, bool follow)
{
    _cleanup_free_ char *real =
        follow && is_link (path) ? realpath (path, NULL) : NULL;
    const char *file = real ? real : path;
    char *dir = xstrndup (file, (size_t)(path_base (file) - file));

    return dir;
}

/* --- modules of Python --- */

/* "DIR/a/b/__init__.py" or "DIR/a/b.py"; NULL.  Caller frees. */
static char *module_file (const struct import_place *place, const char *dir,
                          const char *path)
{
    _cleanup_free_ char *package = xasprintf ("%s/__init__.py", path);
    _cleanup_free_ char *module = xasprintf ("%s.py", path);
    char *file = campaign_file (place->campaign, dir, package);

    if (!file)
        file = campaign_file (place->campaign, dir, module);
    return file;
}

/* What the first 'len' characters of 'path' import. */
static char *first_part (const struct import_place *place, const char *dir,
                         const char *path, size_t len)
{
    _cleanup_free_ char *part = xstrndup (path, len);
    char *file = module_file (place, dir, part);

    return file;
}

/* Is what 'path' is in a module, and no package, so that nothing is below it?
 */
static bool is_below_module (const struct import_place *place, const char *dir,
                             const char *path)
{
    const char *slash = strrchr (path, '/');
    _cleanup_free_ char *file =
        slash ? first_part (place, dir, path, (size_t)(slash - path)) : NULL;

    return file && strcmp (path_base (file), "__init__.py") != 0;
}

static bool has_module (const struct import_place *place, const char *dir,
                        const char *path)
{
    char *file = first_part (place, dir, path, strcspn (path, "/"));

    if (!file)
        return false;
    free (file);
    return true;
}

static char *module_in (const struct import_place *place, const char *dir,
                        const char *path)
{
    if (is_below_module (place, dir, path))
        return NULL;
    return module_file (place, dir, path);
}

/* A package without __init__.py counts where neither directory has one. */
static char *absolute_module (const struct import_place *place,
                              const char *path)
{
    bool beside = has_module (place, place->main_dir, path);
    bool in_campaign = has_module (place, place->campaign, path);
    char *file = NULL;

    if (beside || !in_campaign)
        file = module_in (place, place->main_dir, path);
    if (!file && !beside)
        file = module_in (place, place->campaign, path);
    return file;
}

/* ".a" is beside the module, "..a" above that. */
static char *relative_module (const struct import_place *place,
                              const struct import *import)
{
    _cleanup_free_ char *dir = directory_of (place->script, false);
    char *file;
    _cleanup_ (strbuf_release) struct strbuf from = STRBUF_INIT;

    strbuf_add_str (&from, dir);
    for (int i = 1; i < import->up; i++)
        strbuf_add_str (&from, "/..");
    file = module_in (place, from.buf, import->path);
    return file;
}

/* --- all of them --- */

char *import_file (const struct import_place *place,
                   const struct import *import)
{
    char *dir, *file = NULL;

    if (import->from == IMPORT_MODULE)
        return import->up > 0 ? relative_module (place, import)
                              : absolute_module (place, import->path);
    if (import->from != IMPORT_CAMPAIGN) {
        dir = directory_of (place->script, false);
        file = campaign_file (place->campaign, dir, import->path);
        free (dir);
    }
    if (!file && import->from != IMPORT_BESIDE)
        file = campaign_file (place->campaign, place->campaign, import->path);
    return file;
}
