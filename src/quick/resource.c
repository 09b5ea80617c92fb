/* SPDX-License-Identifier: BSD-3-Clause */
/* resource.c - which algorithm, dataset or model is meant, and that it is kept
 */
#include "base/base.h"

#include <sys/stat.h>

#include "base/file.h"
#include "quick/archive.h"
#include "quick/git_tree.h"
#include "quick/resource.h"
#include "quick/resource_name.h"
#include "quick/tree_links.h"

enum { CHANGES_SHOWN_BYTES = 200 };

enum resource_action resource_decide (const struct resource_facts *facts)
{
    if (facts->registered && facts->kept)
        return RESOURCE_USE;
    if (facts->registered)
        return facts->at_source ? RESOURCE_RESTORE : RESOURCE_GONE;
    return facts->local ? RESOURCE_REGISTER : RESOURCE_UNKNOWN;
}

/* One call. */
struct resolving {
    struct store *store;
    const struct resource_request *request;
    const char *scratch;
    const struct heartbeat *heartbeat;
    struct strvec *warnings;
    char *path;            /* what was given, absolute */
    struct strbuf content; /* where it lies as it is to be kept */
    struct strbuf commit;  /* in git: which; else empty */
};

static const char *word_of (const struct resolving *r)
{
    return resource_kind_word (r->request->kind);
}

/* --- what is at the path --- */

static int look (const char *path, struct stat *st)
{
    return stat (path, st) == 0;
}

static int refuse_changes (const struct resolving *r, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf changes = STRBUF_INIT;
    int rc = git_tree_changes (r->path, &changes, err);

    if (rc == 0 && changes.len > 0) {
        strbuf_truncate (&changes, changes.len - 1);
        strbuf_shorten (&changes, CHANGES_SHOWN_BYTES);
        for (char *c = changes.buf; *c; c++)
            *c = *c == '\n' ? ',' : *c;
        rc = error_set (err,
                        "'%s' has changes that are not committed (%s); commit "
                        "them, or say --commit",
                        r->path, changes.buf);
    }
    return rc;
}

static int commit_changes (const struct resolving *r, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf changes = STRBUF_INIT;
    const char *message = r->request->description;
    int rc = git_tree_changes (r->path, &changes, err);

    if (rc == 0 && changes.len > 0)
        rc = git_tree_commit (
            r->path, message && *message ? message : "fanfold quick", err);
    return rc;
}

/* The tree of a commit, in the scratch directory. */
static int take_from_git (struct resolving *r, struct error *err)
{
    int rc =
        r->request->commit ? commit_changes (r, err) : refuse_changes (r, err);

    if (rc < 0
        || git_tree_resolve (r->path, r->request->git_ref, &r->commit, err) < 0
        || git_tree_export (r->path, r->commit.buf, r->scratch, err) < 0)
        return -1;
    strbuf_add_str (&r->content, r->scratch);
    return 0;
}

static int take_dir (struct resolving *r, struct error *err)
{
    const struct resource_request *request = r->request;
    int in_git =
        request->kind == RESOURCE_ALGORITHM ? git_tree_is (r->path, err) : 0;

    if (in_git < 0)
        return -1;
    if (in_git > 0)
        return take_from_git (r, err);
    if (request->git_ref || request->commit)
        return error_set (err,
                          "'%s' is in no git work tree; drop %s, or make it "
                          "one with `git init`",
                          r->path, request->git_ref ? "--git-ref" : "--commit");
    strbuf_add_str (&r->content, r->path);
    return 0;
}

