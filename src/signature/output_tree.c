/* SPDX-License-Identifier: BSD-3-Clause */
/* output_tree.c - the files that a task left, before any of them is opened */
#include "base/base.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/problems.h"
#include "base/tree_walk.h"
#include "signature/operator.h"
#include "signature/output_tree.h"
#include "signature/outputs.h"

/* --- links --- */

/* Does a link's text, read in a directory 'depth' levels below out/, lead
 * above out/ on its way?
 */
static bool climbs_out (const char *target, int depth)
{
    _cleanup_ (strvec_release) struct strvec steps = STRVEC_INIT;

    strvec_split (&steps, target, "/");
    for (size_t i = 0; depth >= 0 && i < steps.n; i++) {
        if (strcmp (steps.v[i], "..") == 0)
            depth--;
        else if (strcmp (steps.v[i], ".") != 0)
            depth++;
    }
    return depth < 0;
}

/* Is what the link at 'path' leads to inside 'dir', both resolved? */
static bool leads_inside (const char *path, const char *dir)
{
    _cleanup_free_ char *end = realpath (path, NULL);
    _cleanup_free_ char *root = realpath (dir, NULL);
    size_t len = root ? strlen (root) : 0;

    return end && root && strncmp (end, root, len) == 0
           && (end[len] == '/' || end[len] == '\0');
}

/* A link must stay inside wherever out/ is renamed to, so an absolute one is
 * refused even if it leads inside today.
 */
static int check_link (const struct tree_entry *entry, const char *out_dir,
                       struct error *err)
{
    char target[PATH_MAX];
    ssize_t len = readlink (entry->path, target, sizeof (target) - 1);

    if (len < 0)
        return error_errno (err, "cannot read the link '%s'", entry->path);
    target[len] = '\0';
    if (entry->level == 0)
        return error_set (err, "'%s' is a link; it must be a directory",
                          entry->path);
    if (target[0] != '/' && !climbs_out (target, entry->level - 1)
        && leads_inside (entry->path, out_dir))
        return 0;
    return error_set (err,
                      "'%s' is a link to '%s', which is not inside out/; copy "
                      "the file instead",
                      entry->path, target);
}

/* --- what is not declared --- */

struct tree_check {
    const char *out_dir;
    const struct strvec *declared; /* paths below out_dir; NULL: any */
};

static void list_declared (const struct port *ports, struct strvec *declared)
{
    _cleanup_ (strbuf_release) struct strbuf path = STRBUF_INIT;

    for (; ports && ports->name; ports++) {
        if (!type_is_artifact (&ports->type))
            continue;
        strbuf_reset (&path);
        output_path (ports, &path);
        strvec_push (declared, path.buf);
    }
}

static int check_declared (const struct tree_check *check,
                           const struct tree_entry *entry, struct error *err)
{
    const char *path = entry->path + strlen (check->out_dir) + 1;
    const char *near;

    for (size_t i = 0; i < check->declared->n; i++) {
        const char *declared = check->declared->v[i];

        if (path_is_at_or_below (path, declared)
            || (entry->kind == TREE_DIR
                && path_is_at_or_below (declared, path)))
            return 0;
    }
    near = nearest_word (path, check->declared);
    return error_set (err, "'out/%s' is no declared output; %s%s%s", path,
                      near ? "did you mean 'out/"
                           : "declare it in the operator's outputs, or write "
                             "it elsewhere",
                      near ? near : "", near ? "'?" : "");
}

static int check_entry (const struct tree_entry *entry, void *arg,
                        struct error *err)
{
    const struct tree_check *check = arg;
    int rc = 0;

    if (entry->kind == TREE_LINK)
        rc = check_link (entry, check->out_dir, err);
    else if (entry->kind == TREE_SPECIAL)
        rc = error_set (err, "'%s' is neither a file nor a directory",
                        entry->path);
    if (rc < 0 || !check->declared || entry->level == 0
        || entry->kind == TREE_DIR_END)
        return rc;
    return check_declared (check, entry, err);
}

/* Without an out/ every artifact is missing, if there is any. */
static int check_tree (struct tree_check *check,
                       const struct heartbeat *heartbeat, struct error *err)
{
    struct stat st;

    if (lstat (check->out_dir, &st) < 0 && errno == ENOENT)
        return 0;
    return tree_walk (check->out_dir, false, check_entry, check, heartbeat,
                      err);
}

int output_tree_check (const struct port *ports, const char *out_dir,
                       const struct heartbeat *heartbeat, struct error *err)
{
    _cleanup_ (strvec_release) struct strvec declared = STRVEC_INIT;
    struct tree_check check = { out_dir, &declared };

    list_declared (ports, &declared);
    return check_tree (&check, heartbeat, err);
}

int output_tree_check_links (const char *out_dir, struct error *err)
{
    struct tree_check check = { out_dir, NULL };

    return check_tree (&check, NULL, err);
}

/* --- what stands elsewhere --- */

/* Is anything at the relative path 'name' below 'dir', reached through no link?
 * 1, 0, or -1.
 */
static int look_below (const char *dir, const char *name, struct error *err)
{
    _cleanup_free_ char *path = path_join (dir, name);
    char *end = path + strlen (dir);
    struct stat st;
    int rc = 1;

    while (rc == 1 && end && *end) {
        end = strchr (end + 1, '/');
        if (end)
            *end = '\0';
        if (lstat (path, &st) < 0)
            rc = errno == ENOENT || errno == ENOTDIR
                     ? 0
                     : error_errno (err, "cannot look at '%s'", path);
        else if (S_ISLNK (st.st_mode))
            rc = error_set (err, "'%s' is a link; copy the file instead", path);
        if (end)
            *end = '/';
    }
    return rc;
}

static int take_output (const struct port *port, const char *dir,
                        struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf to = STRBUF_INIT;
    _cleanup_free_ char *source = path_join (dir, port->take);
    _cleanup_free_ char *target = NULL;
    int rc = look_below (dir, port->take, err), taken;

    if (rc <= 0)
        return rc;
    strbuf_add_str (&to, "out/");
    output_path (port, &to);
    target = path_join (dir, to.buf);
    if ((taken = look_below (dir, to.buf, err)) < 0)
        return -1;
    if (taken)
        return error_set (err,
                          "both '%s' and '%s' are there; write one of them",
                          port->take, to.buf);
    if (file_make_parent (target, err) < 0)
        return -1;
    if (rename (source, target) < 0)
        return error_errno (err, "cannot rename '%s' to '%s'", source, target);
    return 0;
}

int output_tree_take (const struct port *ports, const char *dir,
                      struct error *err)
{
    for (; ports && ports->name; ports++) {
        if (ports->take && take_output (ports, dir, err) < 0)
            return error_prefix (err, "output '%s'", ports->name);
    }
    return 0;
}
