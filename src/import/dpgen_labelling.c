/* SPDX-License-Identifier: BSD-3-Clause */
/* dpgen_labelling.c - fp_style and what belongs to it as the stage label */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "formats/abacus/k_points.h"
#include "import/document.h"
#include "import/dpgen.h"
#include "import/label_texts.h"

/* --- parts that styles share --- */

static void set_with (struct dpgen *dpgen, const char *key, struct json *v,
                      const char *note)
{
    char *path = xasprintf ("stages.label.with.%s", key);

    outline_set (&dpgen->draft->campaign, path, v, note ? "%s" : NULL,
                 note ? note : "");
    free (path);
}

/* Add the text as a file and bind 'port' to it. */
static void set_file (struct dpgen *dpgen, const char *port, const char *name,
                      const char *text, const char *note)
{
    set_with (dpgen, port,
              json_string (draft_add_file (dpgen->draft, name, text)), note);
}

/* The text of the file that 'key' names: 0, or 1 where it is not there, and the
 * port is bound to where it is looked for.
 */
static int read_named (struct dpgen *dpgen, const char *key, const char *file,
                       const char *port, struct strbuf *text, struct error *err)
{
    char *path = draft_locate (dpgen->draft, NULL, file);
    int rc = dpgen->draft->files->read (path, text, err);

    if (rc > 0)
        set_with (dpgen, port, draft_named (dpgen->draft, path), key);
    free (path);
    return rc;
}

/* {ELEMENT: file} of a list in the order of type_map. */
static int set_by_element (struct dpgen *dpgen, const char *key,
                           const char *dir_key, const char *port,
                           const char *dir_port, struct error *err)
{
    struct json *list, *map = json_object ();
    const char *dir = "";
    char *path;
    int rc = key_list (dpgen->param, "", key, &list, err);

    if (rc > 0)
        rc = error_set (err, "%s: it is missing", key);
    if (rc == 0 && json_count (list) != json_count (dpgen->elements))
        rc = error_set (err,
                        "%s: the number of files is %zu, that of elements "
                        "%zu; write one for each, in the order of type_map",
                        key, json_count (list), json_count (dpgen->elements));
    if (rc == 0 && key_text (dpgen->param, "", dir_key, &dir, err) < 0)
        rc = -1;
    for (size_t i = 0; rc == 0 && i < json_count (list); i++) {
        const char *file;

        rc = value_text (json_at (list, i), key, &file, err);
        if (rc == 0) {
            free (draft_locate (dpgen->draft, dir, file));
            json_set (map, json_as_string (json_at (dpgen->elements, i)),
                      json_string (file));
        }
    }
    if (rc == 0) {
        path = draft_path (dpgen->draft, NULL, dir);
        set_with (dpgen, dir_port, draft_named (dpgen->draft, path), dir_key);
        set_with (dpgen, port, json_ref (map), key);
        free (path);
    }
    json_unref (map);
    return rc;
}

/* --- VASP --- */

static int add_vasp (struct dpgen *dpgen, struct error *err)
{
    const struct json *param = dpgen->param;
    struct strbuf text = STRBUF_INIT;
    struct json *tags = NULL;
    const char *file, *note = "fp_incar";
    int rc = key_text (param, "", "fp_incar", &file, err);

    if (rc == 0) {
        rc = read_named (dpgen, note, file, "input", &text, err);
    } else if (rc > 0
               && (rc = key_mapping (param, "", "user_fp_params", &tags, err))
                      == 0) {
        note = "user_fp_params";
        incar_text (tags, &text);
    } else if (rc > 0
               && (rc = key_mapping (param, "", "fp_params", &tags, err))
                      == 0) {
        note = "fp_params";
        rc = incar_text_of_settings (tags, &text, err);
    } else if (rc > 0) {
        rc = error_set (err, "fp_incar: it is missing");
    }
    if (rc == 0)
        set_file (dpgen, "input", "vasp/INCAR", text.buf, note);
    strbuf_release (&text);
    return rc < 0 ? -1
                  : set_by_element (dpgen, "fp_pp_files", "fp_pp_path",
                                    "potcars", "potcar_dir", err);
}

/* --- Quantum ESPRESSO --- */

static int add_pw (struct dpgen *dpgen, struct error *err)
{
    struct key_report *report = &dpgen->draft->report;
    struct strbuf text = STRBUF_INIT;
    struct json *keys = NULL;
    const char *note = "user_fp_params";
    double spacing;
    int rc = key_mapping (dpgen->param, "", note, &keys, err);

    if (rc == 0) {
        rc = pw_text (keys, "user_fp_params.", report, &text, err);
    } else if (rc > 0
               && (rc = key_mapping (dpgen->param, "", "fp_params", &keys, err))
                      == 0) {
        note = "fp_params";
        rc = pw_text_of_settings (keys, &text, err);
    } else if (rc > 0) {
        rc = error_set (err, "user_fp_params: it is missing");
    }
    if (rc == 0) {
        char *prefix = xasprintf ("%s.", note);

        rc = key_number (keys, prefix, "kspacing", &spacing, err);
        if (rc > 0)
            rc = error_set (err, "%skspacing: it is missing", prefix);
        free (prefix);
    }
    if (rc == 0) {
        set_file (dpgen, "input", "qe/pw.in", text.buf, note);
        set_with (dpgen, "kspacing", number_json (spacing), "kspacing");
        rc = set_by_element (dpgen, "fp_pp_files", "fp_pp_path",
                             "pseudopotentials", "pseudo_dir", err);
    }
    strbuf_release (&text);
    return rc;
}