static int take_file (struct resolving *r, struct error *err)
{
    const struct resource_request *request = r->request;
    bool is_archive = archive_name_length (r->path) > 0;

    if (request->git_ref || request->commit)
        return error_set (err, "'%s' is a file and no git work tree; drop %s",
                          r->path, request->git_ref ? "--git-ref" : "--commit");
    if (!is_archive && request->kind == RESOURCE_ALGORITHM)
        return error_set (err,
                          "'%s' is neither a directory nor an archive (tar, "
                          "zip); give the directory it is in",
                          r->path);
    strbuf_add_str (&r->content, is_archive ? r->scratch : r->path);
    return is_archive ? archive_unpack (r->path, r->scratch, r->heartbeat, err)
                      : 0;
}

/* Where the content lies as it is to be kept: no link of it leads out. */
static int take_content (struct resolving *r, struct error *err)
{
    struct stat st;

    if (!look (r->path, &st))
        return error_errno (err, "cannot look at '%s'", r->path);
    if (!S_ISDIR (st.st_mode) && !S_ISREG (st.st_mode))
        return error_set (err, "'%s' is neither file nor directory", r->path);
    if ((S_ISDIR (st.st_mode) ? take_dir (r, err) : take_file (r, err)) < 0)
        return -1;
    return tree_check_links (r->content.buf, r->heartbeat, err);
}

/* --- what it becomes --- */

static int describe (const struct resolving *r, struct resource *new,
                     struct error *err)
{
    struct stat st;

    if (!look (r->content.buf, &st)
        || digest_tree (r->content.buf, new->sha256, NULL, r->heartbeat, err)
               < 0)
        return -1;
    new->file = S_ISREG (st.st_mode);
    new->name = r->request->name ? xstrdup (r->request->name)
                                 : resource_name_of_path (r->path);
    new->source = xstrdup (r->path);
    new->revision = xstrdup (r->commit.len > 0 ? r->commit.buf : new->sha256);
    if (r->request->description)
        new->description = xstrdup (r->request->description);
    return 0;
}

static void warn_gone (const struct resolving *r, const struct resource *one)
{
    strvec_pushf (r->warnings,
                  "the content of %s '%s' is gone from the store, or damaged; "
                  "it is registered anew from '%s'",
                  word_of (r), one->id, r->path);
}

static void warn_name (const struct resolving *r, const struct resource *one)
{
    const char *name = r->request->name;

    if (name && strcmp (name, one->name) != 0)
        strvec_pushf (r->warnings,
                      "%s '%s' has this content and is used; the name '%s' is "
                      "not",
                      word_of (r), one->id, name);
}

/* Content first, then the document: what a document names is there.  What is
 * kept already is not read again; but of programs who may execute them is no
 * part of the digest, and may be new.
 */
static int keep (const struct resolving *r, struct resource *new,
                 struct error *err)
{
    int there =
        store_has (r->store, resource_store_kind (new), new->sha256, NULL);
    int known;

    if ((there <= 0 || r->request->kind == RESOURCE_ALGORITHM)
        && store_put (r->store, r->content.buf, new->sha256, err) < 0)
        return -1;
    known = registry_add (r->store, r->request->kind, new, err);
    if (known > 0 && there == 0)
        warn_gone (r, new);
    if (known > 0)
        warn_name (r, new);
    return known < 0 ? -1 : 0;
}

static int register_local (struct resolving *r, struct resource *resource,
                           struct error *err)
{
    struct resource new = RESOURCE_INIT;

    if (take_content (r, err) < 0 || describe (r, &new, err) < 0
        || keep (r, &new, err) < 0) {
        resource_release (&new);
        return -1;
    }
    *resource = new;
    return 0;
}

/* --- which one is meant --- */

static bool is_at_source (const struct resolving *r, const struct resource *one)
{
    char hex[DIGEST_HEX_SIZE];

    return file_exists (one->source)
           && digest_tree (one->source, hex, NULL, r->heartbeat, NULL) == 0
           && strcmp (hex, one->sha256) == 0;
}

static int look_at_facts (const struct resolving *r, struct resource *one,
                          struct resource_facts *facts, struct error *err)
{
    const struct resource_request *request = r->request;
    struct stat st;
    int rc = registry_find (r->store, request->kind, request->given, one, err);

