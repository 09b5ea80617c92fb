/* SPDX-License-Identifier: BSD-3-Clause */
/* frames_check.c - are the frames that a campaign names what it needs? */
#include "base/base.h"

#include "base/arena.h"
#include "base/file.h"
#include "base/file_glob.h"
#include "base/heartbeat.h"
#include "campaign/data_doubts.h"
#include "campaign/field_reader.h"
#include "campaign/frames_check.h"
#include "campaign/plan.h"
#include "formats/dataset_reader.h"
#include "formats/element.h"
#include "formats/frame.h"

/* A file being read. */
struct reading {
    const struct yaml_node *node;
    const char *path; /* as the campaign calls it, or as a pattern found it */
    const char *name;
    bool labelled;
    const struct plan *plan;
    bool *has;
    int64_t atoms;  /* that are still to be looked at */
    size_t n;       /* frames read */
    bool refused;   /* a frame; what is wrong was recorded */
    double squares; /* sum of those of force components, */
    size_t components;
    struct data_doubts *doubts; /* NULL: of frames that are not judged so */
};

/* -1, since one such frame says enough. */
static int refuse (struct reading *reading, const char *what,
                   const char *remedy)
{
    field_problem (reading->node, "%s: frame %zu of '%s' %s; %s", reading->name,
                   reading->n, reading->path, what, remedy);
    reading->refused = true;
    return -1;
}

static int refuse_element (struct reading *reading, const char *symbol)
{
    _cleanup_ (strbuf_release) struct strbuf what = STRBUF_INIT;
    _cleanup_ (strbuf_release) struct strbuf remedy = STRBUF_INIT;

    if (!(element_mass (symbol) > 0)) {
        strbuf_addf (&what, "has atoms '%s', which is no chemical symbol",
                     symbol);
        refuse (reading, what.buf,
                "write the element there, or name a file "
                "without such atoms");
        return -1;
    }
    strbuf_addf (&what, "has the element '%s', which the campaign lacks",
                 symbol);
    strbuf_add_str (&remedy, "write elements: [");
    for (size_t i = 0; i < reading->plan->n_elements; i++)
        strbuf_addf (&remedy, "%s, ", reading->plan->elements[i]);
    strbuf_addf (&remedy, "%s]", symbol);
    refuse (reading, what.buf, remedy.buf);
    return -1;
}

/* Of a list with a word that is no symbol that was told, and is enough. */
static bool are_symbols (const char *const *elements, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (element_mass (elements[i]) <= 0)
            return false;
    }
    return true;
}

static int check_elements (struct reading *reading, const struct frame *frame)
{
    const struct plan *plan = reading->plan;

    if (plan->n_elements == 0
        || !are_symbols (plan->elements, plan->n_elements))
        return 0;
    for (size_t i = 0; i < frame->n_atoms; i++) {
        size_t k = 0;

        while (k < plan->n_elements
               && strcmp (plan->elements[k], frame->symbols[i]) != 0)
            k++;
        if (k == plan->n_elements)
            return refuse_element (reading, frame->symbols[i]);
        if (reading->has)
            reading->has[k] = true;
    }
    return 0;
}

static int check_labels (struct reading *reading, const struct frame *frame)
{
    static const char remedy[] = "keep the frames that have an energy and "
                                 "forces";

    if (!frame->has_energy)
        return refuse (reading, "has no energy", remedy);
    if (!frame->forces)
        return refuse (reading, "has no forces", remedy);
    reading->components += 3 * frame->n_atoms;
    for (size_t i = 0; i < 3 * frame->n_atoms; i++) {
        reading->squares += frame->forces[i] * frame->forces[i];
        if (!isfinite (frame->forces[i]))
            return refuse (reading, "has a force that is no number",
                           "remove the frame");
    }
    if (!isfinite (frame->energy))
        return refuse (reading, "has an energy that is no number",
                       "remove the frame");
    return 0;
}

/* A frame that repeats does so in a cell with a volume. */
static int check_cell (struct reading *reading, const struct frame *frame)
{
    bool repeats =
        frame->periodic[0] && frame->periodic[1] && frame->periodic[2];

    if (!repeats || fabs (frame_volume (frame)) > 0)
        return 0;
    return refuse (reading,
                   "repeats in all directions, and its cell has no "
                   "volume",
                   "give it its cell (Lattice), or pbc=\"F F F\"");
}

/* -1 also when enough was looked at. */
static int look_at_frame (const struct frame *frame, void *arg,
                          struct error *err)
{
    struct reading *reading = arg;

    (void)err;
    heartbeat_send (field_reader_of (reading->node)->heartbeat);
    if (check_elements (reading, frame) < 0 || check_cell (reading, frame) < 0
        || (reading->labelled && check_labels (reading, frame) < 0))
        return -1;
    if (reading->doubts)
        data_doubts_add (reading->doubts, frame);
    reading->n++;
    reading->atoms -= (int64_t)frame->n_atoms + 1;
    return reading->atoms > 0 ? 0 : -1;
}

/* Forces of atoms in a condensed phase are some eV/A at most, on the average;
 * 1 eV/A is 23 kcal/mol/A.
 */
static const double rms_force_most = 15;

static void check_units (const struct reading *reading)
{
    double rms = reading->components > 0
                     ? sqrt (reading->squares / (double)reading->components)
                     : 0;

    if (rms > rms_force_most)
        field_warning (reading->node,
                       "%s: the forces of '%s' are %.3g on the average (root "
                       "mean square), which is much for eV/A; convert labels "
                       "of kcal/mol or Hartree, or remove frames that are "
                       "not meant",
                       reading->name, reading->path, rms);
}

