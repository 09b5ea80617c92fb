/* SPDX-License-Identifier: BSD-3-Clause */
/* command.c - the operator `command`: any program, once */
#include "config.h"

#include "base/error.h"
#include "base/json.h"
#include "operators/builtin.h"
#include "signature/operator.h"

static int check_argv (const struct known_input *input, struct error *err)
{
    if (json_as_string (json_at (input->value, 0))[0])
        return 0;
    return error_set (err, "argv: there is no program; write [PROGRAM, "
                           "ARGUMENT, ...]");
}

static const struct port inputs[] = {
    PORT ("argv",
          LIST,
          "the program and its arguments; no shell reads them",
          .check = check_argv),
    PORT ("files",
          FILE,
          "files whose absolute paths follow the arguments",
          .type.depth = 1,
          .default_json = "[]"),
    PORTS_END,
};

static const struct port outputs[] = {
    PORT ("directory",
          DIR,
          "what the program left in the directory out/files",
          .path = "files",
          .optional = true),
    PORTS_END,
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
