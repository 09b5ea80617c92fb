/* SPDX-License-Identifier: BSD-3-Clause */
/* scan.c - the lines of a CP2K input, and the sections they are in */
#include "base/base.h"

#include <strings.h>

#include "base/json.h"
#include "formats/lines.h"
#include "operators/cp2k/input.h"

enum { DEPTH_MAX = 30 }; /* CP2K's deepest section is at 10 */

struct scan {
    struct lines lines;
    struct strbuf path;
    struct {
        size_t path_len; /* before the section */
        size_t line;
    } sections[DEPTH_MAX];
    int depth;
    struct strbuf text; /* the line at hand, with those that continue it */
    struct strbuf word;
    struct strbuf value;
    struct json *variables; /* {NAME: value} of @SET */
};

static char *upper_case (char *word)
{
    for (char *c = word; *c; c++)
        *c = (char)toupper ((unsigned char)*c);
    return word;
}

/* --- a line --- */

/* Append what stands before a comment, without spaces at the end.  True: a
 * backslash says that it goes on in the next line.
 */
static bool add_line (const struct lines *lines, struct strbuf *text)
{
    const char *end = lines->at;
    char quote = '\0';
    bool goes_on;

    for (; end < lines->end && (quote || !strchr ("!#", *end)); end++) {
        if (*end == quote)
            quote = '\0';
        else if (!quote && (*end == '"' || *end == '\''))
            quote = *end;
    }
    while (end > lines->at && isspace ((unsigned char)end[-1]))
        end--;
    goes_on = end > lines->at && end[-1] == '\\';
    strbuf_add (text, lines->at, (size_t)(end - lines->at) - goes_on);
    return goes_on;
}

static int next_line (struct scan *s, size_t *number, struct error *err)
{
    bool goes_on = true;
    int rc = 1;

    strbuf_reset (&s->text);
    *number = s->lines.number + 1;
    while (goes_on && (rc = lines_next (&s->lines, err)) > 0)
        goes_on = add_line (&s->lines, &s->text);
    return rc < 0 ? -1 : rc > 0 || s->text.len > 0;
}

/* Append the value of the variable at 'at', "${NAME}", "$NAME" or
 * "${NAME-default}".  Returns what follows it; NULL, and nothing appended, when
 * there is none that is known.
 */
static const char *add_variable (const struct scan *s, const char *at,
                                 struct strbuf *value)
{
    bool braces = at[1] == '{';
    const char *name = at + 1 + braces, *stop = name, *end;
    const struct json *known;
    char *key;

    while (isalnum ((unsigned char)*stop) || *stop == '_')
        stop++;
    end = braces ? strchr (stop, '}') : stop;
    if (*at != '$' || stop == name || !end)
        return NULL;
    key = xstrndup (name, (size_t)(stop - name));
    known = json_get (s->variables, upper_case (key));
    free (key);
    if (json_kind (known) == JSON_KIND_STRING)
        strbuf_add_str (value, json_as_string (known));
    else if (braces && *stop == '-')
        strbuf_add (value, stop + 1, (size_t)(end - stop - 1));
    else
        return NULL;
    return end + braces;
}

/* The word at the front, in upper case, and what follows. */
static void split (struct scan *s)
{
    const char *at = s->text.buf + strspn (s->text.buf, " \t");
    size_t len = strcspn (at, " \t");

    strbuf_reset (&s->word);
    strbuf_add (&s->word, at, len);
    upper_case (s->word.buf);
    strbuf_reset (&s->value);
    for (at += len + strspn (at + len, " \t"); *at;) {
        const char *after = add_variable (s, at, &s->value);

        if (!after)
            strbuf_add_char (&s->value, *at);
        at = after ? after : at + 1;
    }
}

/* "@SET NAME VALUE" */
static void set_variable (struct scan *s)
{
    _cleanup_free_ char *name = s->value.buf;
    size_t len = strcspn (name, " \t");
    char *value = name + len + strspn (name + len, " \t");

    name = xstrndup (name, len);
    json_set (s->variables, upper_case (name), json_string (value));
}

/* --- sections --- */

static const char *section_name (const struct scan *s)
{
    const char *slash = strrchr (s->path.buf, '/');

    return slash ? slash + 1 : s->path.buf;
}

static int begin_section (struct scan *s, size_t number, struct error *err)
{
    if (s->depth == DEPTH_MAX)
        return error_set (err, "%s:%zu: sections are nested too deeply",
                          s->lines.file.name, number);
    s->sections[s->depth].path_len = s->path.len;
    s->sections[s->depth++].line = number;
    if (s->path.len > 0)
        strbuf_add_char (&s->path, '/');
    strbuf_add_str (&s->path, s->word.buf + 1);
    return 0;
}

static int end_section (struct scan *s, size_t number, struct error *err)
{
    if (s->depth == 0)
        return error_set (err, "%s:%zu: &END without a section",
                          s->lines.file.name, number);
    if (s->value.len > 0 && strcasecmp (s->value.buf, section_name (s)) != 0)
        return error_set (err, "%s:%zu: '&END %s' where &%s of line %zu ends",
                          s->lines.file.name, number, s->value.buf,
                          section_name (s), s->sections[s->depth - 1].line);
    strbuf_reset (&s->word);
    strbuf_add_str (&s->word, section_name (s));
    strbuf_truncate (&s->path, s->sections[--s->depth].path_len);
    return 0;
}

/* --- the whole of it --- */

static int scan_line (struct scan *s, size_t number, cp2k_each_line *each,
                      void *arg, struct error *err)
{
    struct cp2k_line line = { .item = CP2K_KEY, .number = number };
    bool is_end;

    split (s);
    is_end = strcmp (s->word.buf, "&END") == 0;
    if (s->word.len == 0 || (is_end && end_section (s, number, err) < 0))
        return s->word.len == 0 ? 0 : -1;
    line.word = s->word.buf;
    if (is_end) {
        line.item = CP2K_END;
    } else if (s->word.buf[0] == '&') {
        line.item = CP2K_SECTION;
        line.word++;
    } else if (s->word.buf[0] == '@') {
        line.item = CP2K_COMMAND;
        if (strcmp (s->word.buf, "@SET") == 0)
            set_variable (s);
    }
    line.path = s->path.buf;
    line.value = s->value.buf;
    line.after = (size_t)(lines_in_memory (&s->lines).at
                          - lines_in_memory (&s->lines).begin);
    if (each (&line, arg, err) != 0)
        return -1;
    return line.item == CP2K_SECTION ? begin_section (s, number, err) : 0;
}

int cp2k_scan (const char *text, size_t len, const char *name,
               cp2k_each_line *each, void *arg, struct error *err)
{
    struct scan s = { .path = STRBUF_INIT,
                      .text = STRBUF_INIT,
                      .word = STRBUF_INIT,
                      .value = STRBUF_INIT,
                      .variables = json_object () };
    size_t number;
    int rc;

    lines_of_text (&s.lines, text, len, name, 1);
    while ((rc = next_line (&s, &number, err)) > 0
           && (rc = scan_line (&s, number, each, arg, err)) == 0)
        ;
    if (rc == 0 && s.depth > 0)
        rc = error_set (err, "%s:%zu: &%s has no &END", name,
                        s.sections[s.depth - 1].line, section_name (&s));
    lines_close (&s.lines);
    strbuf_release (&s.path);
    strbuf_release (&s.text);
    strbuf_release (&s.word);
    strbuf_release (&s.value);
    json_unref (s.variables);
    return rc;
}
