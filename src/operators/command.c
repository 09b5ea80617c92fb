/* SPDX-License-Identifier: BSD-3-Clause */
/* command.c - the operator `command`: any program, once */
#include "base/base.h"

#include "base/json.h"
#include "operators/table.h"
#include "signature/operator.h"

static int check_argv (const struct known_input *input, struct error *err)
{
    if (json_as_string (json_at (input->value, 0))[0])
        return 0;
    return error_set (err, "argv: there is no program; write [PROGRAM, "
                           "ARGUMENT, ...]");
}

static const struct port inputs[] = {
    { "argv", ONE (LIST), .check = check_argv },
    { "files", LIST_OF (FILE), .default_json = "[]" },
    { 0 },
};

static const struct port outputs[] = {
    { "directory", .type = ONE (DIR), .path = "files", .optional = true },
    { 0 },
};

static const char *const run[] = { "{argv}", "{files}", NULL };
static const char *const *const commands[] = { run, NULL };

/* Whatever a user wrote may read them. */
static const char *const reads[] = { "seed", "task", "iteration", NULL };

const struct operator_spec command_operator = {
    .name = "command",
    .code = "command",
    .version = 1,
    .inputs = inputs,
    .outputs = outputs,
    .commands = commands,
    .reads = reads,
    .not_reused = true, /* it may look at anything, and change it */
};
