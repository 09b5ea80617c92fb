/* SPDX-License-Identifier: BSD-3-Clause */
/* properties_table.c - the step `collect` of lammps.properties: what the
 * members say of each crystal, side by side and beside what is known
 */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "operators/lammps/lammps.h"
#include "operators/lammps/properties.h"

/* --- one property of one crystal --- */

struct sample {
    size_t n;
    double mean, spread; /* the latter of two members and more */
};

/* Two passes: members often agree in most digits. */
static struct sample sample_of (const struct json *members)
{
    struct sample s = { 0 };
    double sum = 0;

    for (size_t i = 0; i < json_count (members); i++) {
        if (!json_is_null (json_at (members, i))) {
            sum += json_as_double (json_at (members, i));
            s.n++;
        }
    }
    s.mean = sum / (double)s.n;
    sum = 0;
    for (size_t i = 0; i < json_count (members); i++) {
        if (!json_is_null (json_at (members, i)))
            sum += pow (json_as_double (json_at (members, i)) - s.mean, 2);
    }
    s.spread = s.n > 1 ? sqrt (sum / (double)s.n) : NAN;
    return s;
}

static struct json *number_or_null (double value)
{
    return isfinite (value) ? json_real (value) : json_null ();
}

static struct json *members_of (const struct json *values, size_t first,
                                size_t n, const char *name)
{
    struct json *members = json_array ();

    for (size_t k = 0; k < n; k++) {
        struct json *value = json_get (json_at (values, first + k), name);

        json_push (members, value ? json_ref (value) : json_null ());
    }
    return members;
}

static void push_to (struct json *record, const char *key, double value)
{
    struct json *list = json_get (record, key);

    if (list && isfinite (value))
        json_push (list, json_real (value));
}

/* 'members' is taken over. */
static struct json *compare_one (const char *name, struct json *members,
                                 const struct json *known, struct json *record)
{
    struct json *one = json_object ();
    struct sample s = sample_of (members);
    double reference = json_is_number (known) ? json_as_double (known) : NAN;

    json_set (one, "unit", json_string (property_unit (name)));
    json_set (one, "mean", number_or_null (s.mean));
    json_set (one, "spread", number_or_null (s.spread));
    json_set (one, "reference", number_or_null (reference));
    json_set (one, "difference", number_or_null (s.mean - reference));
    json_set (one, "members", members);
    push_to (record, name, s.mean);
    push_to (record, "differences", fabs ((s.mean - reference) / reference));
    push_to (record, "spreads", fabs (s.spread / reference));
    return one;
}

/* --- all of them --- */

/* The name of the crystal whose tasks begin there; NULL: all failed. */
static const char *crystal_at (const struct json *crystals, size_t first,
                               size_t n)
{
    for (size_t k = 0; k < n; k++) {
        if (!json_is_null (json_at (crystals, first + k)))
            return json_as_string (json_at (crystals, first + k));
    }
    return NULL;
}

/* Born's criteria, by crystal and member. */
static void add_unstable (const struct json *members, const char *crystal,
                          struct json *unstable)
{
    for (size_t k = 0; k < json_count (members); k++) {
        const struct json *value = json_at (members, k);

        if (!json_is_null (value) && !(json_as_double (value) > 0))
            json_push (unstable, json_stringf ("%s, member %zu", crystal, k));
    }
}

static struct json *compare_crystal (const struct json *values, size_t first,
                                     size_t n_members, const char *crystal,
                                     const struct strvec *names,
                                     const struct json *known,
                                     struct json *record)
{
    struct json *all = json_object ();

    for (size_t i = 0; i < names->n; i++) {
        const char *name = names->v[i];
        struct json *members = members_of (values, first, n_members, name);

        if (strcmp (name, "least_eigenvalue") == 0)
            add_unstable (members, crystal, json_get (record, "unstable"));
        json_set (all, name,
                  compare_one (name, members, json_get (known, name), record));
    }
    return all;
}

/* How many of the known values anything can be a fraction of. */
static size_t count_known (const struct json *reference)
{
    size_t n = 0;

    JSON_FOREACH (reference, crystal) {
        JSON_FOREACH (json_iter_value (crystal), it)
            n += json_as_double (json_iter_value (it)) != 0;
    }
    return n;
}

/* What is not there for each crystal must not look as if it were good: without
 * the list a condition on it does not hold.
 */
static void drop_incomplete (struct json *record, size_t n_crystals,
                             size_t n_known, bool is_elastic)
{
    const struct port *port = lammps_properties_operator.collected;
    bool all_judged = is_elastic && json_get_int (record, "missing") == 0;

    for (; port->name; port++) {
        bool fractions = strcmp (port->name, "differences") == 0
                         || strcmp (port->name, "spreads") == 0;
        size_t expected = fractions ? n_known : n_crystals;
        bool whole =
            strcmp (port->name, "unstable") == 0
                ? all_judged
                : json_count (json_get (record, port->name)) == expected;

        if (port->type.depth == 1 && !whole)
            json_delete (record, port->name);
    }
}

