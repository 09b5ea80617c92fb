/* SPDX-License-Identifier: BSD-3-Clause */
/* recover.c - go on with a campaign whose journal is damaged or cut */
#include "base/base.h"

#include "base/file.h"
#include "commands/command.h"
#include "engine/history/recovery.h"
#include "space/layout.h"

static void print_list (const char *what, const struct strvec *list)
{
    for (size_t i = 0; i < list->n; i++)
        printf ("%s%s%s", i == 0 ? what : ", ", list->v[i],
                i + 1 == list->n ? "\n" : "");
}

static void print_recovery (const struct recovery *recovery)
{
    if (!recovery->needed) {
        printf ("the journal is whole; nothing to recover\n");
        return;
    }
    printf ("recovered: %" PRId64 " events of the journal stay",
            recovery->events);
    if (recovery->by_state)
        printf (", and what state.json tells beyond them");
    if (recovery->lost > 0)
        printf ("; the last %" PRId64 " are lost", recovery->lost);
    if (recovery->segment > 0)
        printf ("; segment %" PRId64 " of the journal is gone",
                recovery->segment);
    printf ("\nthe former journal is in %s\n", recovery->kept);
    print_list ("attempts that nothing is known of any more: ",
                &recovery->moved);
    print_list ("cancel their jobs, where they still are: ", &recovery->jobs);
    printf ("results that are there count; `fanfold run` goes on\n");
}

static enum exit_status recover (const struct invocation *invocation)
{
    struct recovery recovery = RECOVERY_INIT;
    struct error err = ERROR_INIT;
    char *dir = path_absolute (invocation->dir);
    char *hidden = path_join (dir, LAYOUT_HIDDEN_DIR);
    int rc = file_look (hidden, &err);

    if (rc == 0)
        error_set (&err, "'%s' has no campaign that has begun", dir);
    rc =
        rc > 0 ? campaign_recover (dir, stopping_flag (), &recovery, &err) : -1;
    if (rc == 0)
        print_recovery (&recovery);
    recovery_release (&recovery);
    free (hidden);
    free (dir);
    if (rc != 0)
        return complain (rc > 0 ? STATUS_BUSY : STATUS_FAILED, "%s", err.text);
    return STATUS_DONE;
}

const struct command recover_command = {
    .name = "recover",
    .summary = "make a damaged journal whole from what is provable",
    .run = recover,
};
