/* SPDX-License-Identifier: BSD-3-Clause */
/* command.c - the operator `command`: any program, once */
#include "config.h"

#include "base/error.h"
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
    { "argv", ONE (LIST),
      .doc = "the program and its arguments; no shell reads them",
      .check = check_argv },
    { "files", LIST_OF (FILE),
      .doc = "files whose absolute paths follow the arguments",
      .default_json = "[]" },
    { 0 },
};

static const struct port outputs[] = {
    { "directory", ONE (DIR),
      .doc = "what the program left in the directory out/files",
      .path = "files", .optional = true },
    { 0 },
};

static const char *const run[] = { "{argv}", "{files}", NULL };
static const char *const *const commands[] = { run, NULL };

const struct operator_spec command_operator = {
    .name = "command",
    .code = "command",
    .doc = "Run a program once, in a directory of its own.",
    .inputs = inputs,
    .outputs = outputs,
    .commands = commands,
};
