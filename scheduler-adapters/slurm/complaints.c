/* SPDX-License-Identifier: BSD-3-Clause */
/* complaint.c - what the error messages of Slurm's commands mean
 *
 * The texts are those of slurm_strerror() and of the commands themselves.
 * Everything that is not listed is COMPLAINT_UNCLEAR: after a lost reply a job
 * may exist, and taking that for a refusal would submit it twice.
 */
#include "base/base.h"

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
const struct complaint_text slurm_complaints[] = {
    /* The request or its answer was lost: which is not known. */
    { "Unable to contact slurm controller", COMPLAINT_UNCLEAR, NULL },
    { "timed out", COMPLAINT_UNCLEAR, NULL },
    { "Zero Bytes were transmitted", COMPLAINT_UNCLEAR, NULL },
    { "Communication ", COMPLAINT_UNCLEAR, NULL },
    { "Connection ", COMPLAINT_UNCLEAR, NULL },
    { "Message send failure", COMPLAINT_UNCLEAR, NULL },
    { "Message receive failure", COMPLAINT_UNCLEAR, NULL },
    { "Unexpected m", COMPLAINT_UNCLEAR, NULL },
    { "Insane message length", COMPLAINT_UNCLEAR, NULL },
    { "file descriptor", COMPLAINT_UNCLEAR, NULL },
    { "would block", COMPLAINT_UNCLEAR, NULL },
    { "Broken pipe", COMPLAINT_UNCLEAR, NULL },
    { "Input/output error", COMPLAINT_UNCLEAR, NULL },
    { "Transport endpoint", COMPLAINT_UNCLEAR, NULL },
    { "Network is ", COMPLAINT_UNCLEAR, NULL },
    { "No route to host", COMPLAINT_UNCLEAR, NULL },
    { "Protocol authentication error", COMPLAINT_UNCLEAR, NULL },
    { "shutting down", COMPLAINT_UNCLEAR, NULL },
    { "controller in standby mode", COMPLAINT_UNCLEAR, NULL },
    { "Rate limit exceeded", COMPLAINT_UNCLEAR, NULL },
    { "Slurm internal error", COMPLAINT_UNCLEAR, NULL },
    /* This host. */
    /* Where no host has a slurm.conf also a controller that is down. */
    { "Could not establish a configuration source", COMPLAINT_UNCLEAR,
      "is this a login node of the cluster, and is SLURM_CONF right?" },
    { "Unable to process configuration file", COMPLAINT_BROKEN,
      "is SLURM_CONF right?" },
    { "Incompatible versions of client and server", COMPLAINT_BROKEN,
      "the commands on PATH are not those of this cluster" },
    /* Not now. */
    { "SubmitJobLimit", COMPLAINT_FULL,
      "`limits: submit:` of the profile keeps below it" },
    { "SubmitJobPerUserLimit", COMPLAINT_FULL,
      "`limits: submit:` of the profile keeps below it" },
    { "SubmitJobsPerUser", COMPLAINT_FULL,
      "`limits: submit:` of the profile keeps below it" },
    { "unable to accept job", COMPLAINT_FULL, NULL },
    { "MaxJobCount limit reached", COMPLAINT_FULL, NULL },
    { "I/O error writing script/environment", COMPLAINT_FULL, NULL },
    { "Resource temporarily unavailable", COMPLAINT_FULL, NULL },
    { "Required partition not available", COMPLAINT_FULL, see_partition },
    /* A job that is not there, or no longer. */
    { "Invalid job id", COMPLAINT_UNKNOWN_JOB, NULL },
    { "already finished", COMPLAINT_OVER, NULL },
    { "already completing or completed", COMPLAINT_OVER, NULL },
    { "no longer pending", COMPLAINT_OVER, NULL },
    /* No. */
    { "Invalid account", COMPLAINT_REFUSED, see_account },
    { "nvalid partition name", COMPLAINT_REFUSED, see_partition },
    { "nvalid partition specified", COMPLAINT_REFUSED, see_partition },
    { "group not permitted to use this partition", COMPLAINT_REFUSED,
      see_partition },
    { "nvalid qos", COMPLAINT_REFUSED, see_qos },
    { "Invalid generic resource", COMPLAINT_REFUSED, see_gres },
    { "nvalid gres specification", COMPLAINT_REFUSED, see_gres },
    { "Requested time limit is invalid", COMPLAINT_REFUSED, see_time },
    { "Requested node configuration is not available", COMPLAINT_REFUSED,
      see_node },
    { "Requested partition configuration not available", COMPLAINT_REFUSED,
      see_node },
    { "More processors requested than permitted", COMPLAINT_REFUSED, see_node },
    { "Memory required by task is not available", COMPLAINT_REFUSED, see_node },
    { "Node count specification invalid", COMPLAINT_REFUSED, see_node },
    { "Invalid node name", COMPLAINT_REFUSED, see_directives },
    { "Invalid feature specification", COMPLAINT_REFUSED, see_directives },
    { "Invalid license specification", COMPLAINT_REFUSED, see_directives },
    { "Job violates accounting/QOS policy", COMPLAINT_REFUSED,
      "look at `account`, `qos` and `limits` of the profile" },
    { "Job dependency problem", COMPLAINT_REFUSED, see_directives },
    { "Invalid job array specification", COMPLAINT_REFUSED,
      "`limits: elements:` of the profile must not exceed MaxArraySize" },
    { "Batch script contains DOS line breaks", COMPLAINT_REFUSED,
      see_directives },
    { "Access/permission denied", COMPLAINT_REFUSED, see_admin },
    { "Unable to open file", COMPLAINT_REFUSED, NULL },
    { "unrecognized option", COMPLAINT_REFUSED, see_directives },
    { "invalid option", COMPLAINT_REFUSED, see_directives },
    { "Invalid directive found in batch script", COMPLAINT_REFUSED,
      see_directives },
    { "requires an argument", COMPLAINT_REFUSED, see_directives },
    /* Also what a site's own checks answer (JobSubmitPlugins). */
    { "Batch job submission failed: ", COMPLAINT_REFUSED, see_directives },
    { "allocation failure: ", COMPLAINT_REFUSED, see_directives },
    /* An option could not be read, so nothing was sent: "Invalid --x
     * specification", "Invalid numeric value".
     */
    { "sbatch: error: Invalid ", COMPLAINT_REFUSED, see_directives },
    { "sbatch: error: invalid ", COMPLAINT_REFUSED, see_directives },
    { "sbatch: fatal: Invalid ", COMPLAINT_REFUSED, see_directives },
    { "sbatch: fatal: invalid ", COMPLAINT_REFUSED, see_directives },
    { NULL, COMPLAINT_UNCLEAR, NULL },
};
