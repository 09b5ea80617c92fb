/* SPDX-License-Identifier: BSD-3-Clause */
/* train_settings.c - numbers and words of an input.json that `dp train` would
 * refuse hours later, or train nonsense by (DeePMD-kit, "Training parameters")
 */
#include "base/base.h"

#include "base/json.h"
#include "base/json_keys.h"
#include "operators/deepmd/train_input.h"
#include "operators/kit.h"

struct settings {
    const char *text;
    size_t len;
    const char *name;
    const struct json *v;
    struct strbuf *says; /* a line for each */
};

/* Begin a line about the key at 'path': "NAME:LINE: 'PATH' ". */
static void begin (const struct settings *s, const char *path)
{
    size_t line = json_key_line (s->text, s->len, path);

    strbuf_addf (s->says, "%s%s:%zu: '%s' ", s->says->len > 0 ? "\n" : "",
                 s->name, line > 0 ? line : 1, path);
}

/* --- numbers --- */

static const struct number {
    const char *path;
    bool whole;
    double least; /* INFINITY: more than 0 */
} numbers[] = {
    { "training.numb_steps", true, 1 },
    { "training.stop_batch", true, 1 },
    { "training.disp_freq", true, 1 },
    { "training.save_freq", true, 1 },
    { "model.descriptor.rcut", false, INFINITY },
    { "model.descriptor.rcut_smth", false, 0 },
    { "learning_rate.start_lr", false, INFINITY },
    { "learning_rate.stop_lr", false, INFINITY },
    { "learning_rate.decay_steps", true, 1 },
    { "loss.start_pref_e", false, 0 },
    { "loss.limit_pref_e", false, 0 },
    { "loss.start_pref_f", false, 0 },
    { "loss.limit_pref_f", false, 0 },
    { "loss.start_pref_v", false, 0 },
    { "loss.limit_pref_v", false, 0 },
};

static bool is_good (const struct number *n, const struct json *v)
{
    enum json_kind kind = json_kind (v);
    double value = json_as_double (v);

    if (kind != JSON_KIND_INT && (n->whole || kind != JSON_KIND_REAL))
        return false;
    return isinf (n->least) ? value > 0 : value >= n->least;
}

static void check_numbers (const struct settings *s)
{
    for (size_t i = 0; i < ARRAY_SIZE (numbers); i++) {
        const struct number *n = &numbers[i];
        const struct json *v = json_get_path (s->v, n->path);

        if (!v || is_good (n, v))
            continue;
        begin (s, n->path);
        strbuf_add_str (s->says, "is ");
        json_dump (v, JSON_COMPACT, s->says);
        strbuf_addf (s->says, "; write a %snumber %s", n->whole ? "whole " : "",
                     isinf (n->least) ? "above 0"
                     : n->least > 0   ? "of at least 1, without quotes"
                                      : "of at least 0");
    }
}

/* A number, a list of them, or "auto", "auto:32", "mixed:32" and the like. */
static bool is_batch_size (const struct json *v)
{
    const char *text = json_as_string (v);
    size_t word = strcspn (text, ":");

    if (json_kind (v) == JSON_KIND_INT)
        return json_as_int (v) > 0;
    for (size_t i = 0; i < json_count (v); i++) {
        if (!is_batch_size (json_at (v, i)))
            return false;
    }
    if (json_kind (v) != JSON_KIND_STRING)
        return json_count (v) > 0;
    return (strcmp (text, "auto") == 0 || text[word] == ':')
           && (!text[word] || strtol (text + word + 1, NULL, 10) > 0)
           && strspn (text, "abcdefghijklmnopqrstuvwxyz") == word;
}

