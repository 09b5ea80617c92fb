/* SPDX-License-Identifier: BSD-3-Clause */
/* tree_links.c - a tree is whole: no link in it leads out of it */
#include "base/base.h"

#include "base/file.h"
#include "base/tree_walk.h"
#include "quick/tree_links.h"

static size_t depth_of (const struct strvec *parts)
{
    size_t depth = 0;

    for (size_t i = 0; i + 1 < parts->n; i++)
        depth += strcmp (parts->v[i], ".") != 0;
    return depth;
}

bool tree_link_leads_out (const struct strvec *parts, const char *target)
{
    _cleanup_ (strvec_release) struct strvec steps = STRVEC_INIT;
    size_t depth = depth_of (parts);
    bool out = *target == '/' || *target == '\0', down = false;

    strvec_split (&steps, target, "/");
    for (size_t i = 0; i < steps.n && !out; i++) {
        if (strcmp (steps.v[i], ".") == 0)
            continue;
        if (strcmp (steps.v[i], "..") != 0)
            down = true;
        else if (down || depth-- == 0)
            out = true;
    }
    return out;
}

struct checking {
    const char *root;
    const struct heartbeat *heartbeat;
};

static int check_link (const struct checking *c, const struct tree_entry *entry,
                       struct error *err)
{
    _cleanup_ (strvec_release) struct strvec parts = STRVEC_INIT;
    _cleanup_free_ char *target = file_read_link (entry->path, err);
    int rc = target ? 0 : -1;

    strvec_split (&parts, entry->path + strlen (c->root), "/");
    if (target && tree_link_leads_out (&parts, target))
        rc = error_set (err,
                        "'%s' is a link to '%s', out of the directory; put "
                        "what it points to in its place (cp -L)",
                        entry->path, target);
    return rc;
}

static int check (const struct tree_entry *entry, void *arg, struct error *err)
{
    if (entry->kind == TREE_LINK && entry->level > 0)
        return check_link (arg, entry, err);
    if (entry->kind == TREE_SPECIAL)
        return error_set (err,
                          "'%s' is neither file, directory nor link; remove it",
                          entry->path);
    return 0;
}

int tree_check_links (const char *path, const struct heartbeat *heartbeat,
                      struct error *err)
{
    struct checking c = { path, heartbeat };

    return tree_walk (path, true, check, &c, heartbeat, err);
}
