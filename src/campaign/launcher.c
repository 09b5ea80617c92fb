/* SPDX-License-Identifier: BSD-3-Clause */
/* launcher.c - what starts tasks of several ranks and agents of several nodes
 */
#include "base/base.h"

#include "adapter.h"
#include "campaign/field_reader.h"
#include "campaign/launcher.h"
#include "campaign/plan.h"
#include "signature/operator.h"
#include "signature/template.h"

/* A program linked to Open MPI and started alone starts a helper by default and
 * looks for networks (half a second); isolated ones all use the same session
 * directory unless each has its own.
 */
static const char *const openmpi_alone[] = {
    "OMPI_MCA_pml=ob1",
    "OMPI_MCA_btl=self",
    "OMPI_MCA_ess_singleton_isolated=1",
    "OMPI_MCA_orte_tmpdir_base={dir}",
    "OMPI_ALLOW_RUN_AS_ROOT=1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
    NULL,
};

/* Open MPI (4 and 5) numbers the node's cores from 0 and would put the ranks of
 * every task on the same ones.
 */
static const char *const openmpi_ranks[] = {
    "OMPI_MCA_hwloc_base_binding_policy=none",
    "PRTE_MCA_hwloc_default_binding_policy=none",
    "OMPI_ALLOW_RUN_AS_ROOT=1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
    NULL,
};

static const char *const openmpi_not_ranks[] = {
    "OMPI_MCA_btl=self",
    "OMPI_MCA_ess_singleton_isolated=1",
    NULL,
};

/* Intel MPI pins even a rank that is alone. */
static const char *const intelmpi_all[] = { "I_MPI_PIN=0", NULL };

static const char *const none[] = { NULL };

/* An agent is no MPI program: it ends with what status it likes, and its end is
 * not the others' end.
 */
#define OPENMPI_AGENTS                                                         \
    "env", "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",     \
        "OMPI_MCA_orte_abort_on_non_zero_status=0",                            \
        "PRTE_MCA_prte_abort_on_non_zero_status=0", "mpirun", "-n", "{nodes}", \
        "--map-by", "ppr:1:node", "--bind-to", "none", "{on_nodes}"

/* A step of srun runs where srun chooses among what the job has, and must take
 * no more of it than it needs: else two tasks share cores, or wait for each
 * other.  (Memory is the job's; 0 takes none of it away.)
 */
static const struct preset {
    const char *name;
    const char *argv[9];
    const char *agents[16];
    struct launcher_environment environment;
} presets[] = {
    { "openmpi",
      { "mpirun", "-n", "{ranks}" },
      { OPENMPI_AGENTS },
      { openmpi_alone, openmpi_ranks, openmpi_not_ranks } },
    { "mpich",
      { "mpiexec", "-n", "{ranks}", "-ppn", "{ranks_per_node}", "-bind-to",
        "none" },
      { "mpiexec", "-n", "{nodes}", "-ppn", "1", "-bind-to", "none",
        "{on_nodes}" },
      { none, none, none } },
    { "intelmpi",
      { "mpirun", "-n", "{ranks}", "-ppn", "{ranks_per_node}" },
      { "env", "I_MPI_PIN=0", "mpirun", "-n", "{nodes}", "-ppn", "1",
        "{on_nodes}" },
      { intelmpi_all, intelmpi_all, none } },
    { "srun",
      { "srun", "--nodes={nodes}", "--ntasks={ranks}",
        "--cpus-per-task={cores_per_rank}", "--exact", "--mem=0",
        "--gpus={gpus}", "{on_nodes}" },
      { OPENMPI_AGENTS }, /* a scheduler with srun names it itself */
      { openmpi_alone, openmpi_ranks, openmpi_not_ranks } },
};

/* What the scheduler names goes first: it knows where its jobs run. */
static const char *const *agents_of (const struct profile *profile,
                                     const struct preset *preset)
{
    const struct scheduler_adapter *adapter =
        profile->scheduler ? scheduler_adapter_find (profile->scheduler) : NULL;
    const char *const *argv =
        adapter && adapter->agents ? adapter->agents () : NULL;

    return argv ? argv : preset->agents;
}

