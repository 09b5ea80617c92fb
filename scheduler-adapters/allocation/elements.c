/* SPDX-License-Identifier: BSD-3-Clause */
/* elements.c - who has which element */
#include "base/base.h"

#include <unistd.h>

#include "allocation/allocation.h"
#include "arrays/array_job.h"
#include "base/file.h"
#include "base/hash.h"
#include "spool.h"

enum { NAME_MAX_BYTES = 4096 };

/* --- what is there --- */

static void note_name (const struct spool_job *job, struct elements *elements,
                       const char *name)
{
    char outcome[32];
    int64_t e;

    if (sscanf (name, "ended-%" SCNd64 "-%31s", &e, outcome) == 2) {
        if (e >= 0 && e < job->elements)
            elements->ended[e] = outcome_from_name (outcome);
    } else if (sscanf (name, "taken-%" SCNd64, &e) == 1) {
        if (e >= 0 && e < job->elements)
            elements->taken[e] = true;
    } else if (strncmp (name, "place-", 6) == 0) {
        strvec_push (&elements->places, name);
    }
}

int elements_read (const struct spool_job *job, struct elements *elements,
                   struct error *err)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    size_t n = (size_t)job->elements + 1;

    if (file_list_dir (job->dir, &names, err) < 0)
        return -1;
    *elements =
        (struct elements){ .ended = xcalloc (n, sizeof (*elements->ended)),
                           .taken = xcalloc (n, sizeof (*elements->taken)),
                           .places = STRVEC_INIT };
    for (size_t i = 0; i < names.n; i++)
        note_name (job, elements, names.v[i]);
    return 0;
}

void elements_release (struct elements *elements)
{
    free (elements->ended);
    free (elements->taken);
    strvec_release (&elements->places);
    *elements = (struct elements){ .places = STRVEC_INIT };
}

/* The text of a small file in a job's directory; "" where it is gone. */
static int read_small (const struct spool_job *job, const char *name,
                       struct strbuf *text, struct error *err)
{
    _cleanup_free_ char *path = path_join (job->dir, name);
    int rc = file_look (path, err);

    if (rc > 0)
        rc = file_read (path, NAME_MAX_BYTES, text, err);
    return rc < 0 ? -1 : 0;
}

/* Taken by a runner that is not there any more: it went with the job around it.
 */
static struct element_status held_by (const struct runners *runners,
                                      const char *id)
{
    const struct runner *runner = runners_find (runners, id);

    if (runner && runner->alive)
        return (struct element_status){ .state = ELEMENT_RUNNING };
    return (struct element_status){
        .state = ELEMENT_ENDED,
        .outcome = runner ? runner->cause : OUTCOME_PREEMPTED,
    };
}

/* One that was not taken. */
static struct element_status waiting (const struct spool_job *job, int64_t e)
{
    struct element_status status = { .state = ELEMENT_HELD };

    if (job->cancelled[e])
        status = (struct element_status){ .state = ELEMENT_ENDED,
                                          .outcome = OUTCOME_CANCELLED };
    else if (job->released)
        status.state = ELEMENT_QUEUED;
    return status;
}

int elements_status (struct spool_job *job, const struct elements *elements,
                     const struct runners *runners, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf id = STRBUF_INIT;
    int rc = 0;

    for (int64_t e = 0; rc == 0 && e < job->elements; e++) {
        char name[40];

        if (elements->ended[e] != OUTCOME_NONE) {
            job->status[e] =
                (struct element_status){ .state = ELEMENT_ENDED,
                                         .outcome = elements->ended[e] };
        } else if (elements->taken[e]) {
            snprintf (name, sizeof (name), "taken-%" PRId64, e);
            strbuf_reset (&id);
            rc = read_small (job, name, &id, err);
            job->status[e] = held_by (runners, id.buf);
        } else {
            job->status[e] = waiting (job, e);
        }
    }
    return rc;
}

/* --- taking --- */

int create_whole (const char *dir, const char *name, const char *text,
                  struct error *err)
{
    char random[TOKEN_LENGTH + 1];
    _cleanup_free_ char *path = path_join (dir, name);
    _cleanup_free_ char *temp = NULL;
    int rc;

    random_token (random, TOKEN_LENGTH);
    temp = xasprintf ("%s/" FILE_TEMPORARY "%s", dir, random);
    rc = file_create (temp, text, strlen (text), err);
    if (rc == 0 && link (temp, path) < 0 && !file_was_linked (temp))
        rc =
            errno == EEXIST ? 1 : error_errno (err, "cannot create '%s'", path);
    if (rc == 0)
        rc = file_sync_dir (dir, err);
    unlink (temp);
    return rc;
}

/* Is the holder of a place not there any more?  One that was not seen has begun
 * since then, or went with its set.
 */
static int holder_is_gone (const struct spool_job *job,
                           const struct runners *runners, const char *id,
                           struct error *err)
{
    const struct runner *runner = runners_find (runners, id);
    _cleanup_free_ char *path = NULL;
    int rc;

    if (runner)
        return !runner->alive;
    path = xasprintf ("%.*s/nodes/%s",
                      (int)(path_base (job->dir) - job->dir) - 1, job->dir, id);
    rc = file_look (path, err);
    return rc < 0 ? -1 : rc == 0;
}