/* --- CP2K --- */

/* Has the input a section &KIND for every element?  cp2k.label needs it. */
static int check_kinds (struct dpgen *dpgen, const char *key, const char *text,
                        struct error *err)
{
    for (size_t i = 0; i < json_count (dpgen->elements); i++) {
        const char *symbol = json_as_string (json_at (dpgen->elements, i));
        size_t len = strlen (symbol);
        bool found = false;

        for (const char *at = text; !found && (at = strcasestr (at, "&KIND"));
             at++) {
            const char *word = at + 5 + strspn (at + 5, " \t");

            found = strncmp (word, symbol, len) == 0
                    && strchr (" \t\r\n", word[len]);
        }
        if (!found)
            return error_set (err,
                              "%s: it has no &KIND %s, and type_map has the "
                              "element; add it",
                              key, symbol);
    }
    return 0;
}

static int add_cp2k (struct dpgen *dpgen, struct error *err)
{
    struct strbuf text = STRBUF_INIT, template = STRBUF_INIT;
    struct json *sections;
    const char *file, *note = "user_fp_params";
    int rc = key_mapping (dpgen->param, "", note, &sections, err);

    if (rc == 0) {
        rc = cp2k_text (sections, &text, err);
    } else if (rc > 0
               && (rc = key_text (dpgen->param, "", "external_input_path",
                                  &file, err))
                      == 0) {
        note = "external_input_path";
        rc = read_named (dpgen, note, file, "input", &template, err);
        if (rc == 0)
            cp2k_text_of_template (template.buf, &text);
    } else if (rc > 0) {
        rc = error_set (err,
                        "%s: CP2K is set up by user_fp_params or "
                        "external_input_path since DP-GEN 0.9; write one of "
                        "them",
                        json_get (dpgen->param, "fp_params") ? "fp_params"
                                                             : "fp_style");
    }
    if (rc == 0)
        rc = check_kinds (dpgen, note, text.buf, err);
    if (rc == 0)
        set_file (dpgen, "input", "cp2k/template.inp", text.buf, note);
    strbuf_release (&text);
    strbuf_release (&template);
    return rc < 0 ? -1 : 0;
}

/* --- ABACUS --- */

/* Does INPUT choose the k points itself? */
static bool has_k_points (const char *input)
{
    struct abacus_k_points own = { false, false };
    struct strvec lines = STRVEC_INIT;

    strvec_split (&lines, input, "\n");
    for (size_t i = 0; i < lines.n; i++) {
        struct strvec words = STRVEC_INIT;

        strvec_split (&words, lines.v[i], " \t\r");
        if (words.n > 1)
            abacus_k_points_note (words.v[0], words.v[1], &own);
        strvec_release (&words);
    }
    strvec_release (&lines);
    return own.spacing || own.gamma;
}

static int add_kpt (struct dpgen *dpgen, const char *input, struct error *err)
{
    struct strbuf text = STRBUF_INIT;
    struct json *numbers = NULL;
    const char *file, *note = "k_points";
    int rc = 0;

    if (has_k_points (input))
        return 0;
    if ((rc = key_list (dpgen->param, "", "k_points", &numbers, err)) == 0) {
        rc = kpt_text (numbers, &text, err);
    } else if (rc > 0
               && (rc = key_text (dpgen->param, "", "fp_kpt_file", &file, err))
                      == 0) {
        note = "fp_kpt_file";
        rc = read_named (dpgen, note, file, "kpt", &text, err);
    } else if (rc > 0) {
        /* What DP-GEN writes where nothing is said. */
        note = "neither k_points nor fp_kpt_file is given";
        strbuf_add_str (&text, "K_POINTS\n0\nGamma\n1 1 1 0 0 0\n");
        rc = 0;
    }
    if (rc == 0)
        set_file (dpgen, "kpt", "abacus/KPT", text.buf, note);
    strbuf_release (&text);
    return rc < 0 ? -1 : 0;
}

