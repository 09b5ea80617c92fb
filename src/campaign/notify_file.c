/* SPDX-License-Identifier: BSD-3-Clause */
/* notify_file.c - `notify:`, programs that are run to tell people of a campaign
 */
#include "base/base.h"

#include "campaign/field_reader.h"
#include "campaign/notify.h"
#include "campaign/programs_check.h"
#include "signature/template.h"

static const char *const names[] = {
    [NOTICE_STAGE_FAILED] = "stage_failed",
    [NOTICE_ITERATION_DONE] = "iteration_done",
    [NOTICE_PAUSED] = "paused",
    [NOTICE_DONE] = "done",
    [NOTICE_STUCK] = "stuck",
};

const char *notice_event_name (enum notice_event event)
{
    return names[event];
}

enum notice_event notice_event_find (const char *name)
{
    int event = 0;

    while (event < NOTICE_EVENTS && strcmp (names[event], name) != 0)
        event++;
    return (enum notice_event)event;
}

static int check_placeholder (const char *name, void *arg, struct error *err)
{
    const struct yaml_node *item = arg;

    (void)err;
    if (strcmp (name, "campaign") != 0 && strcmp (name, "fanfold") != 0)
        field_problem (item,
                       "notify: unknown placeholder '{%s}'; there is "
                       "{campaign} and {fanfold}, and the event is on standard "
                       "input",
                       name);
    return 0;
}

/* It is run in the campaign's directory, which a site knows nothing of. */
static void check_argv (struct yaml_node *argv)
{
    const char *program = argv->items[0]->text;

    for (size_t i = 0; i < argv->n; i++) {
        struct error err = ERROR_INIT;

        if (template_scan (argv->items[i]->text, check_placeholder,
                           argv->items[i], &err)
            < 0)
            field_problem (argv->items[i], "notify: %s", err.text);
    }
    if (strchr (program, '/') && program[0] != '/' && program[0] != '{')
        field_problem (argv->items[0],
                       "notify: '%s' is relative; write a full path, or "
                       "\"{campaign}/%s\"",
                       program,
                       program + (strncmp (program, "./", 2) == 0 ? 2 : 0));
    argv_check_shell (argv);
}

void notify_read (const struct yaml_node *node, void *record)
{
    static const struct field fields[] = {
        FIELD_AS (struct notify, argv[NOTICE_STAGE_FAILED], "stage_failed",
                  ARGV),
        FIELD_AS (struct notify, argv[NOTICE_ITERATION_DONE], "iteration_done",
                  ARGV),
        FIELD_AS (struct notify, argv[NOTICE_PAUSED], "paused", ARGV),
        FIELD_AS (struct notify, argv[NOTICE_DONE], "done", ARGV),
        FIELD_AS (struct notify, argv[NOTICE_STUCK], "stuck", ARGV),
        FIELD_AS (struct notify, deadline_s, "deadline", DURATION),
        FIELDS_END,
    };
    struct notify *notify = record;
    struct notify read = { .known = true };

    if (field_record (node, "notify", fields, &read) < 0)
        return;
    if (read.deadline_s > 0)
        notify->deadline_s = read.deadline_s;
    for (size_t i = 0; i < node->n; i++) {
        enum notice_event event = notice_event_find (node->keys[i]->text);

        if (event == NOTICE_EVENTS || !read.argv[event])
            continue;
        check_argv (node->items[i]);
        notify->argv[event] = read.argv[event];
        notify->mark[event] = node->items[i]->mark;
    }
}
