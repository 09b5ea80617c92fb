/* SPDX-License-Identifier: BSD-3-Clause */
/* dpgen2_labelling.c - fp of DPGEN2 as the stage label */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "import/document.h"
#include "import/dpgen2.h"
#include "import/label_texts.h"

static const char where[] = "fp.inputs_config.";

static void set_with (struct dpgen2 *dpgen2, const char *key, struct json *v,
                      const char *note)
{
    char *path = xasprintf ("stages.label.with.%s", key);

    outline_set (&dpgen2->draft->campaign, path, v, "fp.inputs_config.%s",
                 note);
    free (path);
}

/* The text of the file that 'key' names: 0, or 1 where it is not there, and the
 * port is bound to where it is looked for.
 */
static int read_named (struct dpgen2 *dpgen2, const struct json *config,
                       const char *key, const char *port, struct strbuf *text,
                       struct error *err)
{
    const char *file;
    char *path;
    int rc = key_text (config, where, key, &file, err);

    if (rc != 0)
        return rc < 0 ? -1 : error_set (err, "%s%s: it is missing", where, key);
    path = draft_locate (dpgen2->draft, NULL, file);
    rc = dpgen2->draft->files->read (path, text, err);
    if (rc > 0)
        set_with (dpgen2, port, draft_named (dpgen2->draft, path), key);
    free (path);
    return rc;
}

/* {ELEMENT: path} -> the same by names below one directory. */
static int set_by_element (struct dpgen2 *dpgen2, const struct json *config,
                           const char *key, const char *port,
                           const char *dir_port, struct error *err)
{
    struct json *given = NULL, *map = json_object ();
    char *dir;
    int rc = key_mapping (config, where, key, &given, err);

    if (rc > 0)
        rc = error_set (err, "%s%s: it is missing", where, key);
    JSON_FOREACH (given, it) {
        const char *file;

        if (rc < 0 || json_iter_key (it)[0] == '_')
            continue;
        rc = value_text (json_iter_value (it), key, &file, err);
        if (rc == 0) {
            free (draft_locate (dpgen2->draft, NULL, file));
            json_set (map, json_iter_key (it), json_string (file));
        }
    }
    if (rc == 0) {
        dir = draft_path (dpgen2->draft, NULL, "");
        set_with (dpgen2, dir_port, draft_named (dpgen2->draft, dir), key);
        set_with (dpgen2, port, json_ref (map), key);
        free (dir);
    }
    json_unref (map);
    return rc;
}

static void say_idle (struct dpgen2 *dpgen2, const struct json *config,
                      const char *key, const char *words)
{
    char *path = xasprintf ("%s%s", where, key);

    if (json_get (config, key))
        key_report_say (&dpgen2->draft->report, path, KEY_NOT_NEEDED, "%s",
                        words);
    free (path);
}

/* The INCAR with what DPGEN2 says beside it, unless it says so itself. */
static int add_vasp (struct dpgen2 *dpgen2, const struct json *config,
                     struct error *err)
{
    static const char in_incar[] = "no effect: the INCAR has KSPACING";
    struct strbuf text = STRBUF_INIT;
    double spacing;
    bool gamma = true;
    int rc = read_named (dpgen2, config, "incar", "input", &text, err);

    if (rc == 0
        && (key_bool (config, where, "kgamma", &gamma, err) < 0
            || (rc = key_number (config, where, "kspacing", &spacing, err))
                   < 0))
        rc = -1;
    else if (rc > 0 && text.len > 0)
        say_idle (dpgen2, config, "kgamma",
                  "no effect: only with kspacing, without which the INCAR or "
                  "KPOINTS say it");
    else if (rc == 0 && strstr (text.buf, "KSPACING")) {
        say_idle (dpgen2, config, "kgamma", in_incar);
        say_idle (dpgen2, config, "kspacing", in_incar);
    } else if (rc == 0) {
        strbuf_add_str (&text, text.len > 0 && text.buf[text.len - 1] != '\n'
                                   ? "\nKSPACING = "
                                   : "KSPACING = ");
        strbuf_add_double (&text, spacing);
        strbuf_addf (&text, "\nKGAMMA = %s\n", gamma ? ".TRUE." : ".FALSE.");
    }
    if (rc >= 0 && text.len > 0) {
        set_with (dpgen2, "input",
                  json_string (
                      draft_add_file (dpgen2->draft, "vasp/INCAR", text.buf)),
                  "incar");
    }
    strbuf_release (&text);
    return rc < 0 ? -1
                  : set_by_element (dpgen2, config, "pp_files", "potcars",
                                    "potcar_dir", err);
}