static void check_batch_size (const struct settings *s)
{
    static const char *const paths[] = {
        "training.batch_size", "training.training_data.batch_size",
        "training.validation_data.batch_size"
    };

    for (size_t i = 0; i < ARRAY_SIZE (paths); i++) {
        const struct json *v = json_get_path (s->v, paths[i]);

        if (!v || is_batch_size (v))
            continue;
        begin (s, paths[i]);
        strbuf_add_str (s->says, "is ");
        json_dump (v, JSON_COMPACT, s->says);
        strbuf_add_str (s->says, "; write a whole number of at least 1, or "
                                 "\"auto\"");
    }
}

/* --- the descriptor --- */

/* One number for each type. */
static bool selects_by_type (const char *type)
{
    static const char *const types[] = { "se_e2_a", "se_a",     "se_e2_r",
                                         "se_r",    "se_e3",    "se_at",
                                         "se_t",    "se_a_3be", "se_a_tpe" };

    for (size_t i = 0; i < ARRAY_SIZE (types); i++) {
        if (strcmp (type, types[i]) == 0)
            return true;
    }
    return false;
}

static void check_sel (const struct settings *s, const struct strvec *elements)
{
    const struct json *d = json_get_path (s->v, "model.descriptor");
    const struct json *sel = json_get (d, "sel");
    size_t types = json_count (json_get_path (s->v, "model.type_map"));
    size_t n = types > 0 ? types : elements->n;

    if (json_kind (sel) != JSON_KIND_ARRAY || n == 0 || json_count (sel) == n
        || !selects_by_type (json_get_string (d, "type")))
        return;
    begin (s, "model.descriptor.sel");
    strbuf_addf (s->says,
                 "is a list of %zu for %zu elements; write a number for each, "
                 "in the order of %s, or \"auto\"",
                 json_count (sel), n, types > 0 ? "type_map" : "elements");
}

/* Of one model that is no sum or table of others. */
static void check_parts (const struct settings *s)
{
    static const char *const parts[] = { "descriptor", "fitting_net" };
    const struct json *model = json_get (s->v, "model");
    const char *type = json_get_string (model, "type");

    for (size_t i = 0; i < ARRAY_SIZE (parts); i++) {
        if (json_get (model, parts[i])
            || (*type && strcmp (type, "standard") != 0))
            continue;
        begin (s, "model");
        strbuf_addf (s->says, "has no '%s', which dp needs; add it", parts[i]);
    }
}

static void check_neurons (const struct settings *s)
{
    static const char *const paths[] = { "model.descriptor.neuron",
                                         "model.fitting_net.neuron" };

    for (size_t i = 0; i < ARRAY_SIZE (paths); i++) {
        const struct json *v = json_get_path (s->v, paths[i]);
        size_t good = 0;

        while (json_as_int (json_at (v, good)) > 0)
            good++;
        if (!v || (json_kind (v) == JSON_KIND_ARRAY && good == json_count (v)))
            continue;
        begin (s, paths[i]);
        strbuf_add_str (s->says, "is no list of whole numbers; write [25, 50, "
                                 "100] or the like");
    }
}

static void check_cutoffs (const struct settings *s)
{
    double rcut =
        json_as_double (json_get_path (s->v, "model.descriptor.rcut"));
    double smooth =
        json_as_double (json_get_path (s->v, "model.descriptor.rcut_smth"));

    if (rcut <= 0 || smooth < rcut)
        return;
    begin (s, "model.descriptor.rcut_smth");
    strbuf_addf (s->says,
                 "is %g and rcut %g; write one below rcut: from it on what an "
                 "atom feels fades away",
                 smooth, rcut);
}

/* --- words --- */

/* What stands in an object, or is the value of a key.  Others may be of another
 * release, or of a plugin; not those that are one or two letters off.
 */
