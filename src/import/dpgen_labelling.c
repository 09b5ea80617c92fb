/* SPDX-License-Identifier: BSD-3-Clause */
/* dpgen_labelling.c - fp_style and what belongs to it as the stage label */
#include "base/base.h"

#include "base/json.h"
#include "formats/abacus/k_points.h"
#include "import/document.h"
#include "import/dpgen.h"
#include "import/label_texts.h"
#include "import/labelling.h"

static int add_pseudopotentials (struct labelling *l, struct error *err)
{
    return label_set_by_element (l, "fp_pp_files", "fp_pp_path",
                                 "pseudopotentials", "pseudo_dir", err);
}

/* --- VASP --- */

static int add_vasp (struct labelling *l, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    struct json *tags = NULL;
    const char *key = "fp_incar";
    int rc = label_read (l, key, "input", &text, err);

    if (rc > 0
        && (rc = key_mapping (l->keys, "user_fp_params", &tags, err)) == 0) {
        key = "user_fp_params";
        incar_text (tags, &text);
    }
    if (rc > 0 && (rc = key_mapping (l->keys, "fp_params", &tags, err)) == 0) {
        key = "fp_params";
        rc = incar_text_of_settings (tags, &text, err);
    }
    if (rc > 0)
        rc = key_missing (l->keys, "fp_incar", err);
    if (rc == 0 && (tags || text.len > 0))
        label_set_file (l, "input", "vasp/INCAR", text.buf, key);
    return rc < 0 ? -1
                  : label_set_by_element (l, "fp_pp_files", "fp_pp_path",
                                          "potcars", "potcar_dir", err);
}

/* --- Quantum ESPRESSO --- */

static int add_pw (struct labelling *l, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    struct section s = { .prefix = "user_fp_params." };
    struct json *keys = NULL;
    const char *key = "user_fp_params";
    double spacing;
    int rc = key_mapping (l->keys, key, &keys, err);

    if (rc == 0) {
        rc = pw_text (keys, s.prefix, l->keys->report, &text, err);
    } else if (rc > 0
               && (rc = key_mapping (l->keys, "fp_params", &keys, err)) == 0) {
        key = "fp_params";
        s.prefix = "fp_params.";
        rc = pw_text_of_settings (keys, &text, err);
    } else if (rc > 0) {
        rc = key_missing (l->keys, key, err);
    }
    s.v = keys;
    if (rc == 0)
        rc = key_number (&s, "kspacing", &spacing, err);
    if (rc > 0)
        rc = key_missing (&s, "kspacing", err);
    if (rc == 0) {
        label_set_file (l, "input", "qe/pw.in", text.buf, key);
        label_set (l, "kspacing", number_json (spacing), "kspacing");
        rc = add_pseudopotentials (l, err);
    }
    return rc;
}

/* --- CP2K --- */

