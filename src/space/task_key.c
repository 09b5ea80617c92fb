/* SPDX-License-Identifier: BSD-3-Clause */
/* task_key.c - one name for a stage of an iteration, or for a task of it */
#include "base/base.h"

#include "space/task_key.h"

static const char begin[] = "iter-";
static const char between[] = "--";

bool task_key_is_meant (const char *text)
{
    return strncmp (text, begin, strlen (begin)) == 0;
}

/* Up to nine digits, which *text is moved behind; -1: there are none. */
static int take_number (const char **text)
{
    size_t len = strspn (*text, "0123456789");
    int n = len >= 1 && len <= 9 ? atoi (*text) : -1;

    *text += len;
    return n;
}

int task_key_parse (const char *text, struct task_key *key)
{
    struct task_key read = { .task = -1 };
    const char *at = text + strlen (begin);
    size_t len;

    if (!task_key_is_meant (text) || (read.iteration = take_number (&at)) < 0
        || strncmp (at, between, strlen (between)) != 0)
        return -1;
    at += strlen (between);
    len = strcspn (at, "-");
    if (len >= sizeof (read.stage))
        return -1;
    memcpy (read.stage, at, len);
    at += len;
    if (*at == '-') {
        at++;
        if ((read.task = take_number (&at)) < 0)
            return -1;
    }
    if (*at != '\0' || !layout_stage_name_ok (read.stage))
        return -1;
    *key = read;
    return 0;
}

void task_key_text (const char *stage, int iteration, int task,
                    struct strbuf *out)
{
    strbuf_addf (out, "%s%06d%s%s", begin, iteration, between, stage);
    if (task >= 0)
        strbuf_addf (out, "-%06d", task);
}
