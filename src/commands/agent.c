/* SPDX-License-Identifier: BSD-3-Clause */
/* agent.c - run one element's bundle on the node (started by the job script) */
#include "config.h"

#include "agent/agent.h"
#include "base/error.h"
#include "commands/command_table.h"
#include "commands/invocation.h"

static enum exit_status agent (const struct invocation *invocation)
{
    struct error err = ERROR_INIT;
    const char *run_dir = invocation_option (invocation, "run");
    const char *element = invocation_option (invocation, "element");
    const char *job_id = invocation_option (invocation, "job-id");
    struct agent_options options = { 0 };

    if (!run_dir || !element || !job_id)
        return complain (STATUS_USAGE,
                         "agent needs --run, --element and --job-id");
    options.campaign_dir = invocation->dir;
    options.run_dir = run_dir;
    options.element = parse_number ("--element", element);
    options.job_id = job_id;
    options.program = invocation->program;
    if (options.element < 0)
        return STATUS_USAGE;
    if (agent_run (&options, &err) < 0)
        return complain (STATUS_FAILED, "agent: %s", err.text);
    return STATUS_DONE;
}

static const struct command_option options[] = {
    { "run", "DIR", "directory of the chunk, relative to the campaign" },
    { "element", "N", "index in the array" },
    { "job-id", "ID", "as the scheduler spells it" },
    { 0 },
};

const struct command agent_command = {
    .name = "agent",
    .arguments = "",
    .summary = "run a bundle of tasks on this node",
    .hidden = true,
    .options = options,
    .run = agent,
};
