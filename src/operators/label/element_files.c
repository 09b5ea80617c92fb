/* SPDX-License-Identifier: BSD-3-Clause */
/* element_files.c - ports {ELEMENT: file name}, in a directory of another port
 */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "base/path_similar.h"
#include "formats/element.h"
#include "formats/frame.h"
#include "formats/pseudo_element.h"
#include "operators/label/element_files.h"
#include "operators/label/label_kit.h"

const struct type element_file_name = ONE (STRING);

static const struct {
    const char *files;
    const char *dir;
    const char *one; /* what stands for one */
} ports[] = {
    { "pseudopotentials", "pseudo_dir", "FILE" },
    { "orbitals", "orbital_dir", "FILE" },
    { "potcars", "potcar_dir", "NAME" }, /* a directory */
};

static size_t port_of (const char *files)
{
    size_t i = 0;

    while (i < ARRAY_SIZE (ports) - 1 && strcmp (ports[i].files, files) != 0)
        i++;
    return i;
}

static const char *dir_port (const char *files)
{
    return ports[port_of (files)].dir;
}

/* --- what is known before anything runs --- */

/* Where the files are, as the tasks will see it; NULL: not known.  Caller
 * frees.
 */
static char *known_dir (const struct known_input *input)
{
    const struct json *dir = json_get (input->others, dir_port (input->name));

    if (json_kind (dir) != JSON_KIND_STRING)
        return NULL;
    return path_join (input->dir, json_as_string (dir));
}

/* Files of an element have names such as Si.pbe-n.UPF: one of another element
 * is not meant.
 */
static bool is_of_another (const char *file, const char *symbol)
{
    const char *name = path_base (file);
    size_t len = 0;
    _cleanup_free_ char *word = NULL;
    bool another;

    while (isalpha ((unsigned char)name[len]))
        len++;
    word = xstrndup (name, len);
    another = element_mass (word) > 0 && strcmp (word, symbol) != 0;
    return another;
}

static int complain_of_file (const char *name, const char *symbol,
                             const char *dir, const char *file,
                             struct error *err)
{
    _cleanup_free_ char *similar = path_similar (dir, file);

    if (similar && !is_of_another (similar, symbol))
        error_set (err, "%s.%s: there is no '%s' in %s; did you mean '%s'?",
                   name, symbol, file, dir, similar);
    else
        error_set (
            err,
            "%s.%s: there is no '%s' in %s; name a file that is there, or "
            "another %s",
            name, symbol, file, dir, dir_port (name));
    return -1;
}

/* A file that tells no element may be of any. */
static int check_element (const char *name, const char *symbol,
                          const char *path, struct error *err)
{
    char found[SYMBOL_SIZE];

    if (!pseudo_element (path, found) || strcmp (found, symbol) == 0)
        return 0;
    return error_set (err, "%s.%s: '%s' is of %s; name a file of %s", name,
                      symbol, path, found, symbol);
}

static int check_one (const char *name, const char *symbol, const char *file,
                      const char *dir, struct error *err)
{
    _cleanup_free_ char *path = NULL;
    int rc = 0;

    if (!(element_mass (symbol) > 0))
        return error_set (err, "%s: '%s' is no element; write {Si: FILE}", name,
                          symbol);
    if (!dir || !file_exists (dir))
        return 0;
    path = path_join (dir, file);
    if (!file_exists (path))
        rc = complain_of_file (name, symbol, dir, file, err);
    else
        rc = check_element (name, symbol, path, err);
    return rc;
}

/* pw.x and ABACUS stop at the first frame that has both. */
static int check_functionals (const struct known_input *input, const char *dir,
                              struct error *err)
{
    const char *first = NULL, *of = NULL;
    int rc = 0;

    JSON_FOREACH (input->value, it) {
        _cleanup_free_ char *path =
            path_join (dir, json_as_string (json_iter_value (it)));
        const char *functional = pseudo_functional (path);

        if (rc == 0 && functional && first && strcmp (functional, first) != 0)
            rc = error_set (err,
                            "%s: that of %s is of the functional %s, and that "
                            "of %s of %s; name files of one functional",
                            input->name, json_iter_key (it), functional, of,
                            first);
        if (functional && !first) {
            first = functional;
            of = json_iter_key (it);
        }
    }
    return rc;
}

int element_files_check (const struct known_input *input, struct error *err)
{
    _cleanup_free_ char *dir = known_dir (input);
    int rc = 0;

    JSON_FOREACH (input->value, it) {
        rc = check_one (input->name, json_iter_key (it),
                        json_as_string (json_iter_value (it)), dir, err);
        if (rc < 0)
            break;
    }
    if (rc == 0 && dir)
        rc = check_functionals (input, dir, err);
    return rc;
}

void element_files_doubt (const struct known_input *input, struct strbuf *says)
{
    _cleanup_free_ char *dir = known_dir (input);

    for (const char *const *e = input->elements; e && *e && says->len == 0;
         e++) {
        if (!json_get (input->value, *e))
            strbuf_addf (says,
                         "%s: none for '%s', and frames that have it fail; add "
                         "%s: %s",
                         input->name, *e, *e, ports[port_of (input->name)].one);
    }
    if (dir && says->len == 0 && !file_exists (dir)
        && (strstr (dir, "/~/") || strchr (dir, '$')))
        strbuf_addf (says,
                     "%s: there is no '%s': '~' and variables are not "
                     "replaced; write the whole path for %s",
                     input->name, dir, dir_port (input->name));
    else if (dir && says->len == 0 && !file_exists (dir))
        strbuf_addf (says,
                     "%s: there is no '%s' on this host; if the nodes do not "
                     "have it either: correct %s",
                     input->name, dir, dir_port (input->name));
}

/* --- inside a task --- */

char *element_files_dir (const struct label_input *input, const char *name,
                         struct error *err)
{
    const char *dir;

    if (json_want_string (input->inputs, dir_port (name), &dir, err) < 0) {
        error_prefix (err, "inputs");
        return NULL;
    }
    return path_join (input->task->campaign_dir, dir);
}

static int check_atom (const struct label_input *input, const char *name,
                       const char *symbol, struct error *err)
{
    _cleanup_free_ char *dir = element_files_dir (input, name, err);
    const struct json *files = json_get (input->inputs, name);
    _cleanup_free_ char *path =
        dir ? path_join (dir, json_get_string (files, symbol)) : NULL;

    return path ? check_element (name, symbol, path, err) : -1;
}

/* Is it the first of its element? */
static bool is_first (const struct frame *frame, size_t atom)
{
    for (size_t i = 0; i < atom; i++) {
        if (strcmp (frame->symbols[i], frame->symbols[atom]) == 0)
            return false;
    }
    return true;
}

int element_files_cover (const struct label_input *input, const char *name,
                         struct error *err)
{
    const struct frame *frame = input->frame;
    const struct json *files = json_get (input->inputs, name);

    for (size_t i = 0; i < frame->n_atoms; i++) {
        const char *symbol = frame->symbols[i];

        if (json_kind (json_get (files, symbol)) != JSON_KIND_STRING)
            return error_set (err,
                              "atom %zu: %s has no file for '%s'; add %s: FILE",
                              i + 1, name, symbol, symbol);
        if (!(element_mass (symbol) > 0))
            return error_set (err, "atom %zu: '%s' is no element", i + 1,
                              symbol);
        if (is_first (frame, i) && check_atom (input, name, symbol, err) < 0)
            return -1;
    }
    return 0;
}