void properties_compare (const struct json *crystals, const struct json *values,
                         size_t n_members, const struct strvec *names,
                         const struct json *reference, struct json *record)
{
    const struct port *port = lammps_properties_operator.collected;
    struct json *all = json_object ();
    int64_t missing = 0;

    for (; port->name; port++) {
        if (port->type.depth == 1)
            json_set (record, port->name, json_array ());
    }
    for (size_t i = 0; i < json_count (values); i++)
        missing += json_is_null (json_at (values, i));
    for (size_t i = 0; i + n_members <= json_count (values); i += n_members) {
        const char *crystal = crystal_at (crystals, i, n_members);

        if (crystal)
            json_set (all, crystal,
                      compare_crystal (values, i, n_members, crystal, names,
                                       json_get (reference, crystal), record));
    }
    json_set (record, "values", all);
    json_set (record, "missing", json_int (missing));
    drop_incomplete (record, json_count (values) / n_members,
                     count_known (reference),
                     strvec_contains (names, "least_eigenvalue"));
}

/* --- as text --- */

static void add_number (const struct json *v, struct strbuf *text)
{
    double value = json_as_double (v);

    if (json_is_null (v))
        strbuf_addf (text, " %12s", "-");
    else
        strbuf_addf (text, " %12.5f", fabs (value) < 5e-6 ? 0 : value);
}

static void add_line (const char *crystal, const char *name,
                      const struct json *one, struct strbuf *text)
{
    static const char *const columns[] = { "mean", "spread", "reference",
                                           "difference" };
    const struct json *members = json_get (one, "members");

    strbuf_addf (text, "%-16s %-18s %-8s", crystal, name,
                 json_get_string (one, "unit"));
    for (size_t i = 0; i < ARRAY_SIZE (columns); i++)
        add_number (json_get (one, columns[i]), text);
    for (size_t k = 0; k < json_count (members); k++)
        add_number (json_at (members, k), text);
    strbuf_add_char (text, '\n');
}

void properties_table (const struct json *values, struct strbuf *text)
{
    strbuf_addf (text, "%-16s %-18s %-8s %12s %12s %12s %12s %12s\n",
                 "# structure", "property", "unit", "mean", "spread",
                 "reference", "difference", "members");
    JSON_FOREACH (values, crystal) {
        JSON_FOREACH (json_iter_value (crystal), it)
            add_line (json_iter_key (crystal), json_iter_key (it),
                      json_iter_value (it), text);
    }
}

static void add_curves (const struct json *crystals, const struct json *curves,
                        size_t n_members, struct strbuf *text)
{
    strbuf_addf (text, "%-16s %6s %16s %16s\n", "# structure", "member",
                 "A^3/atom", "eV/atom");
    for (size_t i = 0; i < json_count (curves); i++) {
        const struct json *volumes = json_get (json_at (curves, i), "volume");
        const struct json *energies = json_get (json_at (curves, i), "energy");

        for (size_t k = 0; k < json_count (volumes); k++)
            strbuf_addf (text, "%-16s %6zu %16.10g %16.10g\n",
                         json_as_string (json_at (crystals, i)), i % n_members,
                         json_as_double (json_at (volumes, k)),
                         json_as_double (json_at (energies, k)));
    }
}

/* --- the step --- */

static int write_text (const struct step_task *task, const char *name,
                       const struct strbuf *text, struct error *err)
{
    const char *path;

    if (step_task_output (task, name, &path, err) < 0)
        return -1;
    return file_write_atomic (path, text->buf, text->len, err);
}

static int compare_all (const struct step_task *task,
                        const struct json *reference,
                        const struct strvec *names, struct error *err)
{
    const struct json *crystals = json_get (task->stacked, "crystal");
    size_t n_members = json_count (json_get (task->inputs, "potentials"));
    _cleanup_json_ struct json *record = json_object ();
    _cleanup_ (strbuf_release) struct strbuf table = STRBUF_INIT;
    _cleanup_ (strbuf_release) struct strbuf curves = STRBUF_INIT;

    if (n_members == 0 || json_count (crystals) % n_members != 0)
        return error_set (err, "%zu tasks are not of %zu members each",
                          json_count (crystals), n_members);
    properties_compare (crystals, json_get (task->stacked, "values"), n_members,
                        names, reference, record);
    properties_table (json_get (record, "values"), &table);
    add_curves (crystals, json_get (task->stacked, "curve"), n_members,
                &curves);
    if (write_text (task, "table", &table, err) < 0
        || write_text (task, "curves", &curves, err) < 0)
        return -1;
    return step_write ("params.json", json_ref (record), err);
}

enum step_status lammps_properties_collect (struct error *err)
{
    _cleanup_ (step_task_release) struct step_task task = STEP_TASK_INIT;
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    _cleanup_json_ struct json *reference = NULL;
    struct property_request r = PROPERTY_REQUEST_INIT;
    int rc = -1;

    if (step_task_read (NULL, &task, err) == 0
        && (reference = properties_reference (task.inputs, err))
        && property_request_read (task.inputs, &r, err) == 0) {
        property_names (&r, &names);
        rc = compare_all (&task, reference, &names, err);
    }
    property_request_release (&r);
    return rc == 0 ? STEP_OK : STEP_FAILED;
}
