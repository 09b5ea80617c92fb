/* SPDX-License-Identifier: BSD-3-Clause */
/* script.c - a body that is text: how it is run, and what its variables are */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "signature/container.h"
#include "signature/script.h"

const char *const script_argv[] = { "{" SCRIPT_PLACEHOLDER "}", NULL };
const char *const *const script_commands[] = { script_argv, NULL };

const char *const script_only_named[] = { "seed", "task", "iteration", NULL };
const char *const script_no_variables[] = { SCRIPT_PLACEHOLDER,
                                            CONTAINER_PLACEHOLDER,
                                            CALLER_PLACEHOLDER, "on_nodes",
                                            NULL };

/* Before the first line and not above it, so that lines keep their numbers.
 * Nothing is told after `set +e`, where failures are no end, nor in a subshell,
 * since the shell around it tells.
 */
static const char prelude[] =
    "set -E; trap 'case $-:$BASH_SUBSHELL in *e*:0) printf \"=== line %d: "
    "%s\\n\" \"$LINENO\" \"${BASH_COMMAND%%[[:cntrl:]]*}\" >&2 ;; esac' ERR; ";

static bool has_interpreter (const char *text)
{
    return text[0] == '#' && text[1] == '!';
}

const char *script_failure (const char *line)
{
    static const char mark[] = "=== line ";

    return strncmp (line, mark, strlen (mark)) == 0 ? line + 4 : NULL;
}

const char *script_command_name (const char *word)
{
    return strcmp (word, script_argv[0]) == 0 ? "script" : word;
}

void script_file_name (const char *program, struct strbuf *out)
{
    strbuf_addf (out, "script%s%s", program ? "." : "", program ? program : "");
}

struct json *script_words (const char *text, const char *name)
{
    struct json *words = json_array ();

    if (!has_interpreter (text)) {
        json_push (words, json_string ("bash"));
        json_push (words, json_string ("-euo"));
        json_push (words, json_string ("pipefail"));
    }
    json_push (words, json_stringf ("./%s", name));
    return words;
}

void script_file_text (const char *text, struct strbuf *out)
{
    size_t len = strlen (text);

    if (!has_interpreter (text))
        strbuf_add_str (out, prelude);
    strbuf_add (out, text, len);
    if (len > 0 && text[len - 1] != '\n')
        strbuf_add_char (out, '\n');
}

/* The words of its first line, without the "#!". */
static void interpreter_words (const char *text, struct strvec *words)
{
    _cleanup_free_ char *line = xstrndup (text + 2, strcspn (text + 2, "\n"));

    strvec_split (words, line, " \t\r");
}

char *script_interpreter (const char *text)
{
    _cleanup_ (strvec_release) struct strvec words = STRVEC_INIT;
    char *program = NULL;

    if (has_interpreter (text))
        interpreter_words (text, &words);
    if (words.n > 0)
        program = xstrdup (words.v[0]);
    return program;
}

bool script_is_shell (const char *text)
{
    static const char *const shells[] = { "bash", "sh", "dash", "ksh", NULL };
    _cleanup_ (strvec_release) struct strvec words = STRVEC_INIT;
    bool shell = !has_interpreter (text);

    if (!shell)
        interpreter_words (text, &words);
    /* "/bin/bash -e", "/usr/bin/env -S bash -e" */
    for (size_t i = 0; i < words.n && !shell; i++) {
        const char *name = path_base (words.v[i]);

        shell = words_contain (shells, name);
        if (strcmp (name, "env") != 0 && name[0] != '-')
            break;
    }
    return shell;
}

static void paths_after (const char *text, const char *name,
                         struct strvec *paths)
{
    static const char ends[] = " \t\n\"'$`\\;&|<>(){}[]*?#!";

    while ((text = strstr (text, name))) {
        size_t len;

        text += strlen (name);
        text += *text == '"';
        len = *text == '/' ? strcspn (text + 1, ends) : 0;
        if (len > 0)
            strvec_pushf (paths, "%.*s", (int)len, text + 1);
    }
}

void script_campaign_paths (const char *text, struct strvec *paths)
{
    paths_after (text, "$campaign", paths);
    paths_after (text, "${campaign}", paths);
}

void script_variable (const char *placeholder, struct strbuf *out)
{
    for (; *placeholder; placeholder++)
        strbuf_add_char (out, *placeholder == '.' ? '_' : *placeholder);
}

void script_list_variable (const char *placeholder, struct strbuf *out)
{
    script_variable (placeholder, out);
    strbuf_add_str (out, "_list");
}
