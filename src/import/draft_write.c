/* SPDX-License-Identifier: BSD-3-Clause */
/* draft_write.c - a drafted campaign put on the disk, and files it is made of
 */
#include "base/base.h"

#include <unistd.h>

#include "base/file.h"
#include "base/file_copy.h"
#include "base/file_glob.h"
#include "base/json.h"
#include "import/draft_write.h"

enum { TEMPLATE_MAX_BYTES = 16 << 20 };

/* --- reading --- */

static int read_text (const char *path, struct strbuf *out, struct error *err)
{
    struct error said = ERROR_INIT;

    if (file_read (path, TEMPLATE_MAX_BYTES, out, &said) == 0) {
        if (strlen (out->buf) == out->len)
            return 0;
        return error_set (err, "'%s' is no text: it has NUL characters", path);
    }
    return error_is_absence (&said) ? 1 : error_copy (err, &said);
}

static int look (const char *pattern)
{
    _cleanup_ (strvec_release) struct strvec found = STRVEC_INIT;
    int there = file_exists (pattern);

    if (!there && path_is_pattern (pattern))
        there = file_glob ("/", pattern, &found, NULL) == 0;
    return there;
}

struct import_files import_files_of (const char *dir, const char *around)
{
    return (struct import_files){
        .dir = dir, .read = read_text, .look = look, .around = around
    };
}

/* --- writing --- */

static int write_text (const char *dir, const char *name, const char *text,
                       struct error *err)
{
    _cleanup_free_ char *path = path_join (dir, name);
    int rc = file_make_parent (path, err);

    if (rc == 0)
        rc = file_write_atomic (path, text, strlen (text), err);
    return rc;
}

static int write_outline (const struct outline *outline, const char *head,
                          const char *dir, const char *name, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    strbuf_add_str (&text, head);
    outline_write (outline, &text);
    return write_text (dir, name, text.buf, err);
}

static int write_copies (const struct draft *draft, const char *dir,
                         struct error *err)
{
    int rc = 0;

    JSON_FOREACH (draft->copies, it) {
        const char *from = json_as_string (json_iter_value (it));
        _cleanup_free_ char *below =
            path_join (json_iter_key (it), path_base (from));
        _cleanup_free_ char *to = path_join (dir, below);

        /* One that is missing has been listed. */
        if (rc == 0 && file_exists (from) && file_make_parent (to, err) == 0)
            rc = file_copy (from, to, 0666, NULL, err);
    }
    return rc;
}

static int write_all (const struct draft *draft, const char *origin,
                      const char *dir, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf report = STRBUF_INIT;
    _cleanup_free_ char *head = xasprintf (
        "# Made from %s by `fanfold import`.\n"
        "# import.txt tells what became of every key; fanfold-campaign(5) and\n"
        "# fanfold-operators(7) explain what stands here.\n",
        origin);

    strbuf_addf (&report, "What became of %s\n", origin);
    draft_report (draft, &report);
    if (write_outline (&draft->campaign, head, dir, "campaign.yaml", err) < 0
        || write_outline (&draft->site, head, dir, "site.yaml", err) < 0
        || write_text (dir, "import.txt", report.buf, err) < 0)
        return -1;
    for (size_t i = 0; i < draft->paths.n; i++) {
        if (write_text (dir, draft->paths.v[i], draft->texts.v[i], err) < 0)
            return -1;
    }
    return write_copies (draft, dir, err);
}

/* 0: it is not there, or empty. */
static int check_place (const char *dir, struct error *err)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    struct error said = ERROR_INIT;
    int rc = 0;

    if (file_list_dir (dir, &names, &said) < 0)
        rc = error_is_absence (&said) ? 0 : error_copy (err, &said);
    else if (names.n > 0)
        rc = error_set (
            err, "'%s' is not empty; name a directory that is not there", dir);
    return rc;
}

int draft_write (const struct draft *draft, const char *origin, const char *dir,
                 struct error *err)
{
    _cleanup_free_ char *place = path_absolute (dir);
    _cleanup_free_ char *temporary =
        xasprintf ("%s" FILE_TEMPORARY "%ld", place, (long)getpid ());
    int rc = check_place (place, err);

    if (rc == 0)
        rc = file_make_dirs (temporary, err);
    if (rc == 0) {
        rc = write_all (draft, origin, temporary, err);
        if (rc == 0)
            rc = file_rename (temporary, place, err);
        if (rc < 0)
            file_remove_tree (temporary, NULL, NULL);
    }
    return rc;
}

/* --- what a person is told --- */

static void add_remarks (const struct draft *draft, struct strbuf *out)
{
    if (draft->absent.n > 0)
        strbuf_add_str (out, "\nNamed, and not there:\n");
    for (size_t i = 0; i < draft->absent.n; i++)
        strbuf_addf (out, "  %s\n", draft->absent.v[i]);
    if (draft->remarks.n > 0)
        strbuf_add_str (out, "\nTo be known:\n");
    for (size_t i = 0; i < draft->remarks.n; i++)
        strbuf_addf (out, "  %s\n", draft->remarks.v[i]);
}

void draft_report (const struct draft *draft, struct strbuf *out)
{
    add_remarks (draft, out);
    key_report_text (&draft->report, out);
}

void draft_summary (const struct draft *draft, struct strbuf *out)
{
    add_remarks (draft, out);
    key_report_fate_text (&draft->report, KEY_UNSUPPORTED, out);
    key_report_fate_text (&draft->report, KEY_UNKNOWN, out);
}