/* Has the input a section &KIND for every element?  cp2k.label needs it. */
static int check_kinds (const struct json *elements, const char *key,
                        const char *text, struct error *err)
{
    for (size_t i = 0; i < json_count (elements); i++) {
        const char *symbol = json_as_string (json_at (elements, i));
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

static int add_cp2k (struct labelling *l, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    _cleanup_ (strbuf_release) struct strbuf template = STRBUF_INIT;
    struct json *sections;
    const char *key = "user_fp_params";
    int rc = key_mapping (l->keys, key, &sections, err);

    if (rc == 0) {
        rc = cp2k_text (sections, &text, err);
    } else if (rc > 0) {
        key = "external_input_path";
        rc = label_read (l, key, "input", &template, err);
        cp2k_text_of_template (template.buf, &text);
    }
    if (rc > 0)
        rc = error_set (err,
                        "%s: CP2K is set up by user_fp_params or "
                        "external_input_path since DP-GEN 0.9; write one of "
                        "them",
                        section_has (l->keys, "fp_params") ? "fp_params"
                                                           : "fp_style");
    if (rc == 0 && text.len > 0)
        rc = check_kinds (l->recipe->elements, key, text.buf, err);
    if (rc == 0 && text.len > 0)
        label_set_file (l, "input", "cp2k/template.inp", text.buf, key);
    return rc;
}

/* --- ABACUS --- */

/* Does INPUT choose the k points itself? */
static bool has_k_points (const char *input)
{
    struct abacus_k_points own = { false, false };
    _cleanup_ (strvec_release) struct strvec lines = STRVEC_INIT;

    strvec_split (&lines, input, "\n");
    for (size_t i = 0; i < lines.n; i++) {
        _cleanup_ (strvec_release) struct strvec words = STRVEC_INIT;

        strvec_split (&words, lines.v[i], " \t\r");
        if (words.n > 1)
            abacus_k_points_note (words.v[0], words.v[1], &own);
    }
    return own.spacing || own.gamma;
}

static int add_kpt (struct labelling *l, const char *input, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    struct json *numbers = NULL;
    const char *key = "k_points";
    int rc;

    if (has_k_points (input))
        return 0;
    rc = key_list (l->keys, key, &numbers, err);
    if (rc == 0) {
        rc = kpt_text (numbers, &text, err);
    } else if (rc > 0) {
        key = "fp_kpt_file";
        rc = label_read (l, key, "kpt", &text, err);
    }
    if (rc > 0) {
        /* What DP-GEN writes where nothing is said. */
        key = "neither k_points nor fp_kpt_file is given";
        strbuf_add_str (&text, "K_POINTS\n0\nGamma\n1 1 1 0 0 0\n");
        rc = 0;
    }
    if (rc == 0 && text.len > 0)
        label_set_file (l, "kpt", "abacus/KPT", text.buf, key);
    return rc;
}

static int add_input (struct labelling *l, struct strbuf *text,
                      struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf given = STRBUF_INIT;
    struct json *keys = NULL;
    const char *key = "user_fp_params";
    int rc = key_mapping (l->keys, key, &keys, err);

    if (rc == 0) {
        rc = abacus_text (keys, "user_fp_params.", l->keys->report, text, err);
    } else if (rc > 0) {
        key = "fp_incar";
        rc = label_read (l, key, "input", &given, err);
        if (given.len > 0)
            abacus_text_of_template (given.buf, text);
    }
    if (rc > 0)
        rc = key_missing (l->keys, "user_fp_params", err);
    if (rc == 0 && text->len > 0)
        label_set_file (l, "input", "abacus/INPUT", text->buf, key);
    return rc;
}

static int add_abacus (struct labelling *l, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    if (add_input (l, &text, err) < 0 || add_kpt (l, text.buf, err) < 0
        || add_pseudopotentials (l, err) < 0)
        return -1;
    return section_has (l->keys, "fp_orb_files") ? label_set_by_element (
               l, "fp_orb_files", "fp_pp_path", "orbitals", "orbital_dir", err)
                                                 : 0;
}

/* --- which --- */

static const struct label_style styles[] = {
    { "vasp", "vasp.label", "vasp", add_vasp },
    { "pwscf", "qe.label", "pw", add_pw },
    { "cp2k", "cp2k.label", "cp2k", add_cp2k },
    { "abacus", "abacus.label", "abacus", add_abacus },
};

static int refuse_style (const char *style, struct error *err)
{
    return error_set (err,
                      "fp_style: '%s' has no operator here (there is vasp, "
                      "pwscf, cp2k and abacus); label with a Python worker "
                      "that has an ASE calculator for it (fanfold-worker(7)), "
                      "or with an operator of your own (`command:` in "
                      "fanfold-declare(5))",
                      style);
}

static int add_stage (struct dpgen *dpgen, const struct label_style *style,
                      struct error *err)
{
    struct labelling l = { &dpgen->recipe, &dpgen->param };
    double failed = 0.05; /* ratio_failed, where it is not given */

    if (key_number (&dpgen->param, "ratio_failed", &failed, err) < 0)
        return -1;
    if (failed < 0 || failed > 1)
        return error_set (err, "ratio_failed: %g is not within 0 and 1",
                          failed);
    label_begin (&l, style, "fp_style", "machine file: fp.resources");
    recipe_set (
        &dpgen->recipe, "label.success",
        number_json ((double)(int64_t)(10000 * (1 - failed) + 0.5) / 10000),
        "1 - ratio_failed");
    return label_add_inputs (&l, style, "machine file: fp.command", err);
}

int dpgen_add_labelling (struct dpgen *dpgen, struct error *err)
{
    const char *style;
    int rc = key_text (&dpgen->param, "fp_style", &style, err);

    if (rc != 0)
        return rc < 0 ? -1 : key_missing (&dpgen->param, "fp_style", err);
    for (size_t s = 0; s < ARRAY_SIZE (styles); s++) {
        if (strcmp (styles[s].style, style) == 0)
            return add_stage (dpgen, &styles[s], err);
    }
    return refuse_style (style, err);
}
