/* SPDX-License-Identifier: BSD-3-Clause */
/* label_texts.c - templates of VASP, pw.x and ABACUS, of what DP-GEN has as
 * keys and values
 */
#include "base/base.h"

#include "base/json.h"
#include "import/document.h"
#include "import/label_texts.h"
#include "import/settings.h"

/* --- VASP --- */

static void add_upper (const char *word, struct strbuf *out)
{
    for (; *word; word++)
        strbuf_add_char (out, (char)toupper ((unsigned char)*word));
}

/* A list is numbers with blanks between them. */
static void add_plain (const struct json *v, const char *yes, const char *no,
                       struct strbuf *out)
{
    switch (json_kind (v)) {
    case JSON_KIND_BOOL:
        strbuf_add_str (out, json_as_bool (v) ? yes : no);
        break;
    case JSON_KIND_STRING:
        strbuf_add_str (out, json_as_string (v));
        break;
    case JSON_KIND_ARRAY:
        for (size_t i = 0; i < json_count (v); i++) {
            strbuf_add_str (out, i > 0 ? " " : "");
            add_plain (json_at (v, i), yes, no, out);
        }
        break;
    default:
        json_dump (v, JSON_COMPACT, out);
    }
}

void incar_text (const struct json *tags, struct strbuf *out)
{
    JSON_FOREACH (tags, it) {
        if (json_iter_key (it)[0] == '_')
            continue;
        add_upper (json_iter_key (it), out);
        strbuf_add_str (out, " = ");
        add_plain (json_iter_value (it), ".TRUE.", ".FALSE.", out);
        strbuf_add_char (out, '\n');
    }
}

/* "mp:2", "gauss", "fd" -> ISMEAR. */
static int vasp_smearing (const char *word, struct json *tags,
                          struct error *err)
{
    const char *colon = strchr (word, ':');
    size_t len = colon ? (size_t)(colon - word) : strlen (word);

    if (len == 2 && strncasecmp (word, "mp", 2) == 0)
        json_set (tags, "ISMEAR",
                  json_int (colon ? strtol (colon + 1, NULL, 10) : 1));
    else if (len == 5 && strncasecmp (word, "gauss", 5) == 0)
        json_set (tags, "ISMEAR", json_int (0));
    else if (len == 2 && strncasecmp (word, "fd", 2) == 0)
        json_set (tags, "ISMEAR", json_int (-1));
    else
        return error_set (err,
                          "fp_params.smearing: '%s' is not known; there is "
                          "mp:ORDER, gauss and fd",
                          word);
    return 0;
}

static void set_tag (struct json *tags, const char *tag,
                     const struct json *settings, const char *key)
{
    struct json *v = json_get (settings, key);

    if (!json_is_null (v))
        json_set (tags, tag, json_ref (v));
}

/* What DP-GEN sets beside the settings: a static calculation with stress. */
static void set_static_tags (struct json *tags)
{
    json_set (tags, "PREC", json_string ("A"));
    json_set (tags, "ISYM", json_int (0));
    json_set (tags, "ALGO", json_string ("fast"));
    json_set (tags, "LREAL", json_string ("A"));
    json_set (tags, "NELMIN", json_int (4));
    json_set (tags, "ISIF", json_int (2));
    json_set (tags, "IBRION", json_int (-1));
    json_set (tags, "NSW", json_int (0));
    json_set (tags, "LWAVE", json_string ("F"));
    json_set (tags, "LCHARG", json_string ("F"));
    json_set (tags, "PSTRESS", json_int (0));
    json_set (tags, "KGAMMA", json_string ("F"));
}

int incar_text_of_settings (const struct json *settings, struct strbuf *out,
                            struct error *err)
{
    const struct section s = { .v = settings, .prefix = "fp_params." };
    _cleanup_json_ struct json *tags = json_object ();
    struct json *user = NULL;
    const char *smearing, *metagga;
    int rc;