static const struct words {
    const char *path; /* of the object, "": the input itself; or of the value */
    bool is_value;
    const char *known; /* blanks between them */
} words[] = {
    { "", false,
      "model learning_rate loss training nvnmd optimizer validating" },
    { "model", false,
      "type_map data_stat_nbatch data_stat_protect descriptor fitting_net "
      "type_embedding modifier compress type pair_exclude_types "
      "atom_exclude_types preset_out_bias use_srtab smin_alpha sw_rmin sw_rmax "
      "spin finetune_head" },
    { "model.descriptor", false,
      "type sel rcut rcut_smth neuron axis_neuron activation_function "
      "resnet_dt type_one_side precision trainable exclude_types "
      "env_protection "
      "set_davg_zero attn attn_layer attn_dotr attn_mask list attn_gamma "
      "tebd_dim tebd_input_mode repinit repformer repflow concat_output_tebd "
      "use_econf_tebd smooth_type_embedding stripped_type_embedding" },
    { "model.fitting_net", false,
      "type neuron activation_function resnet_dt precision trainable rcond "
      "atom_ener numb_fparam numb_aparam use_aparam_as_mask layer_name "
      "dim_case_embd" },
    { "learning_rate", false,
      "type start_lr stop_lr decay_steps decay_rate scale_by_worker "
      "warmup_steps" },
    { "loss", false,
      "type start_pref_e limit_pref_e start_pref_f limit_pref_f start_pref_v "
      "limit_pref_v start_pref_ae limit_pref_ae start_pref_pf limit_pref_pf "
      "start_pref_gf limit_pref_gf start_pref_h limit_pref_h numb_generalized_"
      "coord relative_f enable_atom_ener_coeff use_huber huber_delta" },
    { "training", false,
      "training_data validation_data mixed_precision numb_steps stop_batch "
      "disp_file disp_freq save_freq save_ckpt max_ckpt_keep disp_training "
      "time_training profiling profiling_file enable_profiler tensorboard "
      "tensorboard_log_dir tensorboard_freq change_bias_after_training "
      "warmup_steps gradient_max_norm stat_file opt_type zero_stage" },
    { "training.training_data", false,
      "batch_size auto_prob auto_prob_style sys_probs systems set_prefix "
      "rglob_patterns min_pair_dist" },
    { "model.descriptor.type", true,
      "loc_frame se_e2_a se_a se_e2_r se_r se_e3 se_at se_t se_a_3be "
      "se_e3_tebd "
      "se_a_tpe se_a_ebd se_atten se_atten_v2 dpa1 dpa2 dpa3 hybrid "
      "se_a_mask" },
    { "model.fitting_net.type", true,
      "ener direct_force_ener dipole polar "
      "dos property" },
    { "learning_rate.type", true, "exp cosine" },
};

static void check_word (const struct settings *s, const char *path,
                        const char *word, const char *known)
{
    char *meant = template_meant (word, known, 4, 2);

    if (!meant)
        return;
    begin (s, path);
    if (strstr (path, word))
        strbuf_addf (s->says, "is no key of dp; did you mean '%s'?", meant);
    else
        strbuf_addf (s->says,
                     "is '%s', which is no key of dp; did you mean '%s'?", word,
                     meant);
    free (meant);
}

static void check_keys_of (const struct settings *s, const struct words *w)
{
    const struct json *object = *w->path ? json_get_path (s->v, w->path) : s->v;

    if (json_kind (object) != JSON_KIND_OBJECT)
        return;
    JSON_FOREACH (object, it) {
        const char *key = json_iter_key (it);
        _cleanup_free_ char *path = *w->path ? xasprintf ("%s.%s", w->path, key)
                                             : xasprintf ("%s", key);

        if (*key != '_')
            check_word (s, path, key, w->known);
    }
}

static void check_words (const struct settings *s)
{
    for (size_t i = 0; i < ARRAY_SIZE (words); i++) {
        const struct words *w = &words[i];

        if (w->is_value)
            check_word (s, w->path,
                        json_as_string (json_get_path (s->v, w->path)),
                        w->known);
        else
            check_keys_of (s, w);
    }
}

