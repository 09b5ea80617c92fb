/* SPDX-License-Identifier: BSD-3-Clause */
/* hidden_failures.c - text of a shell that ends well although what it runs does
 * not: "fit | tee log", "fit || true", "fit; echo done", "fit &"
 *
 * A shell's status is that of its last command.
 */
#include "base/base.h"

#include "campaign/field_reader.h"
#include "campaign/programs_check.h"

/* What stands between the last command and the one before it. */
enum joint {
    JOINT_NONE,
    JOINT_PIPE,
    JOINT_OR,
    JOINT_NEXT, /* ';', a line break */
    JOINT_AND,
    JOINT_BACKGROUND, /* nothing follows '&' */
};

struct ending {
    enum joint joint;
    const char *last; /* the last command */
};

/* The separator at 'at', and in *n its length, 0: there is none. */
static enum joint joint_at (const char *at, bool first, size_t *n)
{
    *n = 2;
    if (strncmp (at, "||", 2) == 0)
        return JOINT_OR;
    if (strncmp (at, "&&", 2) == 0)
        return JOINT_AND;
    *n = 1;
    if (*at == '|')
        return JOINT_PIPE;
    if (*at == ';' || *at == '\n')
        return JOINT_NEXT;
    if (*at == '&' && !(at[1] == '>' || (!first && at[-1] == '>')))
        return JOINT_BACKGROUND;
    *n = 0;
    return JOINT_NONE;
}

static struct ending ending_of (const char *text)
{
    struct ending e = { JOINT_NONE, text };
    char quote = '\0';

    for (const char *at = text; *at;) {
        size_t n = 0;
        enum joint joint = quote ? JOINT_NONE : joint_at (at, at == text, &n);

        if (quote ? *at == quote : *at == '\'' || *at == '"')
            quote = quote ? '\0' : *at;
        at += n > 0 ? n : 1;
        if (n == 0)
            continue;
        if (at[strspn (at, " \t\n")] || joint == JOINT_BACKGROUND) {
            e.joint = joint;
            e.last = at;
        }
    }
    return e;
}

static bool begins_with_word (const char *text, const char *const *words)
{
    size_t len = strcspn (text + strspn (text, " \t\n"), " \t\n;>&|");
    _cleanup_free_ char *word = xstrndup (text + strspn (text, " \t\n"), len);

    return words_contain (words, word);
}

static const char *const always_well[] = { "true",   ":",    "echo",
                                           "printf", "date", NULL };

/* What hides a failure, and what to do; NULL: nothing. */
static const char *hidden_by (const char *text, const char *option)
{
    static const char *const readers[] = { "tee", "cat",  "tail", "head",
                                           "sed", "grep", NULL };
    struct ending e = ending_of (text);
    bool stops = strchr (option, 'e') || strstr (text, "set -e");

    if (e.joint == JOINT_PIPE && !strstr (text, "pipefail")
        && begins_with_word (e.last, readers))
        return "the status is that of the program behind '|', so what fails "
               "before it counts as done; write it as script:, which has "
               "pipefail, or [bash, -c, 'set -o pipefail; ...']";
    if (e.joint == JOINT_OR && begins_with_word (e.last, always_well))
        return "what follows '||' makes every failure a success; remove it";
    if (e.joint == JOINT_NEXT && !stops
        && begins_with_word (e.last, always_well))
        return "the status is that of the last program, which never fails, so "
               "what fails before it counts as done; write && in place of the "
               "last ';', or script:";
    if (e.joint == JOINT_BACKGROUND && !strstr (text, "wait"))
        return "nothing waits for what '&' starts, and it is killed when the "
               "shell has ended; remove the '&'";
    return NULL;
}

/* --- script: --- */

/* Is 'word' in the text, not as a part of a longer one? */
static bool has_word (const char *text, const char *word)
{
    size_t len = strlen (word);

    for (const char *at = text; (at = strstr (at, word)); at += len) {
        if ((at == text || strchr (" \t\n;", at[-1]))
            && (at[len] == '\0' || strchr (" \t\n;", at[len])))
            return true;
    }
    return false;
}

/* "cd $campaign", "cd "${campaign}/x"" at the beginning of a line. */
static bool enters_campaign (const char *line)
{
    line += strspn (line, " \t");
    if (strncmp (line, "cd ", 3) != 0)
        return false;
    line += 3;
    line += strspn (line, " \t\"");
    return strncmp (line, "$campaign", 9) == 0
           || strncmp (line, "${campaign}", 11) == 0;
}

/* The last line with a command, with those that it goes on from; caller frees.
 */
static char *last_command (const char *text)
{
    const char *from = text, *to = text;

    for (const char *line = text; *line; line += *line == '\n') {
        const char *begin = line + strspn (line, " \t");
        bool goes_on = to > text && to[-1] == '\\';

        line += strcspn (line, "\n");
        if (begin == line || *begin == '#')
            continue;
        from = goes_on ? from : begin;
        to = line;
    }
    return xstrndup (from, (size_t)(to - from));
}

/* Of what may fail and is seldom what the script is for. */
static bool is_aside (const char *command)
{
    static const char *const words[] = { "rm",    "grep",    "egrep", "kill",
                                         "pkill", "killall", "wait",  "test",
                                         "[",     "[[",      "mkdir", "diff",
                                         "cmp",   "gzip",    "tail",  NULL };

    return begins_with_word (command, words);
}

/* "fit || true", "fit &": what the script is for, by its last line. */
static const char *hidden_at_end (const char *text)
{
    _cleanup_free_ char *last = last_command (text);
    struct ending e = ending_of (last);
    const char *hides = NULL;

    if (e.joint == JOINT_OR && !is_aside (last)
        && begins_with_word (e.last, always_well))
        hides = "what follows '||' makes every failure a success; remove it";
    else if (e.joint == JOINT_BACKGROUND && !strstr (text, "wait"))
        hides = "nothing waits for what '&' starts, and it is killed when the "
                "script has ended; remove the '&', or write wait";
    return hides;
}

static const char *hidden_in_script (const char *text)
{
    for (const char *line = text; *line; line += *line == '\n') {
        if (enters_campaign (line) && !strstr (line, "cd -"))
            return "cd $campaign: what is written from there on is in one "
                   "directory for all tasks; stay where it begins, and write "
                   "\"$campaign\"/FILE for what is read";
        line += strcspn (line, "\n");
    }
    if (has_word (text, "set +e") && !has_word (text, "set -e")
        && !strstr (text, "$?"))
        return "set +e lets the script go on when a program fails, so a "
               "failure may count as done; remove it, or look at $?";
    return hidden_at_end (text);
}

void script_check_failures (const struct yaml_node *script)
{
    const char *hides = hidden_in_script (script->text);

    if (hides)
        field_warning (script, "script: %s", hides);
}

void argv_check_failures (const struct yaml_node *argv, size_t shell)
{
    for (size_t i = shell + 1; i + 1 < argv->n; i++) {
        const struct yaml_node *option = argv->items[i];
        const struct yaml_node *text = argv->items[i + 1];
        const char *hides;

        if (option->kind != YAML_SCALAR || text->kind != YAML_SCALAR
            || !argument_has_script (option->text))
            continue;
        hides = hidden_by (text->text, option->text);
        if (hides)
            field_warning (text, "%s", hides);
        return;
    }
}
