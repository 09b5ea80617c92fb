/* SPDX-License-Identifier: BSD-3-Clause */
/* pseudo_element.c - of which element a pseudopotential is */
#include "config.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"
#include "formats/element.h"
#include "formats/pseudo_element.h"

/* A header stands behind what its generator was given. */
enum { HEAD_BYTES = 1 << 18 };

/* The word at 'at', in the case of a symbol, if it is one. */
static bool take_symbol (const char *at, char symbol[SYMBOL_SIZE])
{
    char found[SYMBOL_SIZE] = "";
    size_t len;

    at += strspn (at, " \t");
    len = strcspn (at, " \t\r\n\"'<>/");
    if (len == 0 || len > 2)
        return false;
    for (size_t i = 0; i < len; i++)
        found[i] = (char)(i == 0 ? toupper ((unsigned char)at[i])
                                 : tolower ((unsigned char)at[i]));
    if (!(element_mass (found) > 0))
        return false;
    memcpy (symbol, found, SYMBOL_SIZE);
    return true;
}

/* <PP_HEADER ... element="Si" ...>, or the line "  Si    Element". */
static bool upf_element (const char *header, char symbol[SYMBOL_SIZE])
{
    const char *end = strchr (header, '>');
    const char *at = strstr (header, "element=");

    if (at && end && at < end)
        return take_symbol (at + strlen ("element=") + 1, symbol);
    for (at = header; end && (at = strchr (at, '\n'));) {
        size_t len = strcspn (++at, "\n");
        const char *word = memmem (at, len, "Element", strlen ("Element"));

        if (word)
            return take_symbol (at, symbol);
    }
    return false;
}

/* "Element                     Si" of an orbital file. */
static bool orbital_element (const char *text, char symbol[SYMBOL_SIZE])
{
    static const char word[] = "Element";

    for (const char *at = text; at; at = strchr (at, '\n')) {
        at += *at == '\n';
        if (strncmp (at, word, strlen (word)) == 0)
            return take_symbol (at + strlen (word), symbol);
    }
    return false;
}

/* "Si GTH-PBE-q4 GTH-PBE", behind comments. */
static bool gth_element (const char *text, char symbol[SYMBOL_SIZE])
{
    while (*text == '#' || *text == '\n') {
        text += strcspn (text, "\n");
        text += *text == '\n';
    }
    text += strspn (text, " ");
    if (strncmp (text + strcspn (text, " \n"), " GTH", 4) != 0)
        return false;
    return take_symbol (text, symbol);
}

bool pseudo_element (const char *path, char symbol[SYMBOL_SIZE])
{
    char *text = xcalloc (HEAD_BYTES + 1, 1);
    int fd = file_open (path, O_RDONLY, 0);
    const char *header;
    bool found = false;

    if (fd >= 0 && pread (fd, text, HEAD_BYTES, 0) > 0) {
        header = strstr (text, "<PP_HEADER");
        found = header ? upf_element (header, symbol)
                       : gth_element (text, symbol)
                             || orbital_element (text, symbol);
    }
    if (fd >= 0)
        close (fd);
    free (text);
    return found;
}