int deepmd_settings_check (const char *text, size_t len, const char *name,
                           const struct strvec *elements, struct error *err)
{
    _cleanup_json_ struct json *v = json_parse (text, len, name, err);
    _cleanup_ (strbuf_release) struct strbuf says = STRBUF_INIT;
    struct settings s = { text, len, name, v, &says };
    int rc = v ? 0 : -1;

    if (v) {
        check_words (&s);
        check_numbers (&s);
        check_batch_size (&s);
        check_parts (&s);
        check_neurons (&s);
        check_sel (&s, elements);
        check_cutoffs (&s);
    }
    if (says.len > 0)
        rc = error_set (err, "%s", says.buf);
    return rc;
}

/* --- what is possible, and seldom meant --- */

/* The first number should not be above the second. */
static const struct {
    const char *one, *other;
    const char *else_;
} orders[] = {
    { "training.save_freq", "training.numb_steps",
      "no checkpoint is written before the end, and a training that is cut "
      "short begins anew; write a small part of the steps" },
    { "training.disp_freq", "training.numb_steps",
      "the learning curve has no row in between; write a small part of the "
      "steps" },
    { "learning_rate.decay_steps", "training.numb_steps",
      "the rate never falls; write a small part of the steps" },
    { "learning_rate.stop_lr", "learning_rate.start_lr",
      "the rate rises; exchange them" },
};

static void doubt_orders (const struct settings *s)
{
    for (size_t i = 0; i < ARRAY_SIZE (orders); i++) {
        double a = json_as_double (json_get_path (s->v, orders[i].one));
        double b = json_as_double (json_get_path (s->v, orders[i].other));

        if (a <= 0 || b <= 0 || a <= b)
            continue;
        begin (s, orders[i].one);
        strbuf_addf (s->says, "is %.12g and %s %.12g: %s", a, orders[i].other,
                     b, orders[i].else_);
    }
}

/* Angstrom. */
static void doubt_rcut (const struct settings *s)
{
    static const double least = 2, most = 15, fade = 0.2;
    double rcut =
        json_as_double (json_get_path (s->v, "model.descriptor.rcut"));
    double smooth =
        json_as_double (json_get_path (s->v, "model.descriptor.rcut_smth"));

    if (rcut > smooth && rcut - smooth < fade && smooth > 0) {
        begin (s, "model.descriptor.rcut_smth");
        strbuf_addf (s->says,
                     "is %g and rcut %g: what an atom feels fades away so "
                     "fast that forces jump; write 0.5 to %g",
                     smooth, rcut, rcut - 1);
    }
    if (rcut <= 0 || (rcut >= least && rcut <= most))
        return;
    begin (s, "model.descriptor.rcut");
    strbuf_addf (s->says, "is %g angstrom, where 6 is usual; %s", rcut,
                 rcut < least ? "write angstrom, not nm or lengths of a cell"
                              : "neighbours, and the cost, grow with its cube: "
                                "write 6 to 9");
}

/* A descriptor that sees fewer neighbours than atoms have in any condensed
 * phase learns from some of them.
 */
static void doubt_sel (const struct settings *s)
{
    static const double sparse = 0.03; /* atoms in a cubic angstrom */
    const struct json *d = json_get_path (s->v, "model.descriptor");
    const struct json *sel = json_get (d, "sel");
    double rcut = json_get_double (d, "rcut");
    int64_t sum = json_as_int (sel);

    for (size_t i = 0; i < json_count (sel); i++)
        sum += json_as_int (json_at (sel, i));
    if (sum <= 0 || rcut < 4 || rcut > 15
        || (double)sum >= sparse * 4.19 * rcut * rcut * rcut)
        return;
    begin (s, "model.descriptor.sel");
    strbuf_addf (s->says,
                 "lets an atom see %lld neighbours within %g angstrom, and "
                 "others are not seen; write \"auto\", or what `dp "
                 "neighbor-stat` tells",
                 (long long)sum, rcut);
}