static bool is_extxyz (const char *path)
{
    const char *end = strrchr (path, '.');

    return end && (strcmp (end, ".extxyz") == 0 || strcmp (end, ".xyz") == 0);
}

/* What the reader says begins with the path as it was opened. */
static void complain_of_file (const struct reading *reading, const char *path,
                              const struct error *err)
{
    size_t len = strlen (path);
    bool named = strncmp (err->text, path, len) == 0;

    if (err->number > 0)
        field_problem (reading->node,
                       "%s: %s; make it a file that you can read",
                       reading->name, err->text);
    else
        field_problem (
            reading->node, "%s: %s%s; %s", reading->name,
            named ? reading->path : "", named ? err->text + len : err->text,
            is_extxyz (reading->path) ? "complete that frame, or remove it"
                                      : "convert it to extended XYZ");
}

/* Types of a DeePMD system are elements by their order where nothing names
 * them.
 */
static void doubt_types (const struct reading *reading, const char *path)
{
    const struct plan *plan = reading->plan;
    _cleanup_free_ char *types = path_join (path, "type.raw");
    _cleanup_free_ char *names = path_join (path, "type_map.raw");

    if (plan->n_elements > 1 && file_exists (types) && !file_exists (names))
        field_warning (reading->node,
                       "%s: no type_map.raw tells what the types of '%s' are, "
                       "so type 0 is %s and type 1 %s, as elements says; write "
                       "it there, a symbol a line",
                       reading->name, reading->path, plan->elements[0],
                       plan->elements[1]);
}

/* False after complaining, and where not all was looked at. */
static bool check_path (struct reading *reading)
{
    const struct plan *plan = reading->plan;
    _cleanup_free_ char *path =
        path_join (field_reader_of (reading->node)->dir, reading->path);
    struct error err = ERROR_INIT;
    int rc =
        dataset_read (path, (char *const *)plan->elements, plan->n_elements,
                      look_at_frame, reading, NULL, &err);

    if (rc < 0 && !reading->refused && reading->atoms > 0)
        complain_of_file (reading, path, &err);
    else if (rc == 0 && reading->n == 0)
        field_problem (reading->node,
                       "%s: '%s' has no frame; name a file that has some",
                       reading->name, reading->path);
    check_units (reading);
    if (rc == 0)
        doubt_types (reading, path);
    return rc == 0 && reading->n > 0;
}

bool frames_check (const struct yaml_node *node, const char *name,
                   bool labelled, const struct plan *plan, bool *has)
{
    struct reading reading = { .node = node,
                               .path = node->text,
                               .name = name,
                               .labelled = labelled,
                               .plan = plan,
                               .has = has,
                               .atoms = field_reader_of (node)->atoms };

    return reading.atoms > 0 && check_path (&reading);
}

/* --- data: --- */

/* The files that an item of `data:` stands for. */
static bool check_item (const struct yaml_node *item, const char *name,
                        const struct plan *plan, bool *has,
                        struct data_doubts *doubts)
{
    bool held_out = !has;
    const struct field_reader *reader = field_reader_of (item);
    _cleanup_ (strvec_release) struct strvec paths = STRVEC_INIT;
    bool whole = reader->atoms > 0 && item->kind == YAML_SCALAR
                 && file_glob (reader->dir, item->text, &paths, NULL) == 0;

    for (size_t i = 0; i < paths.n; i++) {
        struct reading reading = { .node = item,
                                   .path = paths.v[i],
                                   .name = name,
                                   .labelled = true,
                                   .plan = plan,
                                   .has = has,
                                   .atoms = reader->atoms,
                                   .doubts = doubts };

        data_doubts_begin_file (
            doubts, item, name,
            arena_printf (field_arena (item), "%s", paths.v[i]), held_out);
        whole = check_path (&reading) && whole;
        data_doubts_end_file (doubts);
    }
    return whole;
}

static bool check_list (const struct yaml_node *list, const struct plan *plan,
                        bool *has, struct data_doubts *doubts)
{
    bool whole = list && list->kind == YAML_SEQUENCE && list->n > 0;
    size_t n = list && list->kind == YAML_SEQUENCE ? list->n : 0;

    for (size_t i = 0; i < n; i++) {
        const struct yaml_node *item = list->items[i];
        const char *name =
            arena_printf (field_arena (item), "data.%s", yaml_name (list));

        whole = check_item (item, name, plan, has, doubts) && whole;
    }
    return whole;
}

void frames_check_data (const struct yaml_node *data,
                        const struct yaml_node *elements, const char *periodic,
                        const struct plan *plan)
{
    bool *has = arena_array (plan->arena, plan->n_elements + 1, sizeof (*has));
    struct data_doubts doubts = DATA_DOUBTS_INIT;
    bool whole;

    doubts.periodic = periodic;
    whole = check_list (field_find (data, "initial"), plan, has, &doubts);
    check_list (field_find (data, "held_out"), plan, NULL, &doubts);
    data_doubts_finish (&doubts);
    data_doubts_release (&doubts);
    for (size_t i = 0; whole && i < plan->n_elements; i++) {
        if (!has[i])
            field_warning (elements->items[i],
                           "no initial data have the element '%s'; add some, "
                           "or remove it",
                           plan->elements[i]);
    }
}