    if (rc < 0)
        return -1;
    facts->registered = rc > 0;
    facts->local = look (r->path, &st);
    if (rc == 0)
        return 0;
    rc = store_has (r->store, resource_store_kind (one), one->sha256, NULL);
    facts->kept = rc > 0;
    facts->at_source = rc == 0 && is_at_source (r, one);
    return 0;
}

static int refuse_unknown (const struct resolving *r, struct error *err)
{
    _cleanup_ (strvec_release) struct strvec ids = STRVEC_INIT;
    _cleanup_ (strbuf_release) struct strbuf all = STRBUF_INIT;

    if (registry_ids (r->store, r->request->kind, &ids, err) == 0) {
        for (size_t i = 0; i < ids.n; i++)
            strbuf_addf (&all, "%s%s", i > 0 ? ", " : "", ids.v[i]);
        strbuf_shorten (&all, CHANGES_SHOWN_BYTES);
        error_set (err,
                   "there is no %s '%s' in the store (there %s %s), and "
                   "nothing at '%s'",
                   word_of (r), r->request->given, ids.n == 1 ? "is" : "are",
                   ids.n > 0 ? all.buf : "none", r->path);
    }
    return -1;
}

/* What is registered has one content, whatever git says now. */
static int check_registered (const struct resolving *r,
                             const struct resource *one, struct error *err)
{
    if (!r->request->git_ref && !r->request->commit)
        return 0;
    return error_set (err,
                      "%s '%s' is registered as it is; drop %s, or give its "
                      "directory",
                      word_of (r), one->id,
                      r->request->git_ref ? "--git-ref" : "--commit");
}

static int restore (struct resolving *r, struct resource *one,
                    struct error *err)
{
    free (r->path);
    r->path = xstrdup (one->source);
    warn_gone (r, one);
    return store_put (r->store, one->source, one->sha256, err);
}

static int refuse_gone (const struct resolving *r, const struct resource *one,
                        struct error *err)
{
    return error_set (err,
                      "the content of %s '%s' is gone from the store, and "
                      "'%s', of which it was made, is not what it was; give a "
                      "directory or an archive",
                      word_of (r), one->id, one->source);
}

static int act (struct resolving *r, enum resource_action action,
                struct resource *one, struct error *err)
{
    switch (action) {
    case RESOURCE_USE:
        warn_name (r, one);
        return 0;
    case RESOURCE_RESTORE:
        return restore (r, one, err);
    case RESOURCE_REGISTER:
        return register_local (r, one, err);
    case RESOURCE_GONE:
        return refuse_gone (r, one, err);
    case RESOURCE_UNKNOWN:
        break;
    }
    return refuse_unknown (r, err);
}

int resource_resolve (struct store *store,
                      const struct resource_request *request,
                      const char *scratch, const struct heartbeat *heartbeat,
                      struct resource *resource, char **revision,
                      struct strvec *warnings, struct error *err)
{
    struct resolving r = {
        .store = store,
        .request = request,
        .scratch = scratch,
        .heartbeat = heartbeat,
        .warnings = warnings,
        .path = path_absolute (request->given),
        .content = STRBUF_INIT,
        .commit = STRBUF_INIT,
    };
    struct resource one = RESOURCE_INIT;
    struct resource_facts facts = { 0 };
    int rc = look_at_facts (&r, &one, &facts, err);

    if (rc == 0 && facts.registered)
        rc = check_registered (&r, &one, err);
    if (rc == 0)
        rc = act (&r, resource_decide (&facts), &one, err);
    if (rc == 0) {
        *resource = one;
        *revision = xstrdup (r.commit.len > 0 ? r.commit.buf : one.revision);
    } else {
        resource_release (&one);
    }
    strbuf_release (&r.commit);
    strbuf_release (&r.content);
    free (r.path);
    return rc;
}
