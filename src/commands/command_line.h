/* SPDX-License-Identifier: BSD-3-Clause */
/* command_line.h - what may stand at the cursor of a command line; pure */
#ifndef COMMANDS_COMMAND_LINE_H
#define COMMANDS_COMMAND_LINE_H

struct command;

enum expected_word {
    WORD_FILE, /* or what nobody can know */
    WORD_COMMAND,
    WORD_GLOBAL_OPTION,
    WORD_OPTION,  /* of the command */
    WORD_LITERAL, /* one of those in 'kind', between '|' */
    WORD_NAME     /* a value of the kind 'kind': "STAGE", "TASK" */
};

struct command_line {
    const char *dir;  /* -C, default "." */
    const char *site; /* --site, or NULL */
    const struct command *command;
    const char *first; /* its first argument, or NULL */
    enum expected_word expected;
    char kind[80];
};

/* Read the words behind the program's name, up to the cursor; the last one is
 * being written, and maybe "".  Pointers are into 'words'.
 */
void command_line_read (char *const *words, int n, struct command_line *line);

#endif /* !COMMANDS_COMMAND_LINE_H */