    set_static_tags (tags);
    set_tag (tags, "ENCUT", settings, "ecut");
    set_tag (tags, "EDIFF", settings, "ediff");
    set_tag (tags, "NPAR", settings, "npar");
    set_tag (tags, "KPAR", settings, "kpar");
    set_tag (tags, "KSPACING", settings, "kspacing");
    set_tag (tags, "SIGMA", settings, "sigma");
    rc = key_text (&s, "smearing", &smearing, err);
    if (rc == 0)
        rc = vasp_smearing (smearing, tags, err);
    if (rc >= 0)
        rc = key_text (&s, "metagga", &metagga, err);
    if (rc == 0 && strcmp (metagga, "NONE") != 0) {
        json_set (tags, "LASPH", json_string ("T"));
        json_set (tags, "METAGGA", json_string (metagga));
    }
    if (rc >= 0)
        rc = key_mapping (&s, "user_vasp_params", &user, err);
    JSON_FOREACH (user, it) {
        _cleanup_ (strbuf_release) struct strbuf tag = STRBUF_INIT;

        add_upper (json_iter_key (it), &tag);
        json_set (tags, tag.buf, json_ref (json_iter_value (it)));
    }
    if (rc >= 0)
        incar_text (tags, out);
    return rc < 0 ? -1 : 0;
}

/* --- pw.x --- */

static void add_namelist_value (const struct json *v, struct strbuf *out)
{
    if (json_kind (v) == JSON_KIND_STRING) {
        strbuf_addf (out, "'%s'", json_as_string (v));
        return;
    }
    add_plain (v, ".true.", ".false.", out);
}

/* Keys that qe.label sets; 'none' of disk_io would leave no results. */
static bool is_completed_by_qe (const char *key)
{
    static const char *const keys[] = { "outdir", "prefix", "pseudo_dir",
                                        "nat",    "ntyp",   "disk_io",
                                        NULL };

    return words_contain (keys, key);
}

static void add_namelist (const struct json *namelist, const char *name,
                          const char *prefix, struct key_report *report,
                          struct strbuf *out)
{
    strbuf_addf (out, "&%s\n", name);
    JSON_FOREACH (namelist, it) {
        const char *key = json_iter_key (it);

        if (key[0] == '_')
            continue;
        if (is_completed_by_qe (key)) {
            char *path = xasprintf ("%s%s.%s", prefix, name, key);

            key_report_say (report, path, KEY_NOT_NEEDED,
                            "qe.label sets it for every frame");
            free (path);
            continue;
        }
        strbuf_addf (out, "  %s = ", key);
        add_namelist_value (json_iter_value (it), out);
        strbuf_add_char (out, '\n');
    }
    strbuf_add_str (out, "/\n");
}

int pw_text (const struct json *namelists, const char *prefix,
             struct key_report *report, struct strbuf *out, struct error *err)
{
    static const char *const names[] = { "control", "system", "electrons" };
    const struct section s = { .v = namelists, .prefix = prefix };

    for (size_t i = 0; i < ARRAY_SIZE (names); i++) {
        struct json *namelist = NULL;

        if (key_mapping (&s, names[i], &namelist, err) < 0)
            return -1;
        if (!namelist && i < 2)
            return key_missing (&s, names[i], err);
        add_namelist (namelist, names[i], prefix, report, out);
    }
    return 0;
}

static int pw_smearing (const char *word, struct strbuf *out, struct error *err)
{
    static const struct {
        const char *given, *smearing;
    } names[] = {
        { "mp", "mp" },
        { "gauss", "gauss" },
        { "fd", "fd" },
    };
    size_t len = strcspn (word, ":");

    for (size_t i = 0; i < ARRAY_SIZE (names); i++) {
        if (strlen (names[i].given) == len
            && strncasecmp (names[i].given, word, len) == 0) {
            strbuf_addf (out,
                         "  occupations = 'smearing'\n"
                         "  smearing = '%s'\n",
                         names[i].smearing);
            return 0;
        }
    }
    return error_set (err,
                      "fp_params.smearing: '%s' is not known; there is mp, "
                      "gauss and fd",
                      word);
}

