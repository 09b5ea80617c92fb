/* SPDX-License-Identifier: BSD-3-Clause */
/* submit.c - submit what can be, and return: cron goes on, or jobs do */
#include "config.h"

#include "base/error.h"
#include "commands/campaign.h"
#include "commands/command_table.h"
#include "commands/invocation.h"
#include "commands/stepping.h"
#include "engine/drive/driver.h"
#include "engine/drive/chain.h"

static enum exit_status submit (const struct invocation *invocation)
{
    bool chain = invocation_option (invocation, "chain") != NULL;
    struct campaign campaign;
    struct step step = { 0 };
    struct error err = ERROR_INIT;
    enum exit_status status = campaign_open (invocation, &campaign);

    if (status != STATUS_DONE)
        return status;
    if (chain && chain_possible (&campaign.engine, &err) < 0)
        status = complain (STATUS_INVALID, "%s", err.text);
    else
        status = step_campaign (&campaign, &chain, &step);
    if (status == STATUS_DONE) {
        step_print (&campaign, &step);
        status = step_status (&campaign, &step);
    }
    campaign_close (&campaign);
    return status;
}

static const struct command_option options[] = {
    { "chain", NULL, "jobs drive the campaign from now on: nobody need" },
    { 0 },
};

const struct command submit_command = {
    .name = "submit",
    .arguments = "",
    .summary = "submit what can be, and return; jobs or cron go on",
    .options = options,
    .run = submit,
};
