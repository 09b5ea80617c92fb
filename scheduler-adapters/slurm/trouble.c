/* SPDX-License-Identifier: BSD-3-Clause */
/* trouble.c - what the error messages of Slurm's commands mean
 *
 * The texts are those of slurm_strerror() and of the commands themselves.
 * Everything that is not listed is TROUBLE_UNCLEAR: after a lost reply a job
 * may exist, and taking that for a refusal would submit it twice.
 */
#include "config.h"

#include "slurm/slurm.h"

static const char see_partition[] = "look at `partition` of the profile";
static const char see_account[] =
    "look at `account` and `partition` of the profile";
static const char see_qos[] = "look at `qos` of the profile";
static const char see_gres[] =
    "look at `gres` and `node: gpus:` of the profile";
static const char see_node[] =
    "look at `node`, `partition` and `directives` of the profile";
static const char see_time[] =
    "look at the task's walltime and at `limits: walltime:` and `partition` of "
    "the profile";
static const char see_directives[] = "look at `directives` of the profile";
static const char see_admin[] = "ask the site's administrators";

/* The first that is found counts. */
const struct trouble_text slurm_troubles[] = {
    /* The request or its answer was lost: nobody knows. */
    { "Unable to contact slurm controller", TROUBLE_UNCLEAR, NULL },
    { "timed out", TROUBLE_UNCLEAR, NULL },
    { "Zero Bytes were transmitted", TROUBLE_UNCLEAR, NULL },
    { "Communication ", TROUBLE_UNCLEAR, NULL },
    { "Connection ", TROUBLE_UNCLEAR, NULL },
    { "Message send failure", TROUBLE_UNCLEAR, NULL },
    { "Message receive failure", TROUBLE_UNCLEAR, NULL },
    { "Unexpected m", TROUBLE_UNCLEAR, NULL },
    { "Insane message length", TROUBLE_UNCLEAR, NULL },
    { "file descriptor", TROUBLE_UNCLEAR, NULL },
    { "would block", TROUBLE_UNCLEAR, NULL },
    { "Broken pipe", TROUBLE_UNCLEAR, NULL },
    { "Input/output error", TROUBLE_UNCLEAR, NULL },
    { "Transport endpoint", TROUBLE_UNCLEAR, NULL },
    { "Network is ", TROUBLE_UNCLEAR, NULL },
    { "No route to host", TROUBLE_UNCLEAR, NULL },
    { "Protocol authentication error", TROUBLE_UNCLEAR, NULL },
    { "shutting down", TROUBLE_UNCLEAR, NULL },
    { "controller in standby mode", TROUBLE_UNCLEAR, NULL },
    { "Rate limit exceeded", TROUBLE_UNCLEAR, NULL },
    { "Slurm internal error", TROUBLE_UNCLEAR, NULL },
    /* This host. */
    { "Could not establish a configuration source", TROUBLE_BROKEN,
      "is this a login node of the cluster, and is SLURM_CONF right?" },
    { "Unable to process configuration file", TROUBLE_BROKEN,
      "is SLURM_CONF right?" },
    { "Incompatible versions of client and server", TROUBLE_BROKEN,
      "the commands on PATH are not those of this cluster" },
    /* Not now. */
    { "SubmitJobLimit", TROUBLE_FULL,
      "`limits: submit:` of the profile keeps below it" },
    { "SubmitJobPerUserLimit", TROUBLE_FULL,
      "`limits: submit:` of the profile keeps below it" },
    { "SubmitJobsPerUser", TROUBLE_FULL,
      "`limits: submit:` of the profile keeps below it" },
    { "unable to accept job", TROUBLE_FULL, NULL },
    { "MaxJobCount limit reached", TROUBLE_FULL, NULL },
    { "I/O error writing script/environment", TROUBLE_FULL, NULL },
    { "Resource temporarily unavailable", TROUBLE_FULL, NULL },
    { "Required partition not available", TROUBLE_FULL, see_partition },
    /* A job that is not there, or no longer. */
    { "Invalid job id", TROUBLE_UNKNOWN_JOB, NULL },
    { "already finished", TROUBLE_OVER, NULL },
    { "already completing or completed", TROUBLE_OVER, NULL },
    { "no longer pending", TROUBLE_OVER, NULL },
    /* No. */
    { "Invalid account", TROUBLE_REFUSED, see_account },
    { "nvalid partition name", TROUBLE_REFUSED, see_partition },
    { "nvalid partition specified", TROUBLE_REFUSED, see_partition },
    { "group not permitted to use this partition", TROUBLE_REFUSED,
      see_partition },
    { "nvalid qos", TROUBLE_REFUSED, see_qos },
    { "Invalid generic resource", TROUBLE_REFUSED, see_gres },
    { "nvalid gres specification", TROUBLE_REFUSED, see_gres },
    { "Requested time limit is invalid", TROUBLE_REFUSED, see_time },
    { "Requested node configuration is not available", TROUBLE_REFUSED,
      see_node },
    { "Requested partition configuration not available", TROUBLE_REFUSED,
      see_node },
    { "More processors requested than permitted", TROUBLE_REFUSED, see_node },
    { "Memory required by task is not available", TROUBLE_REFUSED, see_node },
    { "Node count specification invalid", TROUBLE_REFUSED, see_node },
    { "Invalid node name", TROUBLE_REFUSED, see_directives },
    { "Invalid feature specification", TROUBLE_REFUSED, see_directives },
    { "Invalid license specification", TROUBLE_REFUSED, see_directives },
    { "Job violates accounting/QOS policy", TROUBLE_REFUSED,
      "look at `account`, `qos` and `limits` of the profile" },
    { "Job dependency problem", TROUBLE_REFUSED, see_directives },
    { "Invalid job array specification", TROUBLE_REFUSED,
      "`limits: elements:` of the profile must not exceed MaxArraySize" },
    { "Batch script contains DOS line breaks", TROUBLE_REFUSED,
      see_directives },
    { "Access/permission denied", TROUBLE_REFUSED, see_admin },
    { "Unable to open file", TROUBLE_REFUSED, NULL },
    { "unrecognized option", TROUBLE_REFUSED, see_directives },
    { "invalid option", TROUBLE_REFUSED, see_directives },
    { "Invalid directive found in batch script", TROUBLE_REFUSED,
      see_directives },
    { "requires an argument", TROUBLE_REFUSED, see_directives },
    /* Also what a site's own checks answer (JobSubmitPlugins). */
    { "Batch job submission failed: ", TROUBLE_REFUSED, see_directives },
    { "allocation failure: ", TROUBLE_REFUSED, see_directives },
    /* An option could not be read, so nothing was sent: "Invalid --x
     * specification", "Invalid numeric value".
     */
    { "sbatch: error: Invalid ", TROUBLE_REFUSED, see_directives },
    { "sbatch: error: invalid ", TROUBLE_REFUSED, see_directives },
    { "sbatch: fatal: Invalid ", TROUBLE_REFUSED, see_directives },
    { "sbatch: fatal: invalid ", TROUBLE_REFUSED, see_directives },
    { NULL, TROUBLE_UNCLEAR, NULL },
};