static int add_cp2k (struct dpgen2 *dpgen2, const struct json *config,
                     struct error *err)
{
    struct strbuf given = STRBUF_INIT, text = STRBUF_INIT;
    int rc = read_named (dpgen2, config, "inp_file", "input", &given, err);

    if (rc == 0) {
        cp2k_text_of_template (given.buf, &text);
        set_with (dpgen2, "input",
                  json_string (draft_add_file (dpgen2->draft,
                                               "cp2k/template.inp", text.buf)),
                  "inp_file");
    }
    strbuf_release (&given);
    strbuf_release (&text);
    return rc < 0 ? -1 : 0;
}

static int add_abacus (struct dpgen2 *dpgen2, const struct json *config,
                       struct error *err)
{
    struct strbuf given = STRBUF_INIT, text = STRBUF_INIT, kpt = STRBUF_INIT;
    int rc = read_named (dpgen2, config, "input_file", "input", &given, err);

    if (rc == 0) {
        abacus_text_of_template (given.buf, &text);
        set_with (dpgen2, "input",
                  json_string (
                      draft_add_file (dpgen2->draft, "abacus/INPUT", text.buf)),
                  "input_file");
    }
    if (rc >= 0 && json_get (config, "kpt_file")
        && (rc = read_named (dpgen2, config, "kpt_file", "kpt", &kpt, err))
               == 0)
        set_with (
            dpgen2, "kpt",
            json_string (draft_add_file (dpgen2->draft, "abacus/KPT", kpt.buf)),
            "kpt_file");
    strbuf_release (&given);
    strbuf_release (&text);
    strbuf_release (&kpt);
    if (rc < 0
        || set_by_element (dpgen2, config, "pp_files", "pseudopotentials",
                           "pseudo_dir", err)
               < 0)
        return -1;
    if (!json_get (config, "orb_files"))
        return 0;
    return set_by_element (dpgen2, config, "orb_files", "orbitals",
                           "orbital_dir", err);
}

static const struct {
    const char *type, *uses, *program;
    int (*add) (struct dpgen2 *dpgen2, const struct json *config,
                struct error *err);
} types[] = {
    { "vasp", "vasp.label", "vasp", add_vasp },
    { "fpop_cp2k", "cp2k.label", "cp2k", add_cp2k },
    { "fpop_abacus", "abacus.label", "abacus", add_abacus },
};

/* Arguments of the command that the kits give themselves. */
static struct json *own_words (const struct json *program)
{
    struct json *words = json_array ();

    for (size_t i = 0; i < json_count (program); i++) {
        if (strcmp (json_as_string (json_at (program, i)), "-i") == 0)
            i++;
        else
            json_push (words, json_ref (json_at (program, i)));
    }
    return words;
}

int dpgen2_add_labelling (struct dpgen2 *dpgen2, struct error *err)
{
    struct outline *campaign = &dpgen2->draft->campaign;
    struct stage_machine *machine = &dpgen2->stages[IMPORT_LABEL];
    const struct json *fp = json_get (dpgen2->input, "fp");
    struct json *config = NULL, *words;
    const char *type;
    int rc = key_text (fp, "fp.", "type", &type, err);
    size_t i = 0;

    if (rc == 0)
        rc = key_mapping (fp, "fp.", "inputs_config", &config, err);
    if (rc != 0)
        return rc < 0 ? -1
                      : error_set (err, "fp: type and inputs_config are "
                                        "needed");
    while (i < ARRAY_SIZE (types) && strcmp (types[i].type, type) != 0)
        i++;
    if (i == ARRAY_SIZE (types))
        return error_set (err,
                          "fp.type: '%s' has no operator here (there is vasp, "
                          "fpop_cp2k and fpop_abacus); label with a Python "
                          "worker that has an ASE calculator for it "
                          "(fanfold-worker(7)), or with an operator of your "
                          "own (`command:` in fanfold-campaign(5))",
                          type);
    outline_set (campaign, "stages.label.uses", json_string (types[i].uses),
                 "fp.type");
    outline_set (campaign, "stages.label.profile",
                 json_string (machine->profile), NULL);
    outline_set (campaign, "stages.label.task", json_ref (machine->task),
                 "step_configs.run_fp_config");
    outline_set (campaign, "stages.label.with.frames",
                 json_string ("previous.select.frames"), NULL);
    if (types[i].add (dpgen2, config, err) < 0)
        return -1;
    words = own_words (machine->program);
    if (json_count (words) > 0) {
        char *path = xasprintf ("stages.label.with.%s", types[i].program);

        outline_set (campaign, path, json_ref (words), "fp.run_config.command");
        free (path);
    }
    json_unref (words);
    return 0;
}
