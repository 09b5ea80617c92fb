/* SPDX-License-Identifier: BSD-3-Clause */
/* run_in.c - the user's lines of run.in: GPUMD knows no variables, so Fanfold
 * puts the numbers in
 */
#include "base/base.h"

#include "base/json.h"
#include "formats/lines.h"
#include "operators/gpumd/gpumd.h"

static int unknown_variable (const char *at, size_t len, size_t line,
                             const char *name, const struct json *variables,
                             struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf names = STRBUF_INIT;

    JSON_FOREACH (variables, it)
        strbuf_addf (&names, "%s${%s}", names.len > 0 ? ", " : "",
                     json_iter_key (it));
    error_set (err,
               "%s:%zu: there is no variable '${%.*s}'; there is %s, and what "
               "for_each has",
               name, line, (int)len, at, names.buf);
    return -1;
}

int gpumd_fill_lines (const char *lines, size_t len, const char *name,
                      const struct json *variables, struct strbuf *out,
                      struct error *err)
{
    const char *at = lines, *stop = lines + len;
    size_t line = 1;

    while (at < stop) {
        const char *end = NULL;

        if (stop - at > 2 && at[0] == '$' && at[1] == '{')
            end = memchr (at, '}', (size_t)(stop - at));
        if (!end) {
            line += *at == '\n';
            strbuf_add_char (out, *at++);
            continue;
        }
        char *key = strndup (at + 2, (size_t)(end - at - 2));
        const struct json *value = json_get (variables, key);

        free (key);
        if (!value)
            return unknown_variable (at + 2, (size_t)(end - at - 2), line, name,
                                     variables, err);
        json_dump (value, JSON_COMPACT, out);
        at = end + 1;
    }
    return 0;
}

static int count_runs (const char *key, size_t line, void *arg,
                       struct error *err)
{
    int *runs = arg;

    (void)line;
    (void)err;
    *runs += strcmp (key, "run") == 0;
    return 0;
}

/* Keywords of run.in (GPUMD manual, gpumd/input_parameters). */
static const char keywords[] =
    "potential velocity correct_velocity change_box ensemble time_step plumed "
    "mc electron_stop add_force add_random_force add_efield fix move deform "
    "active dump_thermo dump_position dump_netcdf dump_restart dump_velocity "
    "dump_force dump_exyz dump_xyz dump_observer dump_dipole dump_beads "
    "dump_polarizability dump_piston dump_shock_nemd compute compute_msd "
    "compute_dos compute_sdc compute_hac compute_viscosity compute_hnema "
    "compute_hnemd compute_hnemdec compute_shc compute_gkma compute_adf "
    "compute_angular_rdf compute_orientorder compute_cohesive compute_elastic "
    "compute_phonon compute_rdf compute_lsqt compute_chunk minimize dftd3 "
    "replicate run";

struct lines_seen {
    const char *name;
    bool ensemble, velocity;
};

static int check_word (const char *key, size_t line, void *arg,
                       struct error *err)
{
    struct lines_seen *seen = arg;
    _cleanup_free_ char *meant = template_meant (key, keywords, 4, 1);
    int rc = 0;

    seen->ensemble = seen->ensemble || strcmp (key, "ensemble") == 0;
    seen->velocity = seen->velocity || strcmp (key, "velocity") == 0;
    if (meant)
        rc = error_set (err,
                        "%s:%zu: GPUMD has no keyword '%s'; did you mean '%s'?",
                        seen->name, line, key, meant);
    return rc;
}

/* "ensemble npt_scr T T DAMPING PRESSURE ..." */
static void doubt_pressure (struct lines *lines, const char *name,
                            struct strbuf *says)
{
    static const double most = 500; /* GPa */
    const char *word;
    double pressure;
    size_t n;

    if (!lines_take_prefix (lines, "ensemble")
        || !lines_take_word (lines, &word, &n) || strncmp (word, "npt", 3) != 0)
        return;
    for (int i = 0; i < 3; i++)
        lines_take_word (lines, &word, &n);
    if (lines_take_number (lines, &pressure) && pressure > most)
        template_doubt (says, name, lines->number,
                        "the pressure %g is in GPa, and 10000 bar are 1 GPa; "
                        "write %g if it is meant in bar",
                        pressure, pressure / 10000);
}

/* "velocity 300 seed 4711", "time_step 0.001". */
static void doubt_line (struct lines *lines, const char *name,
                        struct strbuf *says)
{
    static const double least = 0.05, most = 20; /* fs */
    bool is_step = lines_take_prefix (lines, "time_step");
    bool is_velocity = !is_step && lines_take_prefix (lines, "velocity");
    const char *seed = is_velocity ? strstr (lines->at, "seed") : NULL;
    double step;

    if (is_step && lines_take_number (lines, &step)
        && (step < least || step > most))
        template_doubt (says, name, lines->number,
                        "time_step %g is in fs, where 0.5 to 2 are usual; "
                        "write that",
                        step);
    if (!is_step && !is_velocity)
        doubt_pressure (lines, name, says);
    if (seed && seed < lines->end && strspn (seed + 4, " ") > 0
        && strchr ("0123456789", seed[4 + strspn (seed + 4, " ")]))
        template_doubt (says, name, lines->number,
                        "the seed is that of every task, replica and "
                        "iteration; write ${seed}");
}

void gpumd_doubt_template (const char *text, const char *name,
                           const struct json *for_each,
                           const char *const *elements, struct strbuf *says)
{
    struct lines_seen seen = { name, false, false };
    struct lines lines;

    (void)for_each;
    (void)elements;
    template_first_words (text, strlen (text), check_word, &seen, NULL);
    if (!seen.ensemble)
        template_doubt (says, name, 0,
                        "there is no ensemble, so atoms do not move; add "
                        "ensemble nvt_lan ${temperature} ${temperature} 100 or "
                        "the like");
    if (!seen.velocity)
        template_doubt (says, name, 0,
                        "nothing gives the atoms velocities; add velocity "
                        "${temperature} seed ${seed}");
    lines_of_text (&lines, text, strlen (text), name, 1);
    while (lines_next (&lines, NULL) == 1) {
        if (!lines_at_end (&lines))
            doubt_line (&lines, name, says);
    }
    lines_close (&lines);
}

int gpumd_check_template (const char *text, size_t len, const char *name,
                          const struct json *for_each, struct error *err)
{
    _cleanup_json_ struct json *variables = json_object ();
    _cleanup_ (strbuf_release) struct strbuf filled = STRBUF_INIT;
    struct lines_seen seen = { name, false, false };
    int runs = 0, rc;

    json_set (variables, "seed", json_int (1));
    json_set (variables, "steps", json_int (1));
    JSON_FOREACH (for_each, it)
        json_set (variables, json_iter_key (it), json_int (1));
    rc = gpumd_fill_lines (text, len, name, variables, &filled, err);
    template_first_words (text, len, count_runs, &runs, NULL);
    if (rc == 0 && runs != 1)
        rc = error_set (err,
                        "%s: there are %d runs, and `active` is of one; write "
                        "`run ${steps}` once",
                        name, runs);
    if (rc == 0)
        rc = template_first_words (text, len, check_word, &seen, err);
    if (rc == 0)
        rc = explore_check_used (text, name, for_each, err);
    return rc;
}
