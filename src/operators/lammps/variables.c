/* SPDX-License-Identifier: BSD-3-Clause */
/* variables.c - the variables of the user's lines: which are set, by them or by
 * the stage, and which are used (LAMMPS, Commands_parse and Input::substitute)
 *
 * What is not sure is let go: text in quotes, but for commands that read it,
 * and lines that read other files or run Python.
 */
#include "base/base.h"

#include "base/json.h"
#include "base/problems.h"
#include "operators/lammps/lammps.h"

static bool is_name_char (char c)
{
    return isalnum ((unsigned char)c) || c == '_';
}

static size_t name_length (const char *at)
{
    size_t n = 0;

    while (is_name_char (at[n]))
        n++;
    return n;
}

/* --- the text, without what LAMMPS does not look at --- */

/* Without comments.  In text in quotes, of any command but those that read it,
 * every '$' and "v_" is blotted out.
 */
struct blotting {
    struct strbuf *out;
    bool reads_quotes; /* the command at hand */
    char quote;        /* that is open; 't': three of them; 0: none */
};

static bool reads_quotes (const char *line)
{
    static const char *const commands[] = { "print", "if" };
    size_t n = strspn (line, " \t");
    size_t len = strcspn (line + n, " \t\r\n");

    for (size_t i = 0; i < ARRAY_SIZE (commands); i++) {
        if (strlen (commands[i]) == len
            && memcmp (commands[i], line + n, len) == 0)
            return true;
    }
    return false;
}

/* Past a quote, if it opens or closes one: how many characters it has. */
static size_t see_quote (struct blotting *b, const char *at)
{
    if (strncmp (at, "\"\"\"", 3) == 0 && (!b->quote || b->quote == 't')) {
        b->quote = b->quote ? 0 : 't';
        return 3;
    }
    if ((*at == '"' || *at == '\'') && (!b->quote || b->quote == *at)) {
        b->quote = b->quote ? 0 : *at;
        return 1;
    }
    return 0;
}

static const char *blot_line (struct blotting *b, const char *at)
{
    size_t quote;

    while (*at && *at != '\n') {
        if (!b->quote && *at == '#')
            at += strcspn (at, "\n");
        else if ((quote = see_quote (b, at)) > 0) {
            strbuf_add (b->out, "   ", quote);
            at += quote;
        } else {
            bool hidden = b->quote && !b->reads_quotes
                          && (*at == '$' || (at[0] == 'v' && at[1] == '_'));

            strbuf_add_char (b->out, hidden ? ' ' : *at);
            at++;
        }
    }
    return at;
}

static void blot (const char *text, struct strbuf *out)
{
    struct blotting b = { .out = out };
    bool goes_on = false;

    while (*text) {
        if (!goes_on && !b.quote)
            b.reads_quotes = reads_quotes (text);
        text = blot_line (&b, text);
        if (b.quote != 't')
            b.quote = 0;
        while (out->len > 0 && strchr (" \t\r", out->buf[out->len - 1]))
            strbuf_truncate (out, out->len - 1);
        goes_on = out->len > 0 && out->buf[out->len - 1] == '&';
        if (*text == '\n')
            strbuf_add_char (out, *text++);
    }
}

/* --- what is set --- */

/* Append the names behind every word `variable`; false: one of them is made of
 * other variables, so it may be any.
 */
static bool find_set (const char *text, struct strvec *set)
{
    static const char word[] = "variable";

    for (const char *at = text; (at = strstr (at, word));) {
        bool begins = at == text || !is_name_char (at[-1]);
        size_t len;

        at += strlen (word);
        if (!begins || !strchr (" \t", *at))
            continue;
        at += strspn (at, " \t");
        len = name_length (at);
        if (at[len] == '$')
            return false;
        if (len > 0) {
            _cleanup_free_ char *name = strndup (at, len);

            strvec_push (set, name);
        }
    }
    return true;
}

/* May other files, or programs, set and use variables, or what is not set be
 * asked for?
 */
static bool may_be_elsewhere (const char *text)
{
    static const char *const words[] = { "include", "python", "plugin", "shell",
                                         "is_defined" };

    for (size_t i = 0; i < ARRAY_SIZE (words); i++) {
        if (strstr (text, words[i]))
            return true;
    }
    for (const char *at = text; (at = strstr (at, "jump"));) {
        at += strlen ("jump");
        if (strncmp (at + strspn (at, " \t"), "SELF", 4) != 0)
            return true;
    }
    return false;
}

/* --- what is used --- */

/* The name that begins at or behind *at, moved there; its length, 0: it is the
 * end.
 */
static size_t next_used (const char *text, const char **at)
{
    const char *p = *at;

    for (; *p; p++) {
        size_t len;

        if (p[0] == '$' && p[1] == '{') {
            *at = p + 2;
            if ((len = name_length (p + 2)) > 0)
                return len;
        } else if (p[0] == '$' && isalnum ((unsigned char)p[1])) {
            *at = p + 1;
            return 1;
        } else if (p[0] == 'v' && p[1] == '_'
                   && (p == text || !(is_name_char (p[-1]) || p[-1] == '.'))) {
            len = name_length (p + 2);
            *at = p + 2;
            if (len > 0 && !strchr ("./", p[2 + len] ? p[2 + len] : ' '))
                return len;
        }
    }
    return 0;
}

static size_t line_of (const char *text, const char *at)
{
    size_t line = 1;

    for (; text < at; text++)
        line += *text == '\n';
    return line;
}

static int refuse_unset (const char *text, const char *at, const char *used,
                         const char *name, const struct strvec *set,
                         struct error *err)
{
    const char *near = nearest_word (used, set);

    return error_set (err,
                      "%s:%zu: nothing sets the variable '%s'; %s%s%swrite "
                      "for_each: {%s: [...]} in the stage, or `variable %s "
                      "equal ...` above",
                      name, line_of (text, at), used,
                      near ? "did you mean '" : "", near ? near : "",
                      near ? "'? Else " : "", used, used);
}

static int check_used (const char *text, const struct strvec *set,
                       const char *name, struct error *err)
{
    const char *at = text;
    size_t len;
    int rc = 0;

    while (rc == 0 && (len = next_used (text, &at)) > 0) {
        char *used = strndup (at, len);

        if (!strvec_contains (set, used))
            rc = refuse_unset (text, at, used, name, set, err);
        free (used);
        at += len;
    }
    return rc;
}

int lammps_check_variables (const char *text, size_t len, const char *name,
                            const struct json *for_each, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf clean = STRBUF_INIT;
    _cleanup_ (strvec_release) struct strvec set = STRVEC_INIT;
    int rc = 0;

    (void)len; /* 'text' is a string */
    blot (text, &clean);
    strvec_push (&set, "seed");
    strvec_push (&set, "steps");
    JSON_FOREACH (for_each, it)
        strvec_push (&set, json_iter_key (it));
    if (!may_be_elsewhere (clean.buf)) {
        if (find_set (clean.buf, &set))
            rc = check_used (clean.buf, &set, name, err);
        if (rc == 0)
            rc = explore_check_used (clean.buf, name, for_each, err);
    }
    return rc;
}
