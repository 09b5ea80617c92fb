/* SPDX-License-Identifier: BSD-3-Clause */
/* accounts.c - what accounting lets a user have */
#include "base/base.h"

#include "arrays/packing.h"
#include "base/arena.h"
#include "reply_text.h"
#include "site_description.h"
#include "slurm/slurm.h"

enum { COLUMNS_MAX = 5 };

/* --- quality of service --- */

static int64_t qos_limit (const char *table, const char *name)
{
    _cleanup_ (strvec_release) struct strvec lines = STRVEC_INIT;
    int64_t least = 0;

    strvec_split (&lines, table, "\n");
    for (size_t i = 0; name && i < lines.n; i++) {
        char *column[COLUMNS_MAX];

        if (reply_cut (lines.v[i], column, 4) < 0
            || strcmp (column[0], name) != 0)
            continue;
        for (size_t c = 1; c < 4; c++)
            least = tighter_limit (least, reply_count (column[c]));
    }
    return least;
}

/* The QOS a job gets that names none: the default of its association, or the
 * only one it may use.
 */
static const char *default_qos (const char *allowed, const char *by_default)
{
    if (*by_default)
        return by_default;
    return *allowed && !strchr (allowed, ',') ? allowed : NULL;
}

/* --- associations --- */

enum { ACCOUNT, PARTITION, MAX_SUBMIT, QOS, DEFAULT_QOS };

static bool is_meant (char *const column[], const char *account,
                      const char *partition)
{
    if (account && strcmp (column[ACCOUNT], account) != 0)
        return false;
    return !partition || !*column[PARTITION]
           || strcmp (column[PARTITION], partition) == 0;
}

void slurm_add_accounts (const char *associations,
                         struct site_description *site)
{
    _cleanup_ (strvec_release) struct strvec lines = STRVEC_INIT;

    strvec_split (&lines, associations, "\n");
    for (size_t i = 0; i < lines.n; i++) {
        char *column[COLUMNS_MAX];
        struct site_account *account;

        if (reply_cut (lines.v[i], column, COLUMNS_MAX) < 0)
            continue;
        account = site_add_account (site, column[ACCOUNT]);
        if (*column[PARTITION])
            account->queue = arena_strdup (site->arena, column[PARTITION]);
    }
}

int64_t slurm_submit_limit (const char *associations, const char *qos,
                            const struct scheduler *scheduler,
                            const char *partition_qos)
{
    _cleanup_ (strvec_release) struct strvec lines = STRVEC_INIT;
    int64_t least = tighter_limit (qos_limit (qos, partition_qos),
                                   qos_limit (qos, scheduler->qos));

    strvec_split (&lines, associations, "\n");
    for (size_t i = 0; i < lines.n; i++) {
        char *column[COLUMNS_MAX];

        if (reply_cut (lines.v[i], column, COLUMNS_MAX) < 0
            || !is_meant (column, scheduler->account, scheduler->queue))
            continue;
        least = tighter_limit (least, reply_count (column[MAX_SUBMIT]));
        if (!scheduler->qos)
            least = tighter_limit (
                least, qos_limit (qos, default_qos (column[QOS],
                                                    column[DEFAULT_QOS])));
    }
    return least;
}
