/* SPDX-License-Identifier: BSD-3-Clause */
/* data_files.c - basis sets and potentials that a CP2K input names */
#include "base/base.h"

#include <strings.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/json.h"
#include "formats/element.h"
#include "formats/frame.h"
#include "formats/lines.h"
#include "operators/cp2k/data_files.h"
#include "operators/cp2k/input.h"

static const char debian_dir[] = "/usr/share/cp2k";

const char *cp2k_data_dir (const char *given)
{
    const char *dir = given ? given : getenv ("CP2K_DATA_DIR");
    struct stat st;

    dir = dir && *dir ? dir : debian_dir;
    return stat (dir, &st) == 0 && S_ISDIR (st.st_mode) ? dir : NULL;
}

/* --- what an input names --- */

enum what { OTHER_FILE, BASIS_FILE, POTENTIAL_FILE, BASIS, POTENTIAL };

struct entry {
    enum what what;
    char *name;
    char element[SYMBOL_SIZE]; /* of a basis set or potential */
    size_t line;
};

struct named {
    struct entry *entries;
    size_t n;
    size_t alloc;
    size_t kind_start; /* the first entry of the &KIND at hand */
    char element[SYMBOL_SIZE];
    struct strvec kinds;
    bool without_kinds; /* the method takes no basis sets from them */
};

static void release (struct named *named)
{
    for (size_t i = 0; i < named->n; i++)
        free (named->entries[i].name);
    free (named->entries);
    strvec_release (&named->kinds);
}

/* Keys whose value, or the last word of it, is a name. */
static const struct {
    const char *path;
    const char *word;
    enum what what;
} name_keys[] = {
    { "FORCE_EVAL/DFT", "BASIS_SET_FILE_NAME", BASIS_FILE },
    { "FORCE_EVAL/DFT", "POTENTIAL_FILE_NAME", POTENTIAL_FILE },
    { "FORCE_EVAL/DFT/QS/XTB/PARAMETER", "PARAM_FILE_NAME", OTHER_FILE },
    { "FORCE_EVAL/DFT/QS/XTB/PARAMETER", "DISPERSION_PARAMETER_FILE",
      OTHER_FILE },
    { "FORCE_EVAL/DFT/XC/VDW_POTENTIAL/PAIR_POTENTIAL", "PARAMETER_FILE_NAME",
      OTHER_FILE },
    { "FORCE_EVAL/DFT/XC/VDW_POTENTIAL/NON_LOCAL", "KERNEL_FILE_NAME",
      OTHER_FILE },
    { "FORCE_EVAL/SUBSYS/KIND", "BASIS_SET", BASIS },
    { "FORCE_EVAL/SUBSYS/KIND", "POTENTIAL", POTENTIAL },
    { "FORCE_EVAL/SUBSYS/KIND", "POT", POTENTIAL },
};

static void add_entry (struct named *named, enum what what,
                       const struct cp2k_line *line)
{
    const char *at = line->value, *end = at + strlen (at);

    if (end > at + 1 && strchr ("\"'", *at) && end[-1] == *at) {
        at++;
        end--;
    } else if (strrchr (at, ' ')) {
        at = strrchr (at, ' ') + 1; /* "BASIS_SET ORB DZVP-MOLOPT" */
    }
    named->entries = grow_array (named->entries, named->n, &named->alloc,
                                 sizeof (*named->entries));
    named->entries[named->n++] = (struct entry){
        .what = what,
        .name = xstrndup (at, (size_t)(end - at)),
        .line = line->number,
    };
}

/* The element that a kind's name begins with: "Fe2" is iron. */
static void set_element (struct named *named, const char *name)
{
    for (int len = 2; len > 0; len--) {
        char symbol[3] = { (char)toupper ((unsigned char)name[0]),
                           len > 1 && name[0]
                               ? (char)tolower ((unsigned char)name[1])
                               : '\0' };

        if (element_mass (symbol) > 0) {
            memcpy (named->element, symbol, sizeof (symbol));
            return;
        }
    }
    named->element[0] = '\0';
}

/* Does it take its basis sets from the kinds? */
static bool method_has_kinds (const char *method)
{
    static const char *const methods[] = { "QUICKSTEP", "QS",      "GPW",
                                           "GAPW",      "GAPW_XC", "LRIGPW",
                                           "RIGPW" };

    for (size_t i = 0; i < ARRAY_SIZE (methods); i++) {
        if (strcasecmp (methods[i], method) == 0)
            return true;
    }
    return false;
}

static void note_key (struct named *named, const struct cp2k_line *line)
{
    bool is_method = strcmp (line->word, "METHOD") == 0
                     && (strcmp (line->path, "FORCE_EVAL") == 0
                         || strcmp (line->path, "FORCE_EVAL/DFT/QS") == 0);

    if (is_method && !method_has_kinds (line->value))
        named->without_kinds = true;
    if (strcmp (line->path, "FORCE_EVAL/SUBSYS/KIND") == 0
        && strncmp (line->word, "ELEMENT", 7) == 0)
        set_element (named, line->value);
    for (size_t i = 0; i < ARRAY_SIZE (name_keys); i++) {
        if (strcmp (line->path, name_keys[i].path) == 0
            && strcmp (line->word, name_keys[i].word) == 0
            && strncasecmp (line->value, "UPF", 3) != 0)
            add_entry (named, name_keys[i].what, line);
    }
}

/* A name is the element's that its &KIND ends with. */
static int note_line (const struct cp2k_line *line, void *arg,
                      struct error *err)
{
    struct named *named = arg;
    bool is_kind = strcmp (line->path, "FORCE_EVAL/SUBSYS") == 0
                   && strcmp (line->word, "KIND") == 0;

