/* SPDX-License-Identifier: BSD-3-Clause */
/* git_tree.c - a directory as a commit of git has it */
#include "base/base.h"

#include <unistd.h>

#include "base/file.h"
#include "base/process.h"
#include "quick/archive.h"
#include "quick/git_tree.h"

enum { SAID_BYTES = 1 << 20, SHOWN_BYTES = 300 };

/* Run git in 'dir'.  0; its exit status when that is not 0, and what it said in
 * 'err'; -1: it could not be run.
 */
static int run_git (const char *dir, const char *const *arguments,
                    struct strbuf *out, struct error *err)
{
    _cleanup_ (strvec_release) struct strvec argv = STRVEC_INIT;
    struct process_spec spec = PROCESS_SPEC_INIT;
    _cleanup_ (process_result_release) struct process_result result =
        PROCESS_RESULT_INIT;
    int rc;

    strvec_push (&argv, "git");
    strvec_push (&argv, "-C");
    strvec_push (&argv, dir);
    strvec_push_all (&argv, (char *const *)arguments);
    spec.argv = (const char *const *)argv.v;
    spec.capture_bytes = SAID_BYTES;
    rc = process_run (&spec, &result, err);
    if (rc == 0 && !process_succeeded (&result)) {
        rc = result.exit_code > 0 ? result.exit_code : 1;
        while (result.err.len > 0 && result.err.buf[result.err.len - 1] == '\n')
            strbuf_truncate (&result.err, result.err.len - 1);
        strbuf_shorten (&result.err, SHOWN_BYTES);
        error_set (err, "%s: git %s: %s", dir, arguments[0],
                   result.err.len > 0 ? result.err.buf : "failed");
    }
    if (rc == 0 && out)
        strbuf_add (out, result.out.buf, result.out.len);
    return rc;
}

static int run_git_or_fail (const char *dir, const char *const *arguments,
                            struct strbuf *out, struct error *err)
{
    return run_git (dir, arguments, out, err) == 0 ? 0 : -1;
}

static void drop_line_end (struct strbuf *text)
{
    if (text->len > 0 && text->buf[text->len - 1] == '\n')
        strbuf_truncate (text, text->len - 1);
}

/* Is there a .git in the directory or above? */
static bool looks_like_git (const char *dir)
{
    _cleanup_free_ char *at = path_absolute (dir);
    bool found = false;

    while (!found && *at) {
        char *path = path_join (at, ".git");
        char *slash = strrchr (at, '/');

        found = file_exists (path);
        free (path);
        if (slash)
            *slash = '\0';
    }
    return found;
}

int git_tree_is (const char *dir, struct error *err)
{
    static const char *const inside[] = { "rev-parse", "--is-inside-work-tree",
                                          NULL };
    static const char *const ignored[] = { "check-ignore", "-q", ".", NULL };
    _cleanup_ (strbuf_release) struct strbuf out = STRBUF_INIT;
    int rc;

    if (!looks_like_git (dir))
        return 0;
    rc = run_git (dir, inside, &out, err);
    drop_line_end (&out);
    if (rc == 0)
        rc = strcmp (out.buf, "true") == 0
             && run_git (dir, ignored, NULL, NULL) != 0;
    else
        rc = -1;
    return rc;
}

int git_tree_changes (const char *dir, struct strbuf *changes,
                      struct error *err)
{
    static const char *const arguments[] = {
        "status", "--porcelain", "--untracked-files=all", "--", ".", NULL
    };

    return run_git_or_fail (dir, arguments, changes, err);
}

int git_tree_commit (const char *dir, const char *message, struct error *err)
{
    static const char *const add[] = { "add", "--all", "--", ".", NULL };
    const char *const commit[] = { "commit", "--quiet", "-m", message,
                                   "--",     ".",       NULL };

    return run_git_or_fail (dir, add, NULL, err) < 0
                   || run_git_or_fail (dir, commit, NULL, err) < 0
               ? -1
               : 0;
}

int git_tree_resolve (const char *dir, const char *ref, struct strbuf *commit,
                      struct error *err)
{
    _cleanup_free_ char *name = xasprintf ("%s^{commit}", ref ? ref : "HEAD");
    const char *const arguments[] = { "rev-parse",        "--verify", "--quiet",
                                      "--end-of-options", name,       NULL };
    int rc = run_git (dir, arguments, commit, err);

    drop_line_end (commit);
    if (rc > 0 && ref)
        error_set (err, "%s: there is no commit '%s'", dir, ref);
    else if (rc > 0)
        error_set (err, "%s: nothing is committed yet", dir);
    return rc == 0 ? 0 : -1;
}

/* What it is a commit of elsewhere has no files here.  Paths are relative to
 * the directory that git works in, and no others are listed.
 */
static int check_files (const char *dir, const char *commit, struct error *err)
{
    const char *const arguments[] = { "ls-tree", "-r", commit, NULL };
    _cleanup_ (strbuf_release) struct strbuf out = STRBUF_INIT;
    _cleanup_ (strvec_release) struct strvec lines = STRVEC_INIT;
    int rc = run_git_or_fail (dir, arguments, &out, err);

    strvec_split (&lines, out.buf, "\n");
    if (rc == 0 && lines.n == 0)
        rc = error_set (err, "'%s' has no files in the commit %s", dir, commit);
    for (size_t i = 0; rc == 0 && i < lines.n; i++) {
        if (strncmp (lines.v[i], "160000 ", 7) == 0)
            rc = error_set (err,
                            "%s: '%s' is a submodule, whose files a commit "
                            "does not have; give a directory outside git",
                            dir, strchr (lines.v[i], '\t') + 1);
    }
    return rc;
}

int git_tree_export (const char *dir, const char *commit, const char *to,
                     struct error *err)
{
    _cleanup_free_ char *tar = xasprintf ("%s.tar", to);
    _cleanup_free_ char *output = xasprintf ("--output=%s", tar);
    const char *const arguments[] = { "archive", "--format=tar", output, commit,
                                      NULL };
    int rc = -1;

    if (check_files (dir, commit, err) == 0
        && run_git_or_fail (dir, arguments, NULL, err) == 0)
        rc = archive_unpack (tar, to, NULL, err);
    unlink (tar);
    return rc;
}