int pw_text_of_settings (const struct json *settings, struct strbuf *out,
                         struct error *err)
{
    const struct section s = { .v = settings, .prefix = "fp_params." };
    const char *smearing;
    double ecut, ediff, sigma;
    int rc = key_number (&s, "ecut", &ecut, err);

    if (rc == 0)
        rc = key_number (&s, "ediff", &ediff, err);
    if (rc != 0)
        return rc < 0 ? -1
                      : error_set (err, "fp_params: ecut and ediff are needed");
    strbuf_add_str (out, "&control\n  calculation = 'scf'\n  tprnfor = "
                         ".true.\n  tstress = .true.\n/\n&system\n"
                         "  vdw_corr = 'TS'\n  nosym = .true.\n  ecutwfc = ");
    strbuf_add_double (out, ecut);
    strbuf_add_str (out, "\n  ts_vdw_econv_thr = ");
    strbuf_add_double (out, ediff);
    strbuf_add_char (out, '\n');
    rc = key_text (&s, "smearing", &smearing, err);
    if (rc == 0)
        rc = pw_smearing (smearing, out, err);
    if (rc >= 0)
        rc = key_number (&s, "sigma", &sigma, err);
    if (rc == 0) {
        strbuf_add_str (out, "  degauss = ");
        strbuf_add_double (out, sigma);
        strbuf_add_char (out, '\n');
    }
    strbuf_add_str (out, "/\n&electrons\n  conv_thr = ");
    strbuf_add_double (out, ediff);
    strbuf_add_str (out, "\n/\n");
    return rc < 0 ? -1 : 0;
}

/* --- ABACUS --- */

static bool is_completed_by_abacus (const char *key)
{
    static const char *const keys[] = {
        "ntype",       "calculation", "cal_force",   "suffix",    "pseudo_dir",
        "orbital_dir", "stru_file",   "kpoint_file", "out_level", NULL,
    };

    return words_contain (keys, key);
}

int abacus_text (const struct json *keys, const char *prefix,
                 struct key_report *report, struct strbuf *out,
                 struct error *err)
{
    strbuf_add_str (out, "INPUT_PARAMETERS\n");
    JSON_FOREACH (keys, it) {
        const char *key = json_iter_key (it);
        const struct json *v = json_iter_value (it);
        char *path = xasprintf ("%s%s", prefix, key);
        bool deepks = strncmp (key, "deepks_", 7) == 0;

        if (strcmp (key, "deepks_scf") == 0 && json_as_int (v) != 0) {
            error_set (err,
                       "%s: labels by DeePKS need files that abacus.label "
                       "does not hand over; write an operator of your own",
                       path);
            free (path);
            return -1;
        }
        if (deepks)
            key_report_say (report, path, KEY_UNSUPPORTED,
                            "left out: ABACUS labels without DeePKS");
        else if (is_completed_by_abacus (key))
            key_report_say (report, path, KEY_NOT_NEEDED,
                            "abacus.label sets it for every frame");
        else if (key[0] != '_') {
            strbuf_addf (out, "%s ", key);
            add_plain (v, "1", "0", out);
            strbuf_add_char (out, '\n');
        }
        free (path);
    }
    return 0;
}

void abacus_text_of_template (const char *text, struct strbuf *out)
{
    strbuf_add_str (out, "INPUT_PARAMETERS\n");
    while (*text) {
        size_t line = strcspn (text, "\n");
        const char *key = text + strspn (text, " \t");
        char *word = xstrndup (key, strcspn (key, " \t\r\n#/"));

        line += text[line] == '\n';
        if (!is_completed_by_abacus (word) && strncmp (word, "deepks_", 7) != 0
            && strcmp (word, "INPUT_PARAMETERS") != 0)
            strbuf_add (out, text, line);
        free (word);
        text += line;
    }
}

int kpt_text (const struct json *numbers, struct strbuf *out, struct error *err)
{
    if (json_count (numbers) != 6)
        return error_set (err, "k_points: expected six numbers, found %zu",
                          json_count (numbers));
    strbuf_add_str (out, "K_POINTS\n0\nGamma\n");
    add_plain (numbers, "1", "0", out);
    strbuf_add_char (out, '\n');
    return 0;
}