    (void)err;
    if (line->item == CP2K_KEY) {
        note_key (named, line);
    } else if (is_kind && line->item == CP2K_SECTION) {
        strvec_push (&named->kinds, line->value);
        set_element (named, line->value);
        named->kind_start = named->n;
    } else if (is_kind && line->item == CP2K_END) {
        for (size_t i = named->kind_start; i < named->n; i++)
            memcpy (named->entries[i].element, named->element, SYMBOL_SIZE);
    }
    return 0;
}

/* --- files --- */

/* Where CP2K will find the file, or NULL.  Caller frees. */
static char *find_file (const struct cp2k_data *data, const char *name)
{
    char *path;

    for (size_t i = 0; i < json_count (data->files); i++) {
        const char *file = json_as_string (json_at (data->files, i));

        if (strcmp (path_base (file), name) == 0)
            return xstrdup (file);
    }
    if (name[0] == '/' || !data->dir)
        return xstrdup (name);
    path = path_join (data->dir, name);
    if (file_exists (path))
        return path;
    free (path);
    return NULL;
}

/* May the file be missing only seemingly? */
static bool is_unknown (const struct cp2k_data *data, const char *name)
{
    return strchr (name, '$') || (!data->dir && name[0] != '/');
}

static int check_file (const struct cp2k_data *data, const struct entry *entry,
                       const char *input, struct error *err)
{
    char *path = find_file (data, entry->name);
    bool there = path && file_exists (path);

    free (path);
    if (there || is_unknown (data, entry->name))
        return 0;
    return error_set (err,
                      "%s:%zu: there is no '%s'%s%s; name the file in files, "
                      "or write data_dir",
                      input, entry->line, entry->name, data->dir ? " in " : "",
                      data->dir ? data->dir : "");
}

/* --- names in files --- */

/* "Si DZVP-MOLOPT-SR-GTH DZVP-MOLOPT-SR-GTH-q4": an element and its names */
static bool has_name (struct lines *lines, const struct entry *entry)
{
    const char *word;
    size_t len;

    if (!lines_take_word (lines, &word, &len) || len != strlen (entry->element)
        || strncasecmp (word, entry->element, len) != 0)
        return false;
    while (lines_take_word (lines, &word, &len)) {
        if (len == strlen (entry->name)
            && strncasecmp (word, entry->name, len) == 0)
            return true;
    }
    return false;
}

/* 1: the file has it, 0: not, -1: it cannot be read */
static int search_file (const char *path, const struct entry *entry)
{
    struct lines lines = LINES_INIT;
    int rc = lines_open (&lines, path, 0, NULL), found = 0;

    while (rc == 0 && found == 0 && lines_next (&lines, NULL) > 0)
        found = has_name (&lines, entry);
    lines_close (&lines);
    return rc < 0 ? -1 : found;
}

/* Is a basis set or potential in one of the files for it? */
static int check_name (const struct cp2k_data *data, const struct named *named,
                       const struct entry *entry, const char *input,
                       struct error *err)
{
    enum what file = entry->what == BASIS ? BASIS_FILE : POTENTIAL_FILE;
    _cleanup_ (strbuf_release) struct strbuf files = STRBUF_INIT;
    bool found = strchr (entry->name, '$') || !entry->element[0];

    for (size_t i = 0; !found && i < named->n; i++) {
        const struct entry *in = &named->entries[i];
        char *path = in->what == file ? find_file (data, in->name) : NULL;

        if (in->what != file)
            continue;
        found = !path || search_file (path, entry) != 0;
        strbuf_addf (&files, "%s%s", files.len > 0 ? ", " : "",
                     path ? path : "");
        free (path);
    }
    found = found || files.len == 0;
    if (!found)
        error_set (err, "%s:%zu: %s has no %s '%s' for %s", input, entry->line,
                   files.buf, entry->what == BASIS ? "basis set" : "potential",
                   entry->name, entry->element);
    return found ? 0 : -1;
}

int cp2k_check_data (const struct cp2k_data *data, const char *text, size_t len,
                     const char *name, struct error *err)
{
    struct named named = { .kinds = STRVEC_INIT };
    int rc = cp2k_scan (text, len, name, note_line, &named, err);

    for (size_t i = 0; rc == 0 && i < named.n; i++) {
        const struct entry *entry = &named.entries[i];

        if (entry->what <= POTENTIAL_FILE)
            rc = check_file (data, entry, name, err);
        else if (!named.without_kinds)
            rc = check_name (data, &named, entry, name, err);
    }
    release (&named);
    return rc;
}

/* --- elements --- */

static bool has_kind (const struct named *named, const char *element)
{
    for (size_t i = 0; i < named->kinds.n; i++) {
        if (strcasecmp (named->kinds.v[i], element) == 0
            || strcasecmp (named->kinds.v[i], "DEFAULT") == 0)
            return true;
    }
    return false;
}

int cp2k_check_kinds (const char *text, size_t len, const char *name,
                      const char *const *elements, struct error *err)
{
    struct named named = { .kinds = STRVEC_INIT };
    int rc = cp2k_scan (text, len, name, note_line, &named, err);

    for (const char *const *e = elements;
         rc == 0 && !named.without_kinds && e && *e; e++) {
        if (!has_kind (&named, *e))
            rc = error_set (err,
                            "%s: there is no &KIND %s; add it with its "
                            "BASIS_SET and POTENTIAL",
                            name, *e);
    }
    release (&named);
    return rc;
}
