/* SPDX-License-Identifier: BSD-3-Clause */
/* md_check.c - commands of the user's MD that LAMMPS would stop at once the
 * training is over, and what is an MD for it and none for the user
 */
#include "base/base.h"

#include "base/json.h"
#include "formats/element.h"
#include "operators/lammps/lammps.h"

/* --- commands --- */

/* A line with those that continue it, without comments. */
struct command {
    struct strvec words;
    size_t line; /* of its first word */
};

static const char *word (const struct command *c, size_t i)
{
    return i < c->words.n ? c->words.v[i] : "";
}

static bool is_command (const struct command *c, const char *name)
{
    return strcmp (word (c, 0), name) == 0;
}

/* Takes the next command from *at; false: there is none. */
static bool next_command (const char **at, size_t *line, struct command *c)
{
    bool goes_on = true;

    strvec_release (&c->words);
    while (**at && (goes_on || c->words.n == 0)) {
        size_t len = strcspn (*at, "\n"), end = strcspn (*at, "#\n");

        if (c->words.n == 0)
            c->line = *line;
        goes_on = false;
        for (size_t i = 0, n; i < end; i += n) {
            char *one;

            i += strspn (*at + i, " \t\r");
            n = strcspn (*at + i, " \t\r#\n");
            if (i >= end || n == 0)
                break;
            one = xstrndup (*at + i, n);
            goes_on = strcmp (one, "&") == 0;
            if (!goes_on)
                strvec_push (&c->words, one);
            free (one);
        }
        *at += len + ((*at)[len] == '\n');
        ++*line;
    }
    return c->words.n > 0;
}

/* Told of every command, in order. */
typedef int each_command (const struct command *c, void *arg,
                          struct error *err);

static int walk (const char *text, each_command *each, void *arg,
                 struct error *err)
{
    struct command c = { STRVEC_INIT, 1 };
    size_t line = 1;
    int rc = 0;

    while (rc == 0 && next_command (&text, &line, &c))
        rc = each (&c, arg, err);
    strvec_release (&c.words);
    return rc;
}

/* --- what is refused --- */

static const char known_commands[] =
    "angle_coeff angle_style atom_modify atom_style balance bond_coeff "
    "bond_style bond_write boundary box change_box clear comm_modify "
    "comm_style compute compute_modify create_atoms create_bonds create_box "
    "delete_atoms delete_bonds dielectric dihedral_coeff dihedral_style "
    "dimension displace_atoms dump dump_modify dynamical_matrix echo fix "
    "fix_modify group group2ndx hyper if improper_coeff improper_style include "
    "info jump kim kspace_modify kspace_style label labelmap lattice log mass "
    "minimize min_modify min_style molecule neb neighbor neigh_modify newton "
    "next package pair_coeff pair_modify pair_style pair_write partition "
    "plugin prd print processors python quit read_data read_dump read_restart "
    "region replicate rerun reset_atoms reset_timestep reset_atom_ids "
    "reset_mol_ids restart run run_style set shell special_bonds suffix tad "
    "temper third_order thermo thermo_modify thermo_style timer timestep "
    "uncompute undump unfix units variable velocity write_coeff write_data "
    "write_dump write_restart";

static const char known_fixes[] =
    "nve nvt npt nph langevin momentum adapt addforce ave/atom ave/chunk "
    "ave/correlate ave/histo ave/time "
    "aveforce balance bond/break bond/create bond/swap box/relax brownian "
    "colvars com/momentum controller deform drag dt/reset efield enforce2d "
    "external evaporate gle gld halt heat indent ipi lineforce "
    "move msst mvv/dpd neb nve/limit nvk nvt/sllod "
    "orient pimd plumed press/berendsen print property/atom qbmsst qmmm qtb "
    "rattle recenter restrain rigid rigid/nvt/small setforce shake spring "
    "spring/self store/force store/state temp/berendsen temp/csld temp/csvr "
    "temp/rescale thermal/conductivity tmd ttm vector viscous wall/harmonic "
    "wall/lj93 wall/reflect wall/region nvt/kk npt/kk nve/kk";

