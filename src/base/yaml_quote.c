/* SPDX-License-Identifier: BSD-3-Clause */
/* yaml_quote.c - a line of YAML with the quotes it lacks */
#include "base/base.h"

#include "base/yaml_quote.h"

struct line {
    const char *at, *end; /* what is left of it */
    int depth;            /* of [ and { */
    bool quoted;          /* something was put in quotes */
    struct strbuf *out;
};

static bool is_name_character (char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
           || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

/* How long "{name}" at 'p' is; 0: there is none. */
static size_t placeholder_length (const char *p, const char *end)
{
    const char *s = p + 1;

    if (p == end || *p != '{')
        return 0;
    while (s < end && is_name_character (*s))
        s++;
    return s > p + 1 && s < end && *s == '}' ? (size_t)(s - p) + 1 : 0;
}

static bool ends_plain (const struct line *line, const char *p)
{
    bool last = p + 1 == line->end;

    if (*p == ':' && (last || p[1] == ' '))
        return true;
    if (*p == ' ' && !last && p[1] == '#')
        return true;
    return line->depth > 0 && strchr (",[]{}", *p);
}

/* The text without quotes at the front; *braces: it has a placeholder. */
static size_t plain_length (const struct line *line, bool *braces)
{
    const char *p = line->at;

    *braces = false;
    while (p < line->end) {
        size_t len = placeholder_length (p, line->end);

        *braces = *braces || len > 0;
        if (len == 0 && p > line->at && ends_plain (line, p))
            break;
        p += len > 0 ? len : 1;
    }
    while (p > line->at && p[-1] == ' ')
        p--;
    return (size_t)(p - line->at);
}

static void copy (struct line *line, size_t len)
{
    strbuf_add (line->out, line->at, len);
    line->at += len;
}

/* In double quotes, or in single ones where those need no escapes. */
static void add_quoted (struct line *line, size_t len)
{
    bool single = memchr (line->at, '"', len) || memchr (line->at, '\\', len);

    strbuf_add_char (line->out, single ? '\'' : '"');
    for (size_t i = 0; i < len; i++) {
        strbuf_add_char (line->out, line->at[i]);
        if (single && line->at[i] == '\'')
            strbuf_add_char (line->out, '\'');
    }
    strbuf_add_char (line->out, single ? '\'' : '"');
    line->at += len;
    line->quoted = true;
}

/* How long the quoted text at the front is. */
static size_t quoted_length (const struct line *line)
{
    const char *p = line->at + 1;

    while (p < line->end && *p != *line->at)
        p += *p == '\\' && *line->at == '"' && p + 1 < line->end ? 2 : 1;
    return (size_t)(p - line->at) + (p < line->end);
}

static void take_plain (struct line *line)
{
    bool braces;
    size_t len = plain_length (line, &braces);
    const char *after = line->at + len;
    bool key = after < line->end && *after == ':';
    bool text = line->at[0] == '{' || (braces && line->depth > 0);

    if (len == 0)
        copy (line, 1);
    else if (!key && (text || strchr ("*@%`", line->at[0])))
        add_quoted (line, len);
    else
        copy (line, len);
}

bool yaml_quote_line (const char *text, size_t len, bool flow,
                      struct strbuf *out)
{
    struct line line = { text, text + len, flow, false, out };
    size_t before = out->len;

    while (line.at < line.end && *line.at == ' ')
        line.at++;
    while (line.at < line.end) {
        char c = *line.at;

        if (c == '"' || c == '\'') {
            copy (&line, quoted_length (&line));
        } else if (c == '#') {
            copy (&line, (size_t)(line.end - line.at));
        } else if (strchr (" ,:", c)
                   || (c == '-' && line.at + 1 < line.end
                       && line.at[1] == ' ')) {
            copy (&line, 1);
        } else if (strchr ("[{", c)
                   && placeholder_length (line.at, line.end) == 0) {
            line.depth++;
            copy (&line, 1);
        } else if (strchr ("]}", c)) {
            line.depth -= line.depth > 0;
            copy (&line, 1);
        } else {
            take_plain (&line);
        }
    }
    if (!line.quoted)
        strbuf_truncate (out, before);
    return line.quoted;
}
