/* SPDX-License-Identifier: BSD-3-Clause */
/* submit_limits.c - how many elements accounting lets a user have */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "arrays/packing.h"
#include "base/strvec.h"
#include "slurm/submit_limits.h"

enum { COLUMNS_MAX = 5 };

/* Cut a line of 'n' columns in place; false when it has not as many. */
static bool cut_row (char *line, size_t n, char *columns[])
{
    for (size_t i = 0; i < n; i++) {
        columns[i] = line;
        line = strchr (line, '|');
        if (!line)
            return i + 1 == n;
        *line++ = '\0';
    }
    return false;
}

/* Slurm leaves a limit that is not set empty; some versions print -1. */
static int64_t read_limit (const char *text)
{
    long long n = strtoll (text, NULL, 10);

    return n > 0 ? n : 0;
}

/* --- quality of service --- */

static int64_t qos_limit (const char *table, const char *name)
{
    struct strvec lines = STRVEC_INIT;
    int64_t least = 0;

    strvec_split (&lines, table, "\n");
    for (size_t i = 0; name && i < lines.n; i++) {
        char *column[COLUMNS_MAX];

        if (!cut_row (lines.v[i], 4, column) || strcmp (column[0], name) != 0)
            continue;
        for (size_t c = 1; c < 4; c++)
            least = tighter_limit (least, read_limit (column[c]));
    }
    strvec_release (&lines);
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

static bool is_meant (char *const column[],
                      const char *account,
                      const char *partition)
{
    if (account && strcmp (column[ACCOUNT], account) != 0)
        return false;
    return !partition || !*column[PARTITION]
           || strcmp (column[PARTITION], partition) == 0;
}

bool slurm_has_association (const char *associations,
                            const char *account,
                            const char *partition)
{
    struct strvec lines = STRVEC_INIT;
    bool found = false;

    strvec_split (&lines, associations, "\n");
    for (size_t i = 0; i < lines.n && !found; i++) {
        char *column[COLUMNS_MAX];

        found = cut_row (lines.v[i], COLUMNS_MAX, column)
                && is_meant (column, account, partition);
    }
    strvec_release (&lines);
    return found;
}

int64_t slurm_submit_limit (const char *associations,
                            const char *qos,
                            const struct slurm_claim *claim)
{
    struct strvec lines = STRVEC_INIT;
    int64_t least = tighter_limit (qos_limit (qos, claim->partition_qos),
                                   qos_limit (qos, claim->qos));

    strvec_split (&lines, associations, "\n");
    for (size_t i = 0; i < lines.n; i++) {
        char *column[COLUMNS_MAX];

        if (!cut_row (lines.v[i], COLUMNS_MAX, column)
            || !is_meant (column, claim->account, claim->partition))
            continue;
        least = tighter_limit (least, read_limit (column[MAX_SUBMIT]));
        if (!claim->qos)
            least = tighter_limit (
                least, qos_limit (qos, default_qos (column[QOS],
                                                    column[DEFAULT_QOS])));
    }
    strvec_release (&lines);
    return least;
}
