/* SPDX-License-Identifier: BSD-3-Clause */
/* launcher.c - what starts tasks of several ranks, and what MPI is to be told
 */
#include "config.h"

#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "base/strvec.h"
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

static const struct preset {
    const char *name;
    const char *argv[8];
    struct launcher_environment environment;
} presets[] = {
    { "openmpi",
      { "mpirun", "-n", "{ranks}" },
      { openmpi_alone, openmpi_ranks, openmpi_not_ranks } },
    { "mpich",
      { "mpiexec", "-n", "{ranks}", "-ppn", "{ranks_per_node}", "-bind-to",
        "none" },
      { none, none, none } },
    { "intelmpi",
      { "mpirun", "-n", "{ranks}", "-ppn", "{ranks_per_node}" },
      { intelmpi_all, intelmpi_all, none } },
    { "srun",
      { "srun", "--nodes={nodes}", "--ntasks={ranks}",
        "--cpus-per-task={cores_per_rank}", "--overlap", "--cpu-bind=none" },
      { openmpi_alone, openmpi_ranks, openmpi_not_ranks } },
};

void launcher_default (struct profile *profile)
{
    profile->launcher = presets[0].argv;
    profile->environment = &presets[0].environment;
}

static void read_preset (const struct yaml_node *node, struct profile *profile)
{
    int i = field_choose (node, node->text, presets, ARRAY_SIZE (presets),
                          sizeof (*presets),
                          "launcher: there is no preset '%s'", node->text);

    if (i < 0)
        return;
    profile->launcher = presets[i].argv;
    profile->environment = &presets[i].environment;
}

/* A launcher knows the shape of a task and nothing else. */
static int check_name (const char *name, void *arg, struct error *err)
{
    const char *const *names = operator_launcher_placeholders;
    struct strbuf known = STRBUF_INIT;

    (void)arg;
    for (; *names && strcmp (*names, name) != 0; names++)
        strbuf_addf (&known, "%s{%s}", known.len > 0 ? ", " : "", *names);
    if (!*names)
        error_set (err, "unknown placeholder '{%s}'; there is %s", name,
                   known.buf);
    strbuf_release (&known);
    return *names ? 0 : -1;
}

void launcher_read (const struct yaml_node *node, void *profile)
{
    struct profile *into = profile;
    struct error err;

    if (node->kind == YAML_SCALAR) {
        read_preset (node, into);
        return;
    }
    if (field_argv (node, &into->launcher) < 0)
        return;
    for (size_t i = 0; i < node->n; i++) {
        if (template_scan (node->items[i]->text, check_name, NULL, &err) < 0)
            field_problem (node->items[i], "launcher: %s", err.text);
    }
}
