/* SPDX-License-Identifier: BSD-3-Clause */
/* mps_supervisor.h - the process that keeps an MPS daemon (agent/mps.h)
 *
 * It is no descendant of the agent's, which ends those that it finds; what the
 * daemon starts becomes its own child.
 */
#ifndef AGENT_MPS_SUPERVISOR_H
#define AGENT_MPS_SUPERVISOR_H

/* What the control program is called, on PATH. */
#define MPS_CONTROL "nvidia-cuda-mps-control"

/* What the control program answers to 'commands' (lines), run in the directory
 * of the daemon with its environment; -1 with 'err'.
 */
int mps_control (const char *dir, const struct strvec *env,
                 const char *commands, struct strvec *lines, struct error *err);

/* Start a supervisor and, by it, the daemon.  *pipe: closing it ends both;
 * *done: nothing is read from it, and it is at its end when both are gone and
 * 'dir' is removed.  The caller must not be a subreaper meanwhile.
 */
int mps_supervise (const char *dir, const struct strvec *env, int *pipe,
                   int *done, struct error *err);

#endif /* !AGENT_MPS_SUPERVISOR_H */