/* A package or plugin may bring words that are not known here: those one letter
 * off a known one are none of them.  Caller frees.
 */
static char *meant_by (const char *used, const char *known)
{
    return template_meant (used, known, 3, 1);
}

struct checking {
    const char *name;
    bool loops;     /* lines may be run several times, or not at all */
    bool all_steps; /* a line runs all ${steps} */
    size_t other_run;
    size_t minimize;
};

/* 'meant' is taken over. */
static int refuse_word (const struct checking *k, const struct command *c,
                        const char *used, const char *what, char *meant,
                        struct error *err)
{
    error_set (err, "%s:%zu: LAMMPS has no %s '%s'; did you mean '%s'?",
               k->name, c->line, what, used, meant);
    free (meant);
    return -1;
}

/* A file beside the input is not where a task runs. */
static int check_file (const struct checking *k, const struct command *c,
                       struct error *err)
{
    const char *file = word (c, 1);

    if (!(is_command (c, "include") || is_command (c, "read_restart"))
        || *file == '/' || *file == '\0' || strchr (file, '$')
        || strchr (file, '"'))
        return 0;
    return error_set (err,
                      "%s:%zu: '%s' is looked for in the task's directory, "
                      "where no such file is; write its whole path, or its "
                      "lines here",
                      k->name, c->line, file);
}

static void note_steps (struct checking *k, const struct command *c)
{
    static const char *const loops[] = { "jump", "if",     "label",
                                         "next", "python", "include" };
    const char *steps = word (c, 1);

    for (size_t i = 0; i < ARRAY_SIZE (loops); i++)
        k->loops = k->loops || is_command (c, loops[i]);
    if (is_command (c, "minimize"))
        k->minimize = c->line;
    if (!is_command (c, "run"))
        return;
    if (strcmp (steps, "${steps}") == 0 && c->words.n == 2)
        k->all_steps = true;
    else if (strtol (steps, NULL, 10) > 0)
        k->other_run = c->line;
}

static int check_command (const struct command *c, void *arg, struct error *err)
{
    struct checking *k = arg;
    char *meant = meant_by (word (c, 0), known_commands);

    if (meant)
        return refuse_word (k, c, word (c, 0), "command", meant, err);
    meant = is_command (c, "fix") ? meant_by (word (c, 3), known_fixes) : NULL;
    if (meant)
        return refuse_word (k, c, word (c, 3), "fix", meant, err);
    note_steps (k, c);
    return check_file (k, c, err);
}

int lammps_check_md (const char *text, const char *name, struct error *err)
{
    struct checking k = { .name = name };
    size_t line;

    if (walk (text, check_command, &k, err) < 0)
        return -1;
    line = k.other_run > 0 ? k.other_run : k.minimize;
    if (k.loops || !k.all_steps || line == 0)
        return 0;
    return error_set (err,
                      "%s:%zu: this runs beside the ${steps} steps from 0 on "
                      "that frames are taken of; remove it, and make steps "
                      "larger or start from a configuration that is at rest",
                      name, line);
}

int lammps_check_lines (const char *text, size_t len, const char *name,
                        const struct json *for_each, struct error *err)
{
    return lammps_check_variables (text, len, name, for_each, err) < 0
               ? -1
               : lammps_check_md (text, name, err);
}

/* --- what looks wrong --- */

struct doubting {
    const char *name;
    const struct json *for_each;
    const char *const *elements; /* by atom type; NULL: not known */
    struct strbuf *says;
    bool reads_others; /* files, or programs: what they say is not known */
    bool moves, heats;
    bool varies;        /* velocities are of a variable of for_each */
    size_t constant;    /* the line of a thermostat that holds a number */
    size_t thermostats; /* how many fixes hold the temperature */
    char *mover;        /* the group that a fix moves, */
    char *fix;          /* and the fix; owned */
};

static bool begins (const char *text, const char *prefix)
{
    return strncmp (text, prefix, strlen (prefix)) == 0;
}

