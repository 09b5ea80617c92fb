/* SPDX-License-Identifier: BSD-3-Clause */
/* new.c - write a commented campaign from a template
 *
 * The template runs as it is, with nothing but a shell: the reader changes a
 * working campaign instead of completing a broken one.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arrays/array_job.h"
#include "base/error.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "commands/command_table.h"
#include "commands/invocation.h"
#include "commands/new_template.h"

/* A campaign's name is the directory's, where that is fit to be one. */
static void campaign_name (const char *dir, struct strbuf *name)
{
    static const char legal[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
    char *full = path_absolute (dir);
    const char *base = path_base (full);

    if (*base && *base != '.' && *base != '-' && *base != '_'
        && base[strspn (base, legal)] == '\0')
        strbuf_add_str (name, base);
    else
        strbuf_add_str (name, "campaign");
    free (full);
}

static int write_new (const char *dir,
                      const char *file,
                      const struct strbuf *text,
                      struct error *err)
{
    char *path = path_join (dir, file);
    int rc = file_create (path, text->buf, text->len, err);

    if (rc > 0)
        rc = error_set (err,
                        "%s is there already; choose another directory "
                        "with -C",
                        path);
    free (path);
    return rc;
}

/* To be pasted into a shell. */
static void print_next (const char *dir)
{
    struct strbuf word = STRBUF_INIT;

    shell_quote (dir, &word);
    printf ("wrote campaign.yaml and site.yaml in %s\n"
            "next: fanfold -C %s check; fanfold -C %s run\n",
            dir, word.buf, word.buf);
    strbuf_release (&word);
}

static enum exit_status create (const struct invocation *invocation)
{
    struct strbuf campaign = STRBUF_INIT;
    struct strbuf site = STRBUF_INIT;
    struct strbuf name = STRBUF_INIT;
    struct error err = ERROR_INIT;
    const char *dir =
        invocation->n_args > 0 ? invocation->args[0] : invocation->dir;
    enum exit_status status = STATUS_DONE;

    campaign_name (dir, &name);
    strbuf_addf (&campaign, "%s%s%s", new_campaign_head, name.buf,
                 new_campaign_body);
    strbuf_add_str (&site, new_site);
    if (file_make_dirs (dir, &err) < 0
        || write_new (dir, "campaign.yaml", &campaign, &err) < 0
        || write_new (dir, "site.yaml", &site, &err) < 0)
        status = complain (STATUS_FAILED, "%s", err.text);
    else
        print_next (dir);
    strbuf_release (&name);
    strbuf_release (&site);
    strbuf_release (&campaign);
    return status;
}

const struct command new_command = {
    .name = "new",
    .arguments = "[DIR]",
    .summary = "write a commented campaign.yaml and site.yaml",
    .max_args = 1,
    .run = create,
};
