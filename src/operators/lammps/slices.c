/* SPDX-License-Identifier: BSD-3-Clause */
/* slices.c - the tasks of lammps.explore: systems x variables x replicas */
#include "config.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "operators/lammps/lammps.h"

/* Far beyond what a scheduler takes: more is a slip of the pen. */
enum { MOST_TASKS = 1000000, LONGEST_NAME = 200 };

/* The name of a system becomes the name of a file of frames. */
static int check_system_name (const char *name, struct error *err)
{
    const char *at = name;

    while (isalnum ((unsigned char)*at)
           || (at > name && *at && strchr ("_-.", *at)))
        at++;
    if (at > name && *at == '\0' && at - name <= LONGEST_NAME)
        return 0;
    return error_set (err,
                      "systems: '%.100s' is no good as a name; use up to %d "
                      "letters, digits, '_', '-' and '.', a letter or digit "
                      "first",
                      name, LONGEST_NAME);
}

int lammps_check_systems (const struct json *systems, struct error *err)
{
    if (json_count (systems) == 0)
        return error_set (err, "systems: name at least one data file");
    JSON_FOREACH (systems, it) {
        if (check_system_name (json_iter_key (it), err) < 0)
            return -1;
        if (json_kind (json_iter_value (it)) != JSON_KIND_STRING)
            return error_set (err, "systems.%s: expected a path, got %s",
                              json_iter_key (it),
                              json_kind_name (json_iter_value (it)));
    }
    return 0;
}

static int check_value (const char *name,
                        size_t i,
                        const struct json *value,
                        struct error *err)
{
    enum json_kind kind = json_kind (value);

    if (kind != JSON_KIND_INT && kind != JSON_KIND_REAL)
        return error_set (err, "for_each.%s[%zu]: expected a number, got %s",
                          name, i, json_kind_name (value));
    if (strcmp (name, "scale") == 0 && !(json_as_double (value) > 0))
        return error_set (err, "for_each.scale[%zu]: %g is not positive", i,
                          json_as_double (value));
    return 0;
}

static int check_values (const char *name,
                         const struct json *values,
                         struct error *err)
{
    if (lammps_check_variable (name, err) < 0)
        return -1;
    if (json_kind (values) != JSON_KIND_ARRAY || json_count (values) == 0)
        return error_set (err, "for_each.%s: expected a list of numbers", name);
    for (size_t i = 0; i < json_count (values); i++) {
        if (check_value (name, i, json_at (values, i), err) < 0)
            return -1;
    }
    return 0;
}

int64_t lammps_count_combinations (const struct json *for_each,
                                   struct error *err)
{
    int64_t n = 1;

    JSON_FOREACH (for_each, it) {
        if (check_values (json_iter_key (it), json_iter_value (it), err) < 0)
            return -1;
        n *= (int64_t)json_count (json_iter_value (it));
        if (n > MOST_TASKS)
            return error_set (err, "for_each makes more than %d tasks",
                              MOST_TASKS);
    }
    return n;
}

/* Combination number 'index' of 'total'; the last variable varies fastest. */
static struct json *combination (const struct json *for_each,
                                 int64_t index,
                                 int64_t total)
{
    struct json *chosen = json_object ();

    JSON_FOREACH (for_each, it) {
        struct json *values = json_iter_value (it);

        total /= (int64_t)json_count (values);
        json_set (chosen, json_iter_key (it),
                  json_ref (json_at (values, (size_t)(index / total))));
        index %= total;
    }
    return chosen;
}

static void add_slices (const char *system,
                        const struct json *for_each,
                        int64_t combinations,
                        int64_t replicas,
                        struct json *slices)
{
    for (int64_t i = 0; i < combinations; i++) {
        struct json *chosen = combination (for_each, i, combinations);

        for (int64_t r = 0; r < replicas; r++) {
            json_push (json_get (slices, "system"), json_string (system));
            json_push (json_get (slices, "variables"), json_ref (chosen));
        }
        json_unref (chosen);
    }
}

int64_t lammps_count_tasks (size_t n_systems,
                            int64_t combinations,
                            int64_t replicas,
                            struct error *err)
{
    if (replicas > MOST_TASKS / combinations / (int64_t)n_systems)
        return error_set (err,
                          "%zu systems, %" PRId64 " combinations and %" PRId64
                          " replicas make more than %d tasks",
                          n_systems, combinations, replicas, MOST_TASKS);
    return replicas * combinations * (int64_t)n_systems;
}

struct json *lammps_slices (const struct json *systems,
                            const struct json *for_each,
                            int64_t replicas,
                            struct error *err)
{
    struct json *slices;
    int64_t combinations;

    if (lammps_check_systems (systems, err) < 0)
        return NULL;
    combinations = lammps_count_combinations (for_each, err);
    if (combinations < 0
        || lammps_count_tasks (json_count (systems), combinations, replicas,
                               err)
               < 0)
        return NULL;
    slices = json_object ();
    json_set (slices, "system", json_array ());
    json_set (slices, "variables", json_array ());
    JSON_FOREACH (systems, it)
        add_slices (json_iter_key (it), for_each, combinations, replicas,
                    slices);
    return slices;
}