/* Numbers that are outside of what trainings have. */
static const struct {
    const char *path;
    double least, most;
    const char *says;
} usual[] = {
    { "training.numb_steps", 2000, 1e8,
      "where 100,000 to a million steps are usual; write that" },
    { "training.stop_batch", 2000, 1e8,
      "where 100,000 to a million steps are usual; write that" },
    { "learning_rate.start_lr", 1e-6, 0.02,
      "where 1e-4 to 2e-3 are usual; write 1e-3" },
    { "model.fitting_net.numb_fparam", 0, 0,
      "and labelled frames have no fparam; remove it, or train on `systems` "
      "alone" },
    { "model.fitting_net.numb_aparam", 0, 0,
      "and labelled frames have no aparam; remove it, or train on `systems` "
      "alone" },
};

static void doubt_numbers (const struct settings *s)
{
    for (size_t i = 0; i < ARRAY_SIZE (usual); i++) {
        const struct json *v = json_get_path (s->v, usual[i].path);
        double value = json_as_double (v);

        if (!v || (value >= usual[i].least && value <= usual[i].most))
            continue;
        begin (s, usual[i].path);
        strbuf_addf (s->says, "is %g, %s", value, usual[i].says);
    }
}

/* What is left over from another training. */
static void doubt_rests (const struct settings *s)
{
    static const char *const frozen[] = { "model.descriptor.trainable",
                                          "model.fitting_net.trainable" };
    static const char *const without[] = { "model.descriptor.exclude_types",
                                           "model.pair_exclude_types",
                                           "model.atom_exclude_types" };

    for (size_t i = 0; i < ARRAY_SIZE (frozen); i++) {
        const struct json *v = json_get_path (s->v, frozen[i]);

        if (json_kind (v) != JSON_KIND_BOOL || json_as_bool (v))
            continue;
        begin (s, frozen[i]);
        strbuf_add_str (s->says, "is false, so this part of the model stays as "
                                 "it begins; remove it, unless it begins with "
                                 "a model");
    }
    for (size_t i = 0; i < ARRAY_SIZE (without); i++) {
        if (json_count (json_get_path (s->v, without[i])) == 0)
            continue;
        begin (s, without[i]);
        strbuf_add_str (s->says, "has types whose atoms do not feel each other "
                                 "then; remove it, unless that is meant");
    }
}

static void doubt_prefactors (const struct settings *s)
{
    const struct json *loss = json_get (s->v, "loss");
    double energy = json_get_double (loss, "start_pref_e");
    double force = json_get_double (loss, "start_pref_f");

    if (force <= 0 || energy <= force)
        return;
    begin (s, "loss.start_pref_e");
    strbuf_addf (s->says,
                 "is %g and start_pref_f %g, and energies of so few frames "
                 "teach little before forces do; write 0.02 and 1000",
                 energy, force);
}

static void doubt_forces (const struct settings *s)
{
    const struct json *loss = json_get (s->v, "loss");
    const struct json *start = json_get (loss, "start_pref_f");
    const struct json *limit = json_get (loss, "limit_pref_f");

    if (!start || !limit || json_as_double (start) != 0
        || json_as_double (limit) != 0)
        return;
    begin (s, "loss.start_pref_f");
    strbuf_add_str (s->says,
                    "and limit_pref_f are 0, so no force is trained on, by "
                    "which the committee is judged; write 1000 and 1");
}

void deepmd_settings_doubt (const char *text, size_t len, const char *name,
                            struct strbuf *says)
{
    _cleanup_json_ struct json *v = json_parse (text, len, name, NULL);
    struct settings s = { text, len, name, v, says };

    if (v) {
        doubt_orders (&s);
        doubt_rcut (&s);
        doubt_sel (&s);
        doubt_forces (&s);
        doubt_numbers (&s);
        doubt_rests (&s);
        doubt_prefactors (&s);
    }
}
