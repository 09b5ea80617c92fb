/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes.c - what sinfo tells of the nodes of partitions */
#include "config.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/compiler.h"
#include "base/strvec.h"
#include "slurm/nodes.h"

enum { COLUMNS = 6 };

/* A state may carry a sign: "idle*" does not respond, "idle$" is reserved for
 * maintenance, "idle~" is powered off until it is needed.
 */
static bool is_usable (const char *state)
{
    static const char *const words[] = { "idle",       "mixed",    "allocated",
                                         "completing", "reserved", "planned" };
    size_t len = strcspn (state, "*~#!%$@^-+");

    if (strchr (state, '*') || strchr (state, '$'))
        return false;
    for (size_t i = 0; i < ARRAY_SIZE (words); i++) {
        if (strlen (words[i]) == len && strncmp (state, words[i], len) == 0)
            return true;
    }
    return false;
}

/* A count, "4+" of nodes that are not alike after all being at least 4. */
static int64_t read_count (const char *text)
{
    long long n = strtoll (text, NULL, 10);

    return n > 0 ? n : 0;
}

static bool read_line (char *line, struct slurm_nodes *nodes)
{
    char *column[COLUMNS] = { line };

    for (size_t i = 1; i < COLUMNS; i++) {
        char *bar = strchr (column[i - 1], '|');

        if (!bar)
            return false;
        *bar = '\0';
        column[i] = bar + 1;
    }
    *nodes = (struct slurm_nodes){
        .partition = column[0],
        .nodes = read_count (column[1]),
        .cpus = read_count (column[2]),
        .memory_mib = read_count (column[3]),
        .usable = is_usable (column[4]),
        .gres = column[5],
    };
    return true;
}

void slurm_each_nodes (const char *text,
                       void (*each) (const struct slurm_nodes *nodes,
                                     void *arg),
                       void *arg)
{
    struct strvec lines = STRVEC_INIT;

    strvec_split (&lines, text, "\n");
    for (size_t i = 0; i < lines.n; i++) {
        struct slurm_nodes nodes;

        if (read_line (lines.v[i], &nodes))
            each (&nodes, arg);
    }
    strvec_release (&lines);
}

/* The count in "gpu:2", "gpu:a100:2", "gpu:a100:2(S:0)", when it is 'name'. */
static int64_t one_count (char *entry, const char *name)
{
    size_t len = strlen (name);
    char *last;

    entry[strcspn (entry, "(")] = '\0';
    if (strncmp (entry, name, len) != 0 || entry[len] != ':')
        return 0;
    last = strrchr (entry, ':');
    return read_count (last + 1);
}

int64_t slurm_gres_count (const char *gres, const char *name)
{
    struct strvec entries = STRVEC_INIT;
    int64_t n = 0;

    strvec_split (&entries, gres, ",");
    for (size_t i = 0; i < entries.n; i++)
        n += one_count (entries.v[i], name);
    strvec_release (&entries);
    return n;
}

/* --- what most of them have --- */

struct shape {
    struct slurm_node node;
    int64_t nodes;
};

struct survey {
    const char *partition;
    struct shape *shapes;
    size_t n, alloc;
};

/* sinfo tells nodes in different states apart. */
static void count_nodes (const struct slurm_nodes *nodes, void *arg)
{
    struct survey *survey = arg;
    struct slurm_node node = { nodes->cpus, nodes->memory_mib,
                               slurm_gres_count (nodes->gres, "gpu") };
    size_t i = 0;

    if (strcmp (nodes->partition, survey->partition) != 0 || nodes->cpus < 1)
        return;
    while (i < survey->n
           && (survey->shapes[i].node.cpus != node.cpus
               || survey->shapes[i].node.memory_mib != node.memory_mib
               || survey->shapes[i].node.gpus != node.gpus))
        i++;
    if (i == survey->n) {
        survey->shapes = grow_array (survey->shapes, survey->n, &survey->alloc,
                                     sizeof (*survey->shapes));
        survey->shapes[survey->n++] = (struct shape){ .node = node };
    }
    survey->shapes[i].nodes += nodes->nodes;
}

static bool is_commoner (const struct shape *a, const struct shape *b)
{
    if (a->nodes != b->nodes)
        return a->nodes > b->nodes;
    return a->node.cpus < b->node.cpus;
}

bool slurm_common_node (const char *text,
                        const char *partition,
                        struct slurm_node *node)
{
    struct survey survey = { .partition = partition };
    const struct shape *best = NULL;

    slurm_each_nodes (text, count_nodes, &survey);
    for (size_t i = 0; i < survey.n; i++) {
        if (!best || is_commoner (&survey.shapes[i], best))
            best = &survey.shapes[i];
    }
    if (best)
        *node = best->node;
    free (survey.shapes);
    return best != NULL;
}
