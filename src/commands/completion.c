/* SPDX-License-Identifier: BSD-3-Clause */
/* completion.c - what makes a shell complete words of a command line
 *
 * The shells ask `fanfold complete` (complete.c) what may stand at the cursor,
 * so they know what this program knows; where it says nothing they offer files.
 */
#include "base/base.h"

#include "commands/command.h"

static const char bash[] =
    "_fanfold() {\n"
    "    local IFS=$'\\n'\n"
    "    COMPREPLY=($(\"$1\" complete -- \"${COMP_WORDS[@]:1:COMP_CWORD}\" "
    "2>/dev/null))\n"
    "}\n"
    "complete -o default -F _fanfold fanfold\n";

static const char zsh[] =
    "#compdef fanfold\n"
    "_fanfold() {\n"
    "    local -a found\n"
    "    found=(${(f)\"$(\"$words[1]\" complete -- "
    "\"${(@)words[2,CURRENT]}\" 2>/dev/null)\"})\n"
    "    if (( $#found )); then compadd -a found; else _files; fi\n"
    "}\n"
    "if [ \"$funcstack[1]\" = _fanfold ]; then _fanfold \"$@\"; "
    "else compdef _fanfold fanfold; fi\n";

static const char fish[] =
    "function __fanfold_complete\n"
    "    set -l words (commandline -opc)\n"
    "    set -l found ($words[1] complete -- $words[2..-1] "
    "(commandline -ct | string collect -a) 2>/dev/null)\n"
    "    if test (count $found) -gt 0\n"
    "        printf '%s\\n' $found\n"
    "    else\n"
    "        __fish_complete_path (commandline -ct)\n"
    "    end\n"
    "end\n"
    "complete -c fanfold -f -a '(__fanfold_complete)'\n";

static const struct {
    const char *name, *text;
} shells[] = { { "bash", bash }, { "zsh", zsh }, { "fish", fish } };

static enum exit_status completion (const struct invocation *invocation)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;

    for (size_t i = 0; i < ARRAY_SIZE (shells); i++) {
        strvec_push (&names, shells[i].name);
        if (strcmp (shells[i].name, invocation->args[0]) == 0) {
            fputs (shells[i].text, stdout);
            return STATUS_DONE;
        }
    }
    return complain_unknown ("shell", invocation->args[0], &names);
}

const struct command completion_command = {
    .name = "completion",
    .arguments = "bash | zsh | fish",
    .summary = "print what makes a shell complete commands, stages and tasks",
    .min_args = 1,
    .max_args = 1,
    .run = completion,
};
