/* SPDX-License-Identifier: BSD-3-Clause */
/* potcar.c - VASP's potentials: POTCAR */
#include "base/base.h"

#include "base/file.h"
#include "formats/element.h"
#include "formats/lines.h"
#include "formats/vasp/potcar.h"

static bool is_upper (char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_lower (char c)
{
    return c >= 'a' && c <= 'z';
}

int potcar_element (char symbol[SYMBOL_SIZE], const char *name, size_t len)
{
    char found[SYMBOL_SIZE] = "";
    size_t n = 1;

    if (len == 0 || !is_upper (name[0]))
        return -1;
    if (len > 1 && is_lower (name[1]))
        n = 2;
    if (len > n && (is_upper (name[n]) || is_lower (name[n])))
        return -1;
    memcpy (found, name, n);
    if (!(element_mass (found) > 0))
        return -1;
    memcpy (symbol, found, SYMBOL_SIZE);
    return 0;
}

/* The bytes up to the next word, or the end of this one. */
static size_t span (const char *text, size_t len, size_t at, bool spaces)
{
    while (at < len && (text[at] == ' ' || text[at] == '\t') == spaces)
        at++;
    return at;
}

int potcar_title_element (char symbol[SYMBOL_SIZE], const char *title,
                          size_t len)
{
    size_t at = span (title, len, 0, true), end;

    at = span (title, len, at, false);
    at = span (title, len, at, true);
    end = span (title, len, at, false);
    return potcar_element (symbol, title + at, end - at);
}

enum { POTCAR_MAX_BYTES = 64 << 20 };

char *potcar_path (const char *from, const char *dir, const char *name)
{
    char *all = path_join (from, dir);
    char *file = path_join (all, name);
    char *inside = path_join (file, "POTCAR");

    free (all);
    if (!file_exists (inside)) {
        free (inside);
        return file;
    }
    free (file);
    return inside;
}

/* The element of the line's "TITEL  = PAW_PBE Si 05Jan2001". */
static int read_title (struct lines *lines, char symbol[SYMBOL_SIZE],
                       struct error *err)
{
    const char *at = memchr (lines->at, '=', (size_t)(lines->end - lines->at));

    if (!at
        || potcar_title_element (symbol, at + 1, (size_t)(lines->end - at - 1))
               < 0)
        return lines_error (lines, err,
                            "expected the title of a potential of an element");
    return 0;
}

/* Of how many potentials is it, and of which element the last? */
static int read_titles (const char *path, const char *text, size_t len, int *n,
                        char symbol[SYMBOL_SIZE], struct error *err)
{
    struct lines lines;
    int rc;

    *n = 0;
    lines_of_text (&lines, text, len, path, 1);
    while ((rc = lines_next (&lines, err)) == 1) {
        lines_at_end (&lines); /* takes the blanks before it */
        if (!lines_take_prefix (&lines, "TITEL"))
            continue;
        ++*n;
        rc = read_title (&lines, symbol, err);
        if (rc < 0)
            break;
    }
    lines_close (&lines);
    return rc;
}

bool potcar_setting (const char *text, size_t len, const char *key,
                     struct strbuf *value)
{
    struct lines lines;
    bool found = false;

    lines_of_text (&lines, text, len, "", 1);
    while (!found && lines_next (&lines, NULL) == 1) {
        size_t n = 0;

        lines_at_end (&lines); /* takes the blanks before it */
        if (!lines_take_prefix (&lines, key))
            continue;
        lines_at_end (&lines);
        found = lines_take_prefix (&lines, "=");
        lines_at_end (&lines);
        while (found && lines.at + n < lines.end
               && !strchr ("; \t\r", lines.at[n]))
            n++;
        strbuf_add (value, lines.at, n);
    }
    lines_close (&lines);
    return found;
}

int potcar_append (const char *path, const char *element, struct strbuf *out,
                   struct error *err)
{
    char symbol[SYMBOL_SIZE] = "";
    size_t before = out->len;
    int n;

    if (file_read (path, POTCAR_MAX_BYTES, out, err) < 0
        || read_titles (path, out->buf + before, out->len - before, &n, symbol,
                        err)
               < 0)
        return -1;
    if (n != 1)
        return error_set (err, "%s: expected one potential (TITEL), found %d",
                          path, n);
    if (strcmp (symbol, element) != 0)
        return error_set (err, "%s: the potential is one of %s, not of %s",
                          path, symbol, element);
    if (out->buf[out->len - 1] != '\n')
        strbuf_add_char (out, '\n');
    return 0;
}