static int add_abacus (struct dpgen *dpgen, struct error *err)
{
    struct strbuf text = STRBUF_INIT, given = STRBUF_INIT;
    struct json *keys = NULL;
    const char *file, *note = "user_fp_params";
    int rc = key_mapping (dpgen->param, "", note, &keys, err);

    if (rc == 0) {
        rc = abacus_text (keys, "user_fp_params.", &dpgen->draft->report, &text,
                          err);
    } else if (rc > 0
               && (rc = key_text (dpgen->param, "", "fp_incar", &file, err))
                      == 0) {
        note = "fp_incar";
        rc = read_named (dpgen, note, file, "input", &given, err);
        if (rc == 0)
            abacus_text_of_template (given.buf, &text);
    } else if (rc > 0) {
        rc = error_set (err, "user_fp_params: it is missing");
    }
    if (rc == 0)
        set_file (dpgen, "input", "abacus/INPUT", text.buf, note);
    if (rc >= 0)
        rc = add_kpt (dpgen, text.buf, err);
    strbuf_release (&text);
    strbuf_release (&given);
    if (rc < 0
        || set_by_element (dpgen, "fp_pp_files", "fp_pp_path",
                           "pseudopotentials", "pseudo_dir", err)
               < 0)
        return -1;
    if (!json_get (dpgen->param, "fp_orb_files"))
        return 0;
    return set_by_element (dpgen, "fp_orb_files", "fp_pp_path", "orbitals",
                           "orbital_dir", err);
}

/* --- which --- */

static const struct {
    const char *style, *uses;
    const char *program; /* the port that names it */
    int (*add) (struct dpgen *dpgen, struct error *err);
} styles[] = {
    { "vasp", "vasp.label", "vasp", add_vasp },
    { "pwscf", "qe.label", "pw", add_pw },
    { "cp2k", "cp2k.label", "cp2k", add_cp2k },
    { "abacus", "abacus.label", "abacus", add_abacus },
};

/* Arguments of DP-GEN's command that the kits give themselves. */
static struct json *own_words (const struct json *program)
{
    static const char *const with_file[] = { "-i",     "-in", "-inp",
                                             "-input", "-o",  NULL };
    struct json *words = json_array ();

    for (size_t i = 0; i < json_count (program); i++) {
        if (words_contain (with_file, json_as_string (json_at (program, i))))
            i++;
        else
            json_push (words, json_ref (json_at (program, i)));
    }
    return words;
}

static int refuse_style (const char *style, struct error *err)
{
    return error_set (err,
                      "fp_style: '%s' has no operator here (there is vasp, "
                      "pwscf, cp2k and abacus); label with a Python worker "
                      "that has an ASE calculator for it (fanfold-worker(7)), "
                      "or with an operator of your own (`command:` in "
                      "fanfold-campaign(5))",
                      style);
}

static void add_files (struct dpgen *dpgen, const struct json *files)
{
    struct json *list = json_array ();

    for (size_t i = 0; i < json_count (files); i++) {
        char *path = draft_locate (dpgen->draft, NULL,
                                   json_as_string (json_at (files, i)));

        json_push (list, draft_named (dpgen->draft, path));
        free (path);
    }
    if (json_count (list) > 0)
        set_with (dpgen, "files", json_ref (list),
                  "machine file: fp.user_forward_files");
    json_unref (list);
}

static int add_stage (struct dpgen *dpgen, size_t s, struct error *err)
{
    struct outline *campaign = &dpgen->draft->campaign;
    struct stage_machine *machine = &dpgen->stages[IMPORT_LABEL];
    double failed = 0.05; /* ratio_failed, where it is not given */
    struct json *words;

    if (key_number (dpgen->param, "", "ratio_failed", &failed, err) < 0)
        return -1;
    if (failed < 0 || failed > 1)
        return error_set (err, "ratio_failed: %g is not within 0 and 1",
                          failed);
    outline_set (campaign, "stages.label.uses", json_string (styles[s].uses),
                 "fp_style");
    outline_set (campaign, "stages.label.profile",
                 json_string (machine->profile), NULL);
    outline_set (campaign, "stages.label.task", json_ref (machine->task),
                 "machine file: fp.resources");
    outline_set (
        campaign, "stages.label.success",
        number_json ((double)(int64_t)(10000 * (1 - failed) + 0.5) / 10000),
        "1 - ratio_failed");
    set_with (dpgen, "frames", json_string ("previous.select.frames"), NULL);
    if (styles[s].add (dpgen, err) < 0)
        return -1;
    add_files (dpgen, machine->files);
    words = own_words (machine->program);
    if (json_count (words) > 0)
        set_with (dpgen, styles[s].program, json_ref (words),
                  "machine file: fp.command");
    json_unref (words);
    return 0;
}

int dpgen_add_labelling (struct dpgen *dpgen, struct error *err)
{
    const char *style;
    int rc = key_text (dpgen->param, "", "fp_style", &style, err);

    if (rc != 0)
        return rc < 0 ? -1 : error_set (err, "fp_style: it is missing");
    for (size_t s = 0; s < ARRAY_SIZE (styles); s++) {
        if (strcmp (styles[s].style, style) == 0)
            return add_stage (dpgen, s, err);
    }
    return refuse_style (style, err);
}