void launcher_default (struct profile *profile)
{
    profile->launcher = presets[0].argv;
    profile->environment = &presets[0].environment;
    profile->agents = agents_of (profile, &presets[0]);
}

/* A command in one text: the list that it should be. */
static void complain_of_text (const struct yaml_node *node)
{
    _cleanup_ (strbuf_release) struct strbuf list = STRBUF_INIT;
    const char *at = node->text + strspn (node->text, " ");

    while (*at) {
        size_t len = strcspn (at, " ");
        bool quoted = memchr (at, '{', len) || memchr (at, ',', len);

        strbuf_addf (&list, "%s%s%.*s%s", list.len > 0 ? ", " : "",
                     quoted ? "\"" : "", (int)len, at, quoted ? "\"" : "");
        at += len;
        at += strspn (at, " ");
    }
    field_problem (node, "launcher: '%s' is one text; write a list, [%s]",
                   node->text, list.buf);
}

static void read_preset (const struct yaml_node *node, struct profile *profile)
{
    int i;

    if (strchr (node->text, ' ')) {
        complain_of_text (node);
        return;
    }
    i = field_choose (node, node->text, presets, ARRAY_SIZE (presets),
                      sizeof (*presets), "launcher: there is no preset '%s'",
                      node->text);

    if (i < 0)
        return;
    profile->launcher = presets[i].argv;
    profile->environment = &presets[i].environment;
    profile->agents = agents_of (profile, &presets[i]);
}

/* 'arg': the names that are known. */
static int check_name (const char *name, void *arg, struct error *err)
{
    const char *const *names = arg;
    _cleanup_ (strbuf_release) struct strbuf known = STRBUF_INIT;

    for (; *names && strcmp (*names, name) != 0; names++)
        strbuf_addf (&known, "%s{%s}", known.len > 0 ? ", " : "", *names);
    if (!*names)
        error_set (err, "unknown placeholder '{%s}'; there is %s", name,
                   known.buf);
    return *names ? 0 : -1;
}

void argv_template_read (const struct yaml_node *node, const char *const *names,
                         const char *const **argv)
{
    struct error err;

    if (field_argv (node, argv) < 0)
        return;
    for (size_t i = 0; i < node->n; i++) {
        if (template_scan (node->items[i]->text, check_name, (void *)names,
                           &err)
            < 0)
            field_problem (node->items[i], "%s: %s", yaml_name (node),
                           err.text);
    }
}

void agents_read (const struct yaml_node *node, void *profile)
{
    struct profile *into = profile;

    argv_template_read (node, operator_agents_placeholders, &into->agents);
}

static bool names_ranks (const struct yaml_node *argv)
{
    for (size_t i = 0; i < argv->n; i++) {
        if (argv->items[i]->kind == YAML_SCALAR
            && strstr (argv->items[i]->text, "{ranks"))
            return true;
    }
    return false;
}

/* A step of srun has all cores of the job without such an option. */
static bool takes_all (const struct yaml_node *argv)
{
    static const char *const options[] = { "--exact", "--overlap",
                                           "--exclusive" };

    if (argv->n == 0 || argv->items[0]->kind != YAML_SCALAR
        || strcmp (argv->items[0]->text, "srun") != 0)
        return false;
    for (size_t i = 1; i < argv->n; i++) {
        for (size_t k = 0; k < ARRAY_SIZE (options); k++) {
            if (argv->items[i]->kind == YAML_SCALAR
                && strcmp (argv->items[i]->text, options[k]) == 0)
                return false;
        }
    }
    return true;
}

void launcher_read (const struct yaml_node *node, void *profile)
{
    struct profile *into = profile;

    if (node->kind == YAML_SCALAR)
        read_preset (node, into);
    else
        argv_template_read (node, operator_launcher_placeholders,
                            &into->launcher);
    if (node->kind == YAML_SEQUENCE && !names_ranks (node))
        field_warning (node,
                       "launcher: nothing in it says how many ranks a task "
                       "has; write {ranks}, as in [mpirun, -n, \"{ranks}\"]");
    if (node->kind == YAML_SEQUENCE && takes_all (node))
        field_warning (node,
                       "launcher: srun without --exact takes all cores of the "
                       "job, so tasks wait for each other; write launcher: "
                       "srun, or [srun, --exact, ...]");
}
