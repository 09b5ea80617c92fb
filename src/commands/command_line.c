/* SPDX-License-Identifier: BSD-3-Clause */
/* command_line.c - where the cursor is, by the table of commands */
#include "base/base.h"

#include "commands/command.h"
#include "commands/command_line.h"

static void expect (struct command_line *line, const char *kind, size_t n)
{
    const char *not_kind = "|[].- ";

    line->expected = WORD_NAME;
    while (n > 0 && strchr (not_kind, *kind))
        kind++, n--;
    while (n > 0 && strchr (not_kind, kind[n - 1]))
        n--;
    snprintf (line->kind, sizeof (line->kind), "%.*s", (int)n, kind);
}

static const struct command_option *find_option (const struct command *command,
                                                 const char *word)
{
    const struct command_option *o = command->options;

    if (strncmp (word, "--", 2) != 0)
        return NULL;
    for (; o && o->name; o++) {
        if (strcmp (o->name, word + 2) == 0)
            return o;
    }
    return NULL;
}

/* -C DIR and --site FILE before the command; how many words those are, or -1
 * when the cursor is in them.
 */
static int read_globals (char *const *words, int n, struct command_line *line)
{
    int i = 0;

    while (i < n - 1 && words[i][0] == '-') {
        bool is_dir = strcmp (words[i], "-C") == 0;
        bool is_site = strcmp (words[i], "--site") == 0;

        if (strncmp (words[i], "--site=", strlen ("--site=")) == 0)
            line->site = words[i] + strlen ("--site=");
        if (is_dir || is_site) {
            if (i + 1 == n - 1)
                return -1;
            *(is_dir ? &line->dir : &line->site) = words[++i];
        }
        i++;
    }
    return i;
}

/* The 'nth' word of "STAGE [TASK]"; the last for all behind where it repeats.
 * "list | verify | gc": literal words.
 */
static void expect_argument (struct command_line *line, int nth)
{
    const char *arguments = line->command->arguments;
    const char *at = arguments, *word = NULL;

    if (!arguments)
        return;
    if (islower ((unsigned char)*arguments) && strchr (arguments, '|')) {
        if (nth == 0 && strlen (arguments) < sizeof (line->kind)) {
            snprintf (line->kind, sizeof (line->kind), "%s", arguments);
            line->expected = WORD_LITERAL;
        }
        return;
    }
    for (int i = 0; i <= nth; i++) {
        at += strspn (at, " ");
        if (*at == '\0' || *at == '|')
            break;
        if (strncmp (at, "...", 3) != 0)
            word = at;
        at += strcspn (at, " ");
    }
    if (word && (nth == 0 || *at != '|'))
        expect (line, word, strcspn (word, " "));
}

static void expect_value (struct command_line *line,
                          const struct command_option *option)
{
    static const struct {
        const char *option, *kind;
    } known[] = { { "template", "TEMPLATE" },
                  { "profile", "PROFILE" },
                  { "iteration", "ITERATION" },
                  { "stage", "STAGE" } };

    expect (line, option->arg, strlen (option->arg));
    for (size_t i = 0; i < ARRAY_SIZE (known); i++) {
        if (strcmp (known[i].option, option->name) == 0)
            expect (line, known[i].kind, strlen (known[i].kind));
    }
}

void command_line_read (char *const *words, int n, struct command_line *line)
{
    const struct command_option *before = NULL;
    int n_arguments = 0;
    int i;

    *line = (struct command_line){ .dir = ".", .expected = WORD_FILE };
    if (n < 1 || (i = read_globals (words, n, line)) < 0)
        return;
    if (i == n - 1) {
        line->expected = words[i][0] == '-' ? WORD_GLOBAL_OPTION : WORD_COMMAND;
        return;
    }
    if (!(line->command = command_find (words[i])))
        return;
    for (i++; i < n - 1; i++) {
        const struct command_option *option =
            before ? NULL : find_option (line->command, words[i]);

        if (!before && words[i][0] != '-' && n_arguments++ == 0)
            line->first = words[i];
        before = option && option->arg ? option : NULL;
    }
    if (before)
        expect_value (line, before);
    else if (words[i][0] == '-')
        line->expected = WORD_OPTION;
    else
        expect_argument (line, n_arguments);
}