static bool integrates (const char *style)
{
    static const char *const styles[] = {
        "nve",      "nvt",  "npt", "nph",    "nvk",  "rigid", "move",    "msst",
        "brownian", "pimd", "ipi", "qbmsst", "bocs", "poems", "npt/body"
    };

    for (size_t i = 0; i < ARRAY_SIZE (styles); i++) {
        if (begins (style, styles[i]))
            return true;
    }
    return false;
}

/* The number that the word is; false: it is none. */
static bool number_of (const char *text, double *value)
{
    char *end;

    *value = strtod (text, &end);
    return *text != '\0' && *end == '\0';
}

/* Times are in ps, of metal units. */
static void doubt_damping (struct doubting *d, const struct command *c,
                           const char *text, double least, double most)
{
    double value;

    if (!number_of (text, &value))
        return;
    if (value > most)
        template_doubt (d->says, d->name, c->line,
                        "the damping %g is in ps, as LAMMPS runs in metal "
                        "units; write %g if it is meant in fs",
                        value, value / 1000);
    else if (value > 0 && value < least)
        template_doubt (d->says, d->name, c->line,
                        "the damping %g ps is as short as some steps, so what "
                        "moves the atoms is the thermostat or barostat; write "
                        "%g or more",
                        value, 10 * least);
}

static void doubt_step (struct doubting *d, const struct command *c)
{
    static const double least = 2e-5, most = 0.01, of_fs = 0.1; /* ps */
    double value;

    if (!number_of (word (c, 1), &value) || (value >= least && value < most))
        return;
    if (value >= of_fs)
        template_doubt (d->says, d->name, c->line,
                        "timestep %g is in ps, as LAMMPS runs in metal units; "
                        "write %g if it is meant in fs",
                        value, value / 1000);
    else
        template_doubt (d->says, d->name, c->line,
                        "timestep %g is %g fs, in which atoms move too %s; "
                        "write 0.001, or 0.0005 with hydrogen",
                        value, 1000 * value, value < least ? "little" : "far");
}

/* Neighbours are looked for every so many steps, whatever has moved. */
static void doubt_neighbours (struct doubting *d, const struct command *c)
{
    static const double most = 20;
    double every = 0;
    bool checks = true;

    for (size_t i = 1; i + 1 < c->words.n; i += 2) {
        if (strcmp (word (c, i), "exclude") == 0
            && strcmp (word (c, i + 1), "none") != 0)
            template_doubt (d->says, d->name, c->line,
                            "exclude leaves out pairs of atoms, in the forces "
                            "by which members are judged, too; remove it");
        if (strcmp (word (c, i), "check") == 0)
            checks = strcmp (word (c, i + 1), "no") != 0;
        else if (strcmp (word (c, i), "every") == 0)
            number_of (word (c, i + 1), &every);
    }
    if (!checks && every >= most)
        template_doubt (d->says, d->name, c->line,
                        "neighbours are looked for every %g steps, whether "
                        "atoms have moved or not, so forces may lack some; "
                        "write every 1 delay 0 check yes",
                        every);
}

/* Atoms that leave end an MD, and are an explosion. */
static void doubt_lost (struct doubting *d, const struct command *c)
{
    for (size_t i = 1; i + 1 < c->words.n; i++) {
        if (strcmp (word (c, i), "lost") == 0
            && strcmp (word (c, i + 1), "error") != 0)
            template_doubt (d->says, d->name, c->line,
                            "lost %s lets an MD go on that lost atoms, of "
                            "which no frame counts; remove it",
                            word (c, i + 1));
    }
}

/* Seeds that all tasks have. */
static void doubt_seed (struct doubting *d, const struct command *c,
                        const char *text)
{
    double value;

    if (number_of (text, &value))
        template_doubt (d->says, d->name, c->line,
                        "the seed %s is that of every task, replica and "
                        "iteration; write ${seed}",
                        text);
}

/* The values that for_each gives the variable that the word is, named in *name,
 * or NULL.  Caller frees *name.
 */
