/* SPDX-License-Identifier: BSD-3-Clause */
/* file_trust.c - who else decides what the files of a campaign run as us? */
#include "base/base.h"

#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "campaign/site_file.h"
#include "commands/command.h"
#include "commands/file_trust.h"
#include "space/layout.h"

#define DECIDES " and so decides what runs as you"

struct telling {
    file_trust_each_fn *each;
    void *arg;
};

static void add_user (uid_t uid, struct strbuf *out)
{
    const struct passwd *user = getpwuid (uid);

    if (user)
        strbuf_addf (out, "user %s", user->pw_name);
    else
        strbuf_addf (out, "user %lu", (unsigned long)uid);
}

/* A group of the user's name is, as many systems have it, the user's alone. */
static bool is_own_group (gid_t gid)
{
    const struct group *group = getgrgid (gid);
    _cleanup_free_ char *name = group ? xstrdup (group->gr_name) : NULL;
    const struct passwd *user = getpwuid (geteuid ());

    return name && user && user->pw_gid == gid
           && strcmp (user->pw_name, name) == 0;
}

static void add_group (gid_t gid, struct strbuf *out)
{
    const struct group *group = getgrgid (gid);

    if (group)
        strbuf_addf (out, "all of group %s", group->gr_name);
    else
        strbuf_addf (out, "all of group %lu", (unsigned long)gid);
}

/* In a sticky directory others cannot replace what is there. */
static bool others_write (const struct stat *st, mode_t bit)
{
    return (st->st_mode & bit)
           && !(S_ISDIR (st->st_mode) && (st->st_mode & S_ISVTX));
}

static void look_at (const struct telling *t, const char *path)
{
    _cleanup_ (strbuf_release) struct strbuf how = STRBUF_INIT;
    _cleanup_ (strbuf_release) struct strbuf advice = STRBUF_INIT;
    struct stat st;

    if (stat (path, &st) < 0)
        return;
    if (st.st_uid != geteuid () && st.st_uid != 0) {
        add_user (st.st_uid, &how);
        strbuf_add_str (&how, " owns it" DECIDES);
        strbuf_add_str (&advice, "run it as that user, or make a copy of your "
                                 "own");
    } else if (others_write (&st, S_IWOTH)) {
        strbuf_add_str (&how, "everybody can write it" DECIDES);
        strbuf_addf (&advice, "write: chmod o-w %s", path);
    } else if (others_write (&st, S_IWGRP) && !is_own_group (st.st_gid)) {
        add_group (st.st_gid, &how);
        strbuf_add_str (&how, " can write it" DECIDES);
        strbuf_addf (&advice, "unless you trust them, write: chmod g-w %s",
                     path);
    }
    if (how.len > 0)
        t->each (path, how.buf, advice.buf, t->arg);
}

static void look_below (const struct telling *t, const char *dir,
                        const char *name)
{
    _cleanup_free_ char *path = path_join (dir, name);

    look_at (t, path);
}

/* The directory that the file at 'path' is in; the caller frees. */
static char *directory_of (const char *path)
{
    size_t len = (size_t)(path_base (path) - path);

    if (len == 0)
        return xstrdup (".");
    return xstrndup (path, len > 1 ? len - 1 : 1);
}

void file_trust_each (const struct invocation *invocation,
                      file_trust_each_fn *each, void *arg)
{
    const struct telling t = { each, arg };
    _cleanup_free_ char *site = invocation->site
                                    ? xstrdup (invocation->site)
                                    : site_file_find (invocation->dir);
    _cleanup_free_ char *site_dir = site ? directory_of (site) : NULL;
    _cleanup_free_ char *beside = path_join (invocation->dir, "site.yaml");

    look_at (&t, invocation->dir);
    look_below (&t, invocation->dir, "campaign.yaml");
    look_below (&t, invocation->dir, LAYOUT_HIDDEN_DIR);
    if (site && strcmp (site, beside) != 0)
        look_at (&t, site_dir);
    if (site)
        look_at (&t, site);
}
