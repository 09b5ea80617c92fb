/* SPDX-License-Identifier: BSD-3-Clause */
/* pseudo_element.c - of which element a pseudopotential is */
#include "base/base.h"

#include <fcntl.h>
#include <unistd.h>

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

/* The beginning of the file, "" if it cannot be read.  Caller frees. */
static char *read_head (const char *path)
{
    char *text = xcalloc (HEAD_BYTES + 1, 1);
    int fd = file_open (path, O_RDONLY, 0);

    if (fd >= 0 && pread (fd, text, HEAD_BYTES, 0) < 0)
        *text = '\0';
    if (fd >= 0)
        close (fd);
    return text;
}

bool pseudo_element (const char *path, char symbol[SYMBOL_SIZE])
{
    _cleanup_free_ char *text = read_head (path);
    const char *header = strstr (text, "<PP_HEADER");

    return header
               ? upf_element (header, symbol)
               : gth_element (text, symbol) || orbital_element (text, symbol);
}

/* functional=" SLA  PZ   NOGX NOGC", functional="PBE", or the line
 * " SLA  PW   PBX  PBC    PBE  Exchange-Correlation functional".
 */
static const char *functional_of (const char *header)
{
    static const char *const names[][2] = {
        { "PBESOL", "PBEsol" },
        { "PSX", "PBEsol" },
        { "PBX", "PBE" },
        { "PBE", "PBE" },
        { "BLYP", "BLYP" },
        { "B88", "BLYP" },
        { "SLA  PZ   NOGX", "LDA" },
        { "SLA PZ NOGX", "LDA" },
        { "LDA", "LDA" },
        { "SLA-PZ-NOGX", "LDA" },
    };
    const char *end = strchr (header, '>');
    const char *at = strstr (header, "functional=");
    const char *functional = NULL;
    _cleanup_free_ char *line = NULL;

    if (!at || !end || at > end) {
        at = strstr (header, "Exchange-Correlation");
        while (at && at > header && at[-1] != '\n')
            at--;
    }
    if (!at)
        return NULL;
    line = xstrndup (at, strcspn (at, "\n"));
    for (size_t i = 0; !functional && i < ARRAY_SIZE (names); i++) {
        if (strstr (line, names[i][0]))
            functional = names[i][1];
    }
    return functional;
}

const char *pseudo_functional (const char *path)
{
    _cleanup_free_ char *text = read_head (path);
    const char *header = strstr (text, "<PP_HEADER");
    const char *functional = header ? functional_of (header) : NULL;

    return functional;
}

bool pseudo_is_augmented (const char *path)
{
    static const char *const words[] = { "pseudo_type=\"US",
                                         "pseudo_type=\"PAW", "Ultrasoft",
                                         "US                  " };
    _cleanup_free_ char *text = read_head (path);
    char *header = strstr (text, "<PP_HEADER");
    char *end = header ? strstr (header, "<PP_MESH") : NULL;
    bool is = false;

    if (end)
        *end = '\0';
    for (size_t i = 0; header && i < ARRAY_SIZE (words); i++)
        is = is || strstr (header, words[i]);
    return is;
}

/* wfc_cutoff="3.5000E+01", or the line "35.0 140.0 Suggested cutoff for wfc and
 * rho".
 */
double pseudo_cutoff (const char *path)
{
    static const char word[] = "wfc_cutoff=\"";
    _cleanup_free_ char *text = read_head (path);
    const char *header = strstr (text, "<PP_HEADER");
    const char *at = header ? strstr (header, word) : NULL;
    const char *line =
        header ? strstr (header, "Suggested cutoff for wfc") : NULL;
    double cutoff = at ? strtod (at + strlen (word), NULL) : 0;

    while (line && line > header && line[-1] != '\n')
        line--;
    if (!at && line)
        cutoff = strtod (line, NULL);
    return cutoff;
}