static const struct json *values_of (const struct doubting *d, const char *text,
                                     char **name)
{
    size_t len = strlen (text);

    *name = begins (text, "${") && len > 3 ? xstrndup (text + 2, len - 3)
                                           : xstrdup ("");
    return json_get (d->for_each, *name);
}

/* A variable that is a temperature here. */
static void doubt_temperature (struct doubting *d, const struct command *c,
                               const char *text)
{
    static const double least = 5, most = 20000;
    _cleanup_free_ char *name = NULL;
    const struct json *values = values_of (d, text, &name);

    for (size_t i = 0; i < json_count (values); i++) {
        double value = json_as_double (json_at (values, i));

        if (value < 0)
            template_doubt (d->says, d->name, c->line,
                            "for_each gives %s %g, which is a temperature "
                            "here, in K; write one above 0",
                            name, value);
        else if (value < least || value > most)
            template_doubt (d->says, d->name, c->line,
                            "for_each gives %s %g, which is a temperature "
                            "here, in K; write %s, unless it is meant",
                            name, value,
                            value > most ? "less" : "300 for 0.0259 eV");
    }
}

/* A variable that is a pressure here: 1e7 bar are 1000 GPa. */
static void doubt_pressure (struct doubting *d, const struct command *c,
                            const char *text)
{
    static const double most = 1e7;
    _cleanup_free_ char *name = NULL;
    const struct json *values = values_of (d, text, &name);

    for (size_t i = 0; i < json_count (values); i++) {
        double value = json_as_double (json_at (values, i));

        if (value > most || value < -most)
            template_doubt (d->says, d->name, c->line,
                            "for_each gives %s %g, which is a pressure here, "
                            "in bar; 1 GPa is 10000 bar",
                            name, value);
    }
}

/* No one scans some bar, which change nothing of what is dense. */
static void doubt_small_pressures (struct doubting *d, const struct command *c,
                                   const char *text)
{
    static const double least = 1, most = 60;
    _cleanup_free_ char *name = NULL;
    const struct json *values = values_of (d, text, &name);
    double highest = 0;

    for (size_t i = 0; i < json_count (values); i++)
        highest = fmax (highest, json_as_double (json_at (values, i)));
    if (json_count (values) > 1 && highest > least && highest <= most)
        template_doubt (d->says, d->name, c->line,
                        "for_each gives %s up to %g, which is a pressure here, "
                        "in bar, and hardly one; write %g if it is meant in "
                        "GPa",
                        name, highest, 1e4 * highest);
}

/* What holds the temperature 'text'. */
static void note_thermostat (struct doubting *d, const struct command *c,
                             const char *text)
{
    double value;

    doubt_temperature (d, c, text);
    if (number_of (text, &value) && d->constant == 0)
        d->constant = c->line;
    if (++d->thermostats == 2)
        template_doubt (d->says, d->name, c->line,
                        "the fix '%s' is a second thermostat, and each undoes "
                        "what the other does; keep one of them",
                        word (c, 1));
}

/* From a temperature of for_each to a number. */
static void doubt_cooling (struct doubting *d, const struct command *c,
                           const char *from, const char *to)
{
    double value;

    if (begins (from, "$") && number_of (to, &value) && value <= 0)
        template_doubt (d->says, d->name, c->line,
                        "the thermostat cools from %s to %s K, so the later "
                        "half of the frames is at less than half of it; write "
                        "%s twice",
                        from, to, from);
}

static void note_mover (struct doubting *d, const struct command *c)
{
    if (!integrates (word (c, 3)))
        return;
    d->moves = true;
    if (d->mover && strcmp (d->mover, word (c, 2)) == 0)
        template_doubt (d->says, d->name, c->line,
                        "the fixes '%s' and '%s' both move the atoms of group "
                        "%s, twice in a step; remove one of them",
                        d->fix, word (c, 1), d->mover);
    free (d->mover);
    free (d->fix);
    d->mover = xstrdup (word (c, 2));
    d->fix = xstrdup (word (c, 1));
}

