/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_import.c - inputs of DP-GEN and DPGEN2, machine files, templates and
 * command lines
 *
 * The first character says what the rest is.
 */
#include "base/base.h"

#include "base/json.h"
#include "base/problems.h"
#include "base/yaml_tree.h"
#include "fuzz.h"
#include "import/document.h"
#include "import/dpgen.h"
#include "import/dpgen2.h"
#include "import/label_texts.h"
#include "import/machine.h"
#include "import/md_template.h"
#include "import/program_words.h"

static const char machine[] =
    "{\"train\": {\"resources\": {}}, \"model_devi\": {\"resources\": {}}, "
    "\"fp\": {\"resources\": {}}}";

/* The param.json of which a fuzzed machine file is the other half. */
static const char param[] =
    "{\"type_map\": [\"Si\"], \"init_data_sys\": [], \"sys_configs\": "
    "[[\"a\"]], \"numb_models\": 2, \"default_training_param\": {}, "
    "\"model_devi_dt\": 0.001, \"model_devi_f_trust_lo\": 0.1, "
    "\"model_devi_f_trust_hi\": 0.2, \"model_devi_jobs\": [{\"sys_idx\": [0], "
    "\"temps\": [1], \"trj_freq\": 1, \"nsteps\": 1, \"ensemble\": \"nvt\"}], "
    "\"fp_style\": \"vasp\", \"fp_task_max\": 1, \"fp_incar\": \"INCAR\", "
    "\"fp_pp_path\": \".\", \"fp_pp_files\": [\"P\"]}";

static const char *fuzzed; /* text of every file that is looked for */

static int read_fuzzed (const char *path, struct strbuf *out, struct error *err)
{
    (void)err;
    if (strstr (path, "none"))
        return 1;
    strbuf_add_str (out, fuzzed);
    return 0;
}

static int look (const char *pattern)
{
    return strstr (pattern, "none") == NULL;
}

static const struct import_files files = { "/d", read_fuzzed, look, "/d" };

/* What is written can be read. */
static void must_read (const struct outline *outline)
{
    struct problems problems = PROBLEMS_INIT;
    struct strbuf text = STRBUF_INIT;
    struct yaml_tree *tree;

    outline_write (outline, &text);
    tree = yaml_tree_parse (text.buf, text.len, "campaign.yaml", &problems);
    must_hold (tree != NULL, "what was written is YAML");
    yaml_tree_destroy (tree);
    problems_release (&problems);
    strbuf_release (&text);
}

static void judge (int rc, const struct draft *draft, const struct error *err)
{
    must_hold (rc == 0 || err->text[0] != '\0', "a refusal says why");
    if (rc < 0)
        return;
    must_read (&draft->campaign);
    must_read (&draft->site);
    for (size_t i = 0; i < draft->report.n; i++)
        must_hold (draft->report.v[i].words[0] != '\0',
                   "every key is told about");
}

static struct json *parse (const char *text)
{
    return document_parse (text, strlen (text), "f", NULL);
}

static void try_dpgen (const char *param_text, const char *machine_text)
{
    struct json *p = parse (param_text), *m = parse (machine_text);
    struct stage_machine stages[IMPORT_STAGES] = { { .profile = NULL } };
    struct error err = ERROR_INIT;
    int rc;
    struct draft draft;

    draft_init (&draft, &files);
    if (p && m) {
        rc = machine_translate (m, &draft, stages, &err);
        if (rc == 0)
            rc = dpgen_translate (p, stages, NULL, &draft, &err);
        judge (rc, &draft, &err);
    }
    for (size_t i = 0; i < IMPORT_STAGES; i++)
        stage_machine_release (&stages[i]);
    draft_release (&draft);
    json_unref (p);
    json_unref (m);
}

static void try_dpgen2 (const char *text)
{
    struct json *v = parse (text);
    struct error err = ERROR_INIT;
    struct draft draft;

    draft_init (&draft, &files);
    if (v)
        judge (dpgen2_translate (v, &draft, &err), &draft, &err);
    draft_release (&draft);
    json_unref (v);
}

static void try_template (const char *text)
{
    static const char words[] = "{\"V_T\": 3, \"V_N\": \"x\"}";
    static const char lists[] = "{\"V_T\": [3, 4]}";
    struct json *variables = parse (words), *for_each = parse (lists);
    struct md_template t = { .name = "in",
                             .lammps = text,
                             .plumed = text,
                             .variables = variables,
                             .for_each = for_each };
    struct strbuf out = STRBUF_INIT;
    int64_t steps;

    md_template_steps (&t, &steps, NULL);
    md_template_steps_word (&t, variables);
    md_template_write (&t, &out, NULL);
    strbuf_reset (&out);
    cp2k_text_of_template (text, &out);
    must_hold (out.len <= strlen (text), "nothing is added");
    strbuf_release (&out);
    json_unref (variables);
    json_unref (for_each);
}

static void try_command (const char *text)
{
    struct program_words words;
    struct error err = ERROR_INIT;

    if (program_words_parse (text, &words, &err) < 0)
        must_hold (err.text[0] != '\0', "a refusal says why");
    must_hold (words.ranks >= 0, "ranks are no negative number");
    program_words_release (&words);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    char *text = xstrndup ((const char *)data, size);

    if (*text) {
        fuzzed = text + 1;
        switch (*text) {
        case 'm':
            try_dpgen (param, text + 1);
            break;
        case '2':
            try_dpgen2 (text + 1);
            break;
        case 't':
            try_template (text + 1);
            break;
        case 'c':
            try_command (text + 1);
            break;
        default:
            try_dpgen (text + 1, machine);
        }
    }
    free (text);
    return 0;
}
