/* SPDX-License-Identifier: BSD-3-Clause */
/* command.c - the operator `command`: any program, once */
#include "config.h"

#include "base/error.h"
#include "base/json.h"
#include "operators/builtin.h"
#include "signature/operator.h"

static const struct port inputs[] = {
    { .name = "argv",
      .type = { .kind = TYPE_LIST },
      .doc = "the program and its arguments; no shell reads them" },
    { .name = "files",
      .type = { .kind = TYPE_FILE, .depth = 1 },
      .default_json = "[]",
      .doc = "files whose absolute paths follow the arguments" },
    { .name = NULL },
};

static const struct port outputs[] = {
    { .name = "directory",
      .type = { .kind = TYPE_DIR },
      .path = "files",
      .optional = true,
      .doc = "what the program left in the directory out/files" },
    { .name = NULL },
};

static int check_argv (const struct json *value,
                       const struct known_inputs *known,
                       struct error *err)
{
    (void)known;
    if (json_as_string (json_at (value, 0))[0])
        return 0;
    return error_set (err, "argv: there is no program; write [PROGRAM, "
                           "ARGUMENT, ...]");
}

static const struct input_rule rules[] = {
    { "argv", check_argv },
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
    .rules = rules,
};
