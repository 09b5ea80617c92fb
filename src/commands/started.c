/* SPDX-License-Identifier: BSD-3-Clause */
/* started.c - commands that jobs and the program itself start, not people */
#include "base/base.h"

#include "adapter.h"
#include "agent/agent.h"
#include "commands/command.h"
#include "doctor/doctor.h"
#include "group/far_node.h"
#include "group/group.h"
#include "operators/table.h"

/* --- agent: run one element's bundle on the node --- */

static enum exit_status agent (const struct invocation *invocation)
{
    struct error err = ERROR_INIT;
    const char *element = invocation_option (invocation, "element");
    struct agent_options options = {
        .campaign_dir = invocation->dir,
        .run_dir = invocation_option (invocation, "run"),
        .job_id = invocation_option (invocation, "job-id"),
        .program = invocation->program,
    };

    if (!options.run_dir || !element || !options.job_id)
        return complain (STATUS_USAGE,
                         "agent needs --run, --element and --job-id");
    options.element = parse_number ("--element", element);
    if (options.element < 0)
        return STATUS_USAGE;
    if (agent_run (&options, &err) < 0)
        return complain (STATUS_FAILED, "agent: %s", err.text);
    return STATUS_DONE;
}

/* Job scripts add the last two. */
static const struct command_option options[] = {
    { "run", "DIR",
      "read this directory of a chunk, relative to the campaign" },
    { "element", "N", "be this index of the array" },
    { "job-id", "ID", "be this job, as the scheduler spells it" },
    { 0 },
};

const struct command agent_command = {
    .name = "agent",
    .summary = "run a bundle of tasks on this node",
    .hidden = true,
    .options = options,
    .run = agent,
};

/* --- group: the programs of a task, in its directory --- */

/* What a program says is its own: here only what the runner itself could not do
 * is told.
 */
static enum exit_status run_group (const struct invocation *invocation)
{
    const char *node = invocation_option (invocation, "node");
    struct error err = ERROR_INIT;
    int status = 0;

    if (node && far_node_run (node, &err) < 0)
        return complain (STATUS_FAILED, "group: %s", err.text);
    if (node)
        return STATUS_DONE;
    if (group_run (&status, &err) < 0)
        return complain (STATUS_FAILED, "group: %s", err.text);
    return (enum exit_status)status;
}

static const struct command_option group_options[] = {
    { "node", "DIR", "do what the runner in DIR says, on another node" },
    { 0 },
};

const struct command group_command = {
    .name = "group",
    .summary = "run the programs of a group here",
    .hidden = true,
    .options = group_options,
    .run = run_group,
};

/* --- what schedulers start that run elements themselves --- */

static enum exit_status supervise (const char *starts,
                                   const struct invocation *invocation)
{
    const struct scheduler_adapter *adapter = scheduler_adapter_at (0);
    struct error err = ERROR_INIT;

    for (size_t i = 1;
         !adapter->starts || strcmp (adapter->starts, starts) != 0; i++)
        adapter = scheduler_adapter_at (i);
    if (adapter->supervise (invocation->args[0], &err) < 0)
        return complain (STATUS_FAILED, "%s: %s", starts, err.text);
    return STATUS_DONE;
}

static enum exit_status supervise_local (const struct invocation *invocation)
{
    return supervise ("local-supervisor", invocation);
}

const struct command supervisor_command = {
    .name = "local-supervisor",
    .arguments = "JOB_DIR",
    .summary = "run the elements of a local job",
    .hidden = true,
    .min_args = 1,
    .max_args = 1,
    .run = supervise_local,
};

static enum exit_status run_on_node (const struct invocation *invocation)
{
    return supervise ("allocation-runner", invocation);
}

const struct command allocation_runner_command = {
    .name = "allocation-runner",
    .arguments = "DIR",
    .summary = "run elements on this node of a job",
    .hidden = true,
    .min_args = 1,
    .max_args = 1,
    .run = run_on_node,
};

/* --- operator: a step of a built-in one, in a task's directory --- */

static enum exit_status run_step (const struct invocation *invocation)
{
    const char *name = invocation->args[0];
    const char *step_name = invocation->args[1];
    struct error err = ERROR_INIT;
    enum step_status status;

    if (!operator_has_step (name, step_name))
        return complain (STATUS_USAGE, "operator %s has no step '%s'", name,
                         step_name);
    if ((status = operator_step_run (name, step_name, &err)) != STEP_OK)
        complain (STATUS_FAILED, "%s %s: %s", name, step_name, err.text);
    return (enum exit_status)status;
}

const struct command operator_command = {
    .name = "operator",
    .arguments = "NAME STEP",
    .summary = "run a step of a built-in operator here",
    .hidden = true,
    .min_args = 2,
    .max_args = 2,
    .run = run_step,
};

/* --- examine-node: what doctor's probe job runs --- */

static enum exit_status examine_node (const struct invocation *invocation)
{
    const char *cores = invocation_option (invocation, "cores");
    const struct node_wish wish = {
        .cores = cores ? atoi (cores) : 1,
        .gpu = strcmp (invocation->args[0], "gpu") == 0,
        .mps = invocation_option (invocation, "mps") != NULL,
        .whole_cores = invocation_option (invocation, "whole-cores"),
        .programs = (const char *const *)invocation->args + 1,
    };
    struct error err = ERROR_INIT;

    if (node_report_write (invocation->dir, &wish,
                           invocation_option (invocation, "topology") != NULL,
                           &err)
        < 0)
        return complain (STATUS_FAILED, "examine-node: %s", err.text);
    return STATUS_DONE;
}

static const struct command_option examine_options[] = {
    { "topology", NULL, "write the node's topology, too" },
    { "cores", "N", "so many were asked for" },
    { "mps", NULL, "tasks are to share GPUs by MPS" },
    { "whole-cores", "DIRECTIVE", "what makes jobs get whole cores" },
    { "element", "N", "be this index of the array" },
    { "job-id", "ID", "be this job, as the scheduler spells it" },
    { 0 },
};

const struct command examine_node_command = {
    .name = "examine-node",
    .arguments = "gpu|no-gpu [PROGRAM ...]",
    .summary = "write what this node sees into the directory",
    .hidden = true,
    .min_args = 1,
    .max_args = 16,
    .options = examine_options,
    .run = examine_node,
};
