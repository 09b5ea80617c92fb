/* SPDX-License-Identifier: BSD-3-Clause */
/* incar.c - VASP's settings: INCAR */
#include "base/base.h"

#include "formats/vasp/incar.h"

static bool is_blank (char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static void go_on (struct incar *s)
{
    s->line += *s->at == '\n';
    s->at++;
}

static void skip_blanks (struct incar *s)
{
    while (s->at < s->end && is_blank (*s->at))
        s->at++;
}

/* To the first of these characters, or the end. */
static void go_to (struct incar *s, const char *stops)
{
    while (s->at < s->end && (*s->at == '\0' || !strchr (stops, *s->at)))
        go_on (s);
}

/* Does the line that ends here go on in the next? */
static bool continues (const char *begin, const char *line_end)
{
    while (line_end > begin && is_blank (line_end[-1]))
        line_end--;
    return line_end > begin && line_end[-1] == '\\';
}

static void take_value (struct incar *s, struct incar_tag *tag)
{
    skip_blanks (s);
    tag->value = s->at;
    if (s->at < s->end && *s->at == '"') {
        go_on (s);
        go_to (s, "\"");
    }
    go_to (s, "\n;#!");
    while (s->at < s->end && *s->at == '\n' && continues (tag->value, s->at)) {
        go_on (s);
        go_to (s, "\n;#!");
    }
    tag->end = s->at;
}

static void set_name (struct incar_tag *tag, const char *begin, const char *end)
{
    size_t n = 0;

    while (end > begin && is_blank (end[-1]))
        end--;
    for (; begin < end && n < INCAR_TAG_SIZE - 1; begin++)
        tag->name[n++] = (char)toupper ((unsigned char)*begin);
    tag->name[n] = '\0';
}

bool incar_next (struct incar *s, struct incar_tag *tag)
{
    while (s->at < s->end) {
        const char *begin;

        skip_blanks (s);
        begin = s->at;
        tag->line = s->line;
        go_to (s, "=\n;#!{}");
        if (s->at == s->end)
            break;
        if (*s->at == '=') {
            set_name (tag, begin, s->at);
            go_on (s);
            take_value (s, tag);
            return true;
        }
        if (*s->at == '#' || *s->at == '!')
            go_to (s, "\n");
        else
            go_on (s);
    }
    return false;
}

bool incar_is_true (const struct incar_tag *tag)
{
    const char *at = tag->value;

    if (at < tag->end && *at == '.')
        at++;
    return at < tag->end && (*at == 'T' || *at == 't');
}

bool incar_sets (const char *text, size_t len, const char *name)
{
    struct incar s = INCAR_OF (text, len);
    struct incar_tag tag;

    while (incar_next (&s, &tag)) {
        if (strcmp (tag.name, name) == 0)
            return true;
    }
    return false;
}
