/* SPDX-License-Identifier: BSD-3-Clause */
/* dpgen2_labelling.c - fp of DPGEN2 as the stage label */
#include "base/base.h"

#include "base/json.h"
#include "import/document.h"
#include "import/dpgen2.h"
#include "import/label_texts.h"
#include "import/labelling.h"

/* The text of a file that must be named. */
static int read_needed (struct labelling *l, const char *key, const char *port,
                        struct strbuf *text, struct error *err)
{
    int rc = label_read (l, key, port, text, err);

    return rc > 0 ? key_missing (l->keys, key, err) : rc;
}

static void say_idle (struct labelling *l, const char *key, const char *words)
{
    _cleanup_free_ char *path = section_path (l->keys, key);

    if (section_has (l->keys, key))
        key_report_say (l->keys->report, path, KEY_NOT_NEEDED, "%s", words);
}

/* KSPACING and KGAMMA behind the INCAR, unless it says so itself. */
static int add_spacing (struct labelling *l, struct strbuf *incar,
                        struct error *err)
{
    static const char in_incar[] = "no effect: the INCAR has KSPACING";
    double spacing;
    bool gamma = true;
    int rc = key_bool (l->keys, "kgamma", &gamma, err);

    if (rc >= 0)
        rc = key_number (l->keys, "kspacing", &spacing, err);
    if (rc > 0 && incar->len > 0)
        say_idle (l, "kgamma",
                  "no effect: only with kspacing, without which the INCAR or "
                  "KPOINTS say it");
    if (rc != 0 || incar->len == 0)
        return rc < 0 ? -1 : 0;
    if (strstr (incar->buf, "KSPACING")) {
        say_idle (l, "kgamma", in_incar);
        say_idle (l, "kspacing", in_incar);
        return 0;
    }
    if (incar->buf[incar->len - 1] != '\n')
        strbuf_add_char (incar, '\n');
    strbuf_add_str (incar, "KSPACING = ");
    strbuf_add_double (incar, spacing);
    strbuf_addf (incar, "\nKGAMMA = %s\n", gamma ? ".TRUE." : ".FALSE.");
    return 0;
}

static int add_vasp (struct labelling *l, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    if (read_needed (l, "incar", "input", &text, err) < 0
        || add_spacing (l, &text, err) < 0)
        return -1;
    if (text.len > 0)
        label_set_file (l, "input", "vasp/INCAR", text.buf, "incar");
    return label_set_by_element (l, "pp_files", NULL, "potcars", "potcar_dir",
                                 err);
}

static int add_cp2k (struct labelling *l, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf given = STRBUF_INIT;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    if (read_needed (l, "inp_file", "input", &given, err) < 0)
        return -1;
    cp2k_text_of_template (given.buf, &text);
    if (text.len > 0)
        label_set_file (l, "input", "cp2k/template.inp", text.buf, "inp_file");
    return 0;
}

static int add_abacus (struct labelling *l, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf given = STRBUF_INIT;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    _cleanup_ (strbuf_release) struct strbuf kpt = STRBUF_INIT;

    if (read_needed (l, "input_file", "input", &given, err) < 0)
        return -1;
    if (given.len > 0) {
        abacus_text_of_template (given.buf, &text);
        label_set_file (l, "input", "abacus/INPUT", text.buf, "input_file");
    }
    if (label_read (l, "kpt_file", "kpt", &kpt, err) < 0)
        return -1;
    if (kpt.len > 0)
        label_set_file (l, "kpt", "abacus/KPT", kpt.buf, "kpt_file");
    if (label_set_by_element (l, "pp_files", NULL, "pseudopotentials",
                              "pseudo_dir", err)
        < 0)
        return -1;
    return section_has (l->keys, "orb_files") ? label_set_by_element (
               l, "orb_files", NULL, "orbitals", "orbital_dir", err)
                                              : 0;
}

static const struct label_style styles[] = {
    { "vasp", "vasp.label", "vasp", add_vasp },
    { "fpop_cp2k", "cp2k.label", "cp2k", add_cp2k },
    { "fpop_abacus", "abacus.label", "abacus", add_abacus },
};

int dpgen2_add_labelling (struct dpgen2 *dpgen2, struct error *err)
{
    const struct section *fp = &dpgen2->parts[DPGEN2_FP];
    struct labelling l = { &dpgen2->recipe, &dpgen2->parts[DPGEN2_FP_INPUTS] };
    struct json *config;
    const char *type;
    int rc = key_text (fp, "type", &type, err);

    if (rc == 0)
        rc = key_mapping (fp, "inputs_config", &config, err);
    if (rc != 0)
        return rc < 0 ? -1
                      : error_set (err, "fp: type and inputs_config are "
                                        "needed");
    for (size_t i = 0; i < ARRAY_SIZE (styles); i++) {
        if (strcmp (styles[i].style, type) != 0)
            continue;
        label_begin (&l, &styles[i], "fp.type", "step_configs.run_fp_config");
        return label_add_inputs (&l, &styles[i], "fp.run_config.command", err);
    }
    return error_set (err,
                      "fp.type: '%s' has no operator here (there is vasp, "
                      "fpop_cp2k and fpop_abacus); label with a Python worker "
                      "that has an ASE calculator for it (fanfold-worker(7)), "
                      "or with an operator of your own (`command:` in "
                      "fanfold-declare(5))",
                      type);
}
