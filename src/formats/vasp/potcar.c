/* SPDX-License-Identifier: BSD-3-Clause */
/* potcar.c - what VASP's potential files are called */
#include "config.h"

#include <stdbool.h>
#include <string.h>

#include "formats/element.h"
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