/* The m-th use of a place has ended. */
static int is_free (const struct spool_job *job,
                    const struct elements *elements,
                    const struct runners *runners, const char *name,
                    struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    _cleanup_free_ char *given_back = xasprintf ("%s.free", name);
    char *space;
    int rc = strvec_contains (&elements->places, given_back) ? 1 : 0;

    if (rc == 0 && read_small (job, name, &text, err) < 0)
        rc = -1;
    if (rc == 0 && (space = strchr (text.buf, ' '))) {
        int64_t e = strtoll (space + 1, NULL, 10);

        *space = '\0';
        rc = e >= 0 && e < job->elements && elements->ended[e] != OUTCOME_NONE;
        if (rc == 0)
            rc = holder_is_gone (job, runners, text.buf, err);
    }
    return rc;
}

/* How often each place was used.  Caller frees. */
static int64_t *count_uses (const struct spool_job *job,
                            const struct elements *elements)
{
    int64_t *uses = xcalloc ((size_t)job->running + 1, sizeof (*uses));

    for (size_t i = 0; i < elements->places.n; i++) {
        int64_t k, m;

        if (sscanf (elements->places.v[i], "place-%" SCNd64 ".%" SCNd64, &k, &m)
                == 2
            && k >= 0 && k < job->running && m >= uses[k])
            uses[k] = m + 1;
    }
    return uses;
}

/* Is the k-th place, which was used so often, free now? */
static int is_place_free (const struct spool_job *job,
                          const struct elements *elements,
                          const struct runners *runners, int64_t k,
                          int64_t uses, struct error *err)
{
    _cleanup_free_ char *last =
        xasprintf ("place-%" PRId64 ".%" PRId64, k, uses - 1);

    return uses == 0 ? 1 : is_free (job, elements, runners, last, err);
}

/* Take the k-th place, which was used so often; *name, which the caller frees,
 * is then its use.
 */
static int take_place (const struct spool_job *job,
                       const struct elements *elements,
                       const struct runners *runners, int64_t k, int64_t uses,
                       const char *holder, char **name, struct error *err)
{
    int rc = is_place_free (job, elements, runners, k, uses, err);

    if (rc <= 0)
        return rc < 0 ? -1 : 1;
    *name = xasprintf ("place-%" PRId64 ".%" PRId64, k, uses);
    rc = create_whole (job->dir, *name, holder, err);
    if (rc != 0) {
        free (*name);
        *name = NULL;
    }
    return rc;
}

static int take_any_place (const struct spool_job *job,
                           const struct elements *elements,
                           const struct runners *runners, const char *holder,
                           char **name, struct error *err)
{
    _cleanup_free_ int64_t *uses = count_uses (job, elements);
    int rc = 1;

    for (int64_t k = 0; rc > 0 && k < job->running; k++)
        rc = take_place (job, elements, runners, k, uses[k], holder, name, err);
    return rc;
}

/* What was cancelled before it was taken does not run. */
static int was_cancelled (const struct spool_job *job, int64_t element,
                          struct error *err)
{
    _cleanup_free_ char *all = path_join (job->dir, "cancel");
    _cleanup_free_ char *one = xasprintf ("%s-%" PRId64, all, element);
    int rc = file_look (all, err);

    if (rc == 0)
        rc = file_look (one, err);
    return rc;
}

static void give_place (const struct spool_job *job, const char *name)
{
    _cleanup_free_ char *mark = xasprintf ("%s.free", name);

    spool_mark (job->dir, mark, NULL);
}

/* Could any place be taken? */
static int has_place (const struct spool_job *job,
                      const struct elements *elements,
                      const struct runners *runners, struct error *err)
{
    _cleanup_free_ int64_t *uses = count_uses (job, elements);
    int rc = job->running == 0;

    for (int64_t k = 0; rc == 0 && k < job->running; k++)
        rc = is_place_free (job, elements, runners, k, uses[k], err);
    return rc;
}

int element_find_waiting (const struct spool_job *job,
                          const struct runners *runners, int64_t *element,
                          struct error *err)
{
    _cleanup_ (elements_release) struct elements elements = { 0 };
    int rc;

    if (elements_read (job, &elements, err) < 0)
        return -1;
    for (*element = 0; *element < job->elements; ++*element) {
        if (element_is_waiting (job, &elements, *element))
            break;
    }
    if (*element == job->elements)
        return 1;
    rc = has_place (job, &elements, runners, err);
    return rc < 0 ? -1 : rc == 0;
}

bool element_is_waiting (const struct spool_job *job,
                         const struct elements *elements, int64_t element)
{
    return !elements->taken[element] && elements->ended[element] == OUTCOME_NONE
           && !job->cancelled[element];
}

int element_take (const struct spool_job *job, const struct elements *elements,
                  const struct runners *runners, int64_t element,
                  const char *id, struct error *err)
{
    _cleanup_free_ char *holder = xasprintf ("%s %" PRId64, id, element);
    _cleanup_free_ char *name = xasprintf ("taken-%" PRId64, element);
    _cleanup_free_ char *place = NULL;
    int rc = job->running > 0
                 ? take_any_place (job, elements, runners, holder, &place, err)
                 : 0;

    if (rc > 0)
        rc = NO_PLACE;
    if (rc == 0)
        rc = create_whole (job->dir, name, id, err);
    if (rc == ELEMENT_IS_TAKEN && place)
        give_place (job, place);
    if (rc == 0 && (rc = was_cancelled (job, element, err)) > 0)
        rc = element_end (job, element, OUTCOME_CANCELLED, err) < 0
                 ? -1
                 : ELEMENT_IS_TAKEN;
    return rc;
}

int element_end (const struct spool_job *job, int64_t element,
                 enum outcome outcome, struct error *err)
{
    _cleanup_free_ char *name =
        xasprintf ("ended-%" PRId64 "-%s", element, outcome_name (outcome));

    return spool_mark (job->dir, name, err);
}
