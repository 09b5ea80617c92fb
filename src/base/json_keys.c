/* SPDX-License-Identifier: BSD-3-Clause */
/* json_keys.c - where in a JSON text its keys are */
#include "base/base.h"

#include "base/json_keys.h"

/* json_parse takes no deeper ones. */
enum { DEPTH_MAX = 1000 };

struct scan {
    const char *at, *end;
    size_t line;
    struct strbuf path;
    int depth;
    int (*each) (const char *key, size_t line, void *arg, struct error *err);
    void *arg;
    struct error *err;
    int rc; /* not 0: of 'each' */
};

static int scan_value (struct scan *s);

/* The next character that is not blank, or '\0'. */
static char look (struct scan *s)
{
    for (; s->at < s->end && strchr (" \t\r\n", *s->at); s->at++)
        s->line += *s->at == '\n';
    return s->at < s->end ? *s->at : '\0';
}

static bool take (struct scan *s, char c)
{
    if (look (s) != c)
        return false;
    s->at++;
    return true;
}

/* The text between quotes, or NULL. */
static const char *take_string (struct scan *s, size_t *len)
{
    const char *text;

    if (!take (s, '"'))
        return NULL;
    text = s->at;
    for (; s->at < s->end && *s->at != '"'; s->at++) {
        if (*s->at == '\\' && s->at + 1 < s->end)
            s->at++;
    }
    *len = (size_t)(s->at - text);
    return take (s, '"') ? text : NULL;
}

/* "KEY": VALUE */
static int scan_pair (struct scan *s)
{
    size_t len, before = s->path.len;
    const char *key = take_string (s, &len);
    size_t line = s->line; /* not that of the value */
    int rc = -1;

    if (!key || !take (s, ':'))
        return -1;
    if (before > 0)
        strbuf_add_char (&s->path, '.');
    strbuf_add (&s->path, key, len);
    s->rc = s->each (s->path.buf, line, s->arg, s->err);
    if (s->rc == 0)
        rc = scan_value (s);
    strbuf_truncate (&s->path, before);
    return rc;
}

static int scan_object (struct scan *s)
{
    if (look (s) == '}')
        return take (s, '}') ? 0 : -1;
    do {
        if (scan_pair (s) < 0)
            return -1;
    } while (take (s, ','));
    return take (s, '}') ? 0 : -1;
}

static int scan_array (struct scan *s)
{
    size_t before = s->path.len, i = 0;

    if (look (s) == ']')
        return take (s, ']') ? 0 : -1;
    do {
        strbuf_addf (&s->path, "[%zu]", i++);
        if (scan_value (s) < 0)
            return -1;
        strbuf_truncate (&s->path, before);
    } while (take (s, ','));
    return take (s, ']') ? 0 : -1;
}

static int scan_value (struct scan *s)
{
    size_t len;
    int rc = 0;

    if (++s->depth > DEPTH_MAX)
        return -1;
    if (take (s, '{'))
        rc = scan_object (s);
    else if (take (s, '['))
        rc = scan_array (s);
    else if (look (s) == '"')
        rc = take_string (s, &len) ? 0 : -1;
    else
        while (s->at < s->end && !strchr (",]} \t\r\n", *s->at))
            s->at++;
    s->depth--;
    return rc;
}

int json_each_key (const char *text, size_t len,
                   int (*each) (const char *key, size_t line, void *arg,
                                struct error *err),
                   void *arg, struct error *err)
{
    struct scan s = { .at = text,
                      .end = text + len,
                      .line = 1,
                      .path = STRBUF_INIT,
                      .each = each,
                      .arg = arg,
                      .err = err };

    (void)scan_value (&s);
    strbuf_release (&s.path);
    return s.rc;
}

/* --- one key --- */

struct wanted {
    const char *path;
    size_t line;
};

static int find_key (const char *key, size_t line, void *arg, struct error *err)
{
    struct wanted *wanted = arg;

    (void)err;
    if (strcmp (key, wanted->path) != 0)
        return 0;
    wanted->line = line;
    return 1;
}

size_t json_key_line (const char *text, size_t len, const char *path)
{
    struct wanted wanted = { path, 0 };

    (void)json_each_key (text, len, find_key, &wanted, NULL);
    return wanted.line;
}