static void doubt_fix (struct doubting *d, const struct command *c)
{
    static const double thermostat[] = { 0.005, 20 }; /* ps */
    static const double barostat[] = { 0.02, 100 };
    static const char *const axes[] = { "iso", "aniso", "tri", "x", "y", "z" };

    note_mover (d, c);
    if (begins (word (c, 3), "langevin")) {
        d->heats = true;
        note_thermostat (d, c, word (c, 4));
        doubt_cooling (d, c, word (c, 4), word (c, 5));
        doubt_damping (d, c, word (c, 6), thermostat[0], thermostat[1]);
        doubt_seed (d, c, word (c, 7));
    }
    for (size_t i = 4; i + 3 < c->words.n; i++) {
        if (strcmp (word (c, i), "temp") == 0) {
            note_thermostat (d, c, word (c, i + 1));
            doubt_cooling (d, c, word (c, i + 1), word (c, i + 2));
            doubt_damping (d, c, word (c, i + 3), thermostat[0], thermostat[1]);
        }
        for (size_t k = 0; k < ARRAY_SIZE (axes); k++) {
            if (strcmp (word (c, i), axes[k]) != 0)
                continue;
            doubt_pressure (d, c, word (c, i + 1));
            doubt_small_pressures (d, c, word (c, i + 1));
            doubt_damping (d, c, word (c, i + 3), barostat[0], barostat[1]);
        }
    }
}

/* Those of the elements, once more, change nothing. */
static void doubt_mass (struct doubting *d, const struct command *c)
{
    static const double same = 0.01;
    double type, mass, usual;
    size_t n = 0;

    while (d->elements && d->elements[n])
        n++;
    if (number_of (word (c, 1), &type) && type >= 1 && type <= (double)n
        && number_of (word (c, 2), &mass)) {
        usual = element_mass (d->elements[(size_t)type - 1]);
        if (fabs (mass - usual) <= same * usual)
            return;
    }
    template_doubt (d->says, d->name, c->line,
                    "Fanfold writes masses, of the elements, before this line; "
                    "remove it, unless others are meant");
}

static int doubt_command (const struct command *c, void *arg, struct error *err)
{
    struct doubting *d = arg;

    (void)err;
    d->reads_others = d->reads_others || is_command (c, "include")
                      || is_command (c, "python") || is_command (c, "jump")
                      || is_command (c, "if") || is_command (c, "plugin");
    if (is_command (c, "fix"))
        doubt_fix (d, c);
    if (is_command (c, "unfix")) {
        free (d->mover);
        d->mover = NULL;
        d->thermostats = 0;
    }
    if (is_command (c, "timestep"))
        doubt_step (d, c);
    if (is_command (c, "thermo_modify"))
        doubt_lost (d, c);
    if (is_command (c, "neigh_modify"))
        doubt_neighbours (d, c);
    if (is_command (c, "velocity")) {
        d->heats = true;
        if (strcmp (word (c, 2), "create") == 0) {
            doubt_temperature (d, c, word (c, 3));
            doubt_seed (d, c, word (c, 4));
            d->varies = d->varies || begins (word (c, 3), "$");
        }
    }
    if (is_command (c, "mass"))
        doubt_mass (d, c);
    return 0;
}

void lammps_doubt_md (const char *text, const char *name,
                      const struct json *for_each, const char *const *elements,
                      struct strbuf *says)
{
    struct doubting d = {
        .name = name, .for_each = for_each, .elements = elements, .says = says
    };

    walk (text, doubt_command, &d, NULL);
    if (!d.moves && !d.reads_others)
        template_doubt (says, name, 0,
                        "no fix moves the atoms, so every frame is the start; "
                        "add fix 1 all nve, or nvt or npt");
    else if (!d.heats && !d.reads_others)
        template_doubt (says, name, 0,
                        "nothing gives the atoms velocities; add velocity all "
                        "create ${temperature} ${seed}");
    if (d.varies && d.constant > 0)
        template_doubt (says, name, d.constant,
                        "the thermostat holds a number, and velocities are "
                        "created of a variable, so all temperatures of "
                        "for_each become one; write the variable here, too");
    free (d.mover);
    free (d.fix);
}
