/* SPDX-License-Identifier: BSD-3-Clause */
/* recovery.c - a journal that is damaged, or whose end is lost, made whole */
#include "base/base.h"

#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "engine/history/engine.h"
#include "engine/history/events.h"
#include "engine/history/generations.h"
#include "engine/history/history_format.h"
#include "engine/history/journal.h"
#include "engine/history/recovery.h"
#include "engine/history/state.h"
#include "space/layout.h"
#include "space/lease.h"
#include "space/record_log.h"

enum { SEGMENT_MAX_BYTES = 1 << 30 };

void recovery_release (struct recovery *recovery)
{
    strvec_release (&recovery->jobs);
    strvec_release (&recovery->moved);
    free (recovery->kept);
}

/* --- what is there --- */

struct segment {
    int64_t epoch;
    char *path;
    struct strbuf text;
    struct json *head; /* NULL: damaged */
    uint64_t bytes;    /* that count; UINT64_MAX: all of it */
    bool off;          /* whoever wrote it had lost the lease */
};

struct salvage {
    struct segment *v; /* by epoch */
    size_t n_segments, alloc;
    struct json *events; /* in order */
    struct state state;
    int64_t n;                     /* number of the last event that stays */
    bool over;                     /* what follows cannot be told */
    const struct segment *foreign; /* of another version, with an event that
                                      this one does not understand, */
    struct error why;              /* which this names */
};

static void salvage_release (struct salvage *s)
{
    for (size_t i = 0; i < s->n_segments; i++) {
        free (s->v[i].path);
        strbuf_release (&s->v[i].text);
        json_unref (s->v[i].head);
    }
    free (s->v);
    json_unref (s->events);
    state_release (&s->state);
}

static int compare_segments (const void *a, const void *b)
{
    const struct segment *x = a, *y = b;

    return (x->epoch > y->epoch) - (x->epoch < y->epoch);
}

static int keep_record (const struct json *record, void *arg, struct error *err)
{
    (void)err;
    *(struct json **)arg = json_deep_copy (record);
    return 0;
}

/* The record that is the line; NULL: it is none that is whole. */
static struct json *line_record (const char *line, size_t len)
{
    struct json *record = NULL;
    uint64_t accepted;

    record_scan (line, len, "", keep_record, &record, &accepted, NULL);
    return record;
}

/* How long the line is with its line break; 0: it has none. */
static size_t line_length (const char *text, size_t len)
{
    const char *end = len > 0 ? memchr (text, '\n', len) : NULL;

    return end ? (size_t)(end - text) + 1 : 0;
}

/* The segment of that name, where it is one that can be read. */
static void take_segment (const char *journal, const char *name,
                          struct salvage *s)
{
    struct segment segment = { .bytes = UINT64_MAX };
    char *end;

    segment.epoch = strtoll (name, &end, 10);
    if (*end != '\0' || segment.epoch <= 0)
        return;
    segment.path = path_join (journal, name);
    if (file_read (segment.path, SEGMENT_MAX_BYTES, &segment.text, NULL) < 0) {
        free (segment.path);
        return;
    }
    segment.head = line_record (
        segment.text.buf, line_length (segment.text.buf, segment.text.len));
    s->v = grow_array (s->v, s->n_segments, &s->alloc, sizeof (*s->v));
    s->v[s->n_segments++] = segment;
}

/* Segments that are there and can be read: of this format, or none. */
static int read_segments (const char *journal, struct salvage *s,
                          struct error *err)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    struct error why = ERROR_INIT;

    if (file_list_dir (journal, &names, &why) < 0 && !error_is_absence (&why))
        return error_copy (err, &why);
    for (size_t i = 0; i < names.n; i++)
        take_segment (journal, names.v[i], s);
    for (size_t i = 0; i < s->n_segments; i++) {
        if (s->v[i].head
            && history_format_check (s->v[i].head, s->v[i].path, err) < 0)
            return -1;
    }
    if (s->n_segments > 0)
        qsort (s->v, s->n_segments, sizeof (*s->v), compare_segments);
    return 0;
}

/* What a segment's head says of those before it. */
static void take_link (struct salvage *s, size_t number)
{
    const struct json *link = json_get (s->v[number].head, "previous");

    for (size_t i = 0; link && i < number; i++) {
        if (s->v[i].epoch > json_get_int (link, "epoch"))
            s->v[i].off = true;
        else if (s->v[i].epoch == json_get_int (link, "epoch"))
            s->v[i].bytes = (uint64_t)json_get_int (link, "bytes");
    }
}

/* An event that follows the last one, and fits what is known. */
static void take_event (struct salvage *s, const struct segment *segment,
                        struct json *event)
{
    struct error why = ERROR_INIT;
    int64_t n = json_get_int (event, "n");
    bool head = strcmp (json_get_string (event, "ev"), "segment") == 0;

    if (n <= s->n)
        return;
    if (n != s->n + 1) {
        s->over = true;
        return;
    }
    if (!head && state_apply (&s->state, event, &why) < 0) {
        s->over = true;
        if (segment->head && !history_format_is_ours (segment->head)) {
            s->foreign = segment;
            s->why = why;
        }
        return;
    }
    s->n = n;
    if (!head)
        json_push (s->events, json_ref (event));
}

static void take_events (struct salvage *s, const struct segment *segment)
{
    const char *text = segment->text.buf;
    size_t left = segment->text.len, len;

    if (left > segment->bytes)
        left = (size_t)segment->bytes;
    for (; !s->over && (len = line_length (text, left)) > 0;
         text += len, left -= len) {
        _cleanup_json_ struct json *event = line_record (text, len);

        if (event)
            take_event (s, segment, event);
    }
}

/* Nothing is lost of what this version does not understand. */
static int take_all (struct salvage *s, struct error *err)
{
    s->over = false;
    for (size_t i = 0; i < s->n_segments; i++) {
        if (!s->v[i].off)
            take_events (s, &s->v[i]);
    }
    if (!s->foreign)
        return 0;
    error_copy (err, &s->why);
    return history_format_explain (s->foreign->head, s->foreign->path, err);
}

static int salvage (const char *journal, struct salvage *s, struct error *err)
{
    s->events = json_array ();
    if (read_segments (journal, s, err) < 0)
        return -1;
    for (size_t i = s->n_segments; i-- > 0;) {
        if (!s->v[i].off)
            take_link (s, i);
    }
    return take_all (s, err);
}

/* 0: there is none. */
static int64_t newest_segment (const struct salvage *s)
{
    return s->n_segments > 0 ? s->v[s->n_segments - 1].epoch : 0;
}

/* '*newer' becomes the state in state.json where that knows more events, or a
 * segment that is gone; else NULL.
 */
static int newer_state (const char *dir, const struct salvage *s,
                        struct journal_position *at, struct json **newer,
                        struct error *err)
{
    _cleanup_free_ char *path = path_join (dir, LAYOUT_STATE_FILE);
    _cleanup_json_ struct json *file = json_read_file (path, NULL);
    const struct json *journal = json_get (file, "journal");
    _cleanup_ (state_release) struct state state = STATE_INIT;

    at->n = json_get_int (journal, "n");
    at->epoch = json_get_int (journal, "epoch");
    if (at->n <= s->n && at->epoch <= newest_segment (s))
        return 0;
    if (!history_format_is_ours (file)) {
        error_set (err, "the state knows more than what is left of the "
                        "journal");
        return history_format_explain (file, path, err);
    }
    if (state_from_json (json_get (file, "state"), &state, NULL) == 0)
        *newer = json_ref (json_get (file, "state"));
    return 0;
}

/* The event in place of those that are lost. */
static void add_recovered (struct salvage *s, const struct recovery *recovery,
                           struct json *newer, int generation)
{
    struct json *event = event_new ("recovered", clock_wall_s ());

    json_set (event, "why",
              json_stringf ("the journal was damaged or cut; as it was it is "
                            "in %s",
                            recovery->kept));
    if (newer)
        json_set (event, "state", newer);
    if (generation > 0)
        json_set (event, "generation", json_int (generation));
    json_push (s->events, event);
}

/* Go on from state.json, with what follows it in the journal: nothing of the
 * segments before, which went on only where a driver had lost the lease.
 */
static int go_on (struct salvage *s, const struct recovery *recovery,
                  struct json *newer, const struct journal_position *at,
                  struct error *err)
{
    state_release (&s->state);
    s->state = (struct state)STATE_INIT;
    if (state_from_json (newer, &s->state, err) < 0)
        return -1;
    add_recovered (s, recovery, json_ref (newer), 0);
    s->n = at->n;
    for (size_t i = 0; i < s->n_segments; i++)
        s->v[i].off = s->v[i].off || s->v[i].epoch < at->epoch;
    return take_all (s, err);
}

static int look (const struct json *event, void *arg, struct error *err)
{
    return state_apply (arg, event, err);
}

/* Is all of the journal there and whole? */
static bool is_whole (const char *dir, struct lease_mark mark)
{
    struct journal_position position = { 0 };
    _cleanup_ (state_release) struct state state = STATE_INIT;

    return journal_read (dir, &position, look, &state, NULL) == 0
           && journal_reaches (&position, &mark);
}

/* --- attempts of which nothing is known --- */

static bool is_number (const char *name)
{
    return *name && name[strspn (name, "0123456789")] == '\0';
}

static bool is_known (const struct state *state, int generation,
                      const char *attempt)
{
    for (size_t i = 0; i < state->n_iterations; i++) {
        const struct iteration_state *it = &state->iterations[i];

        for (size_t k = 0; k < it->n_stages; k++) {
            if (it->stages[k].generation == generation)
                return (size_t)atoi (attempt) < it->stages[k].n_attempts;
        }
    }
    return false;
}

static void note_jobs (const char *attempt, struct recovery *recovery)
{
    _cleanup_ (strvec_release) struct strvec chunks = STRVEC_INIT;

    file_list_dir (attempt, &chunks, NULL);
    for (size_t i = 0; i < chunks.n; i++) {
        _cleanup_free_ char *path =
            xasprintf ("%s/%s/" LAYOUT_SUBMISSION, attempt, chunks.v[i]);
        _cleanup_json_ struct json *submission = json_read_file (path, NULL);

        if (json_get (submission, "id"))
            strvec_push (&recovery->jobs, json_get_string (submission, "id"));
    }
}

/* Of one generation: 'relative' is the directory of its run files. */
static int move_unknown (const char *dir, const char *relative, int generation,
                         int64_t epoch, const struct state *state,
                         struct recovery *recovery, struct error *err)
{
    _cleanup_free_ char *run = path_join (dir, relative);
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    int rc = 0;

    file_list_dir (run, &names, NULL);
    for (size_t i = 0; rc == 0 && i < names.n; i++) {
        _cleanup_free_ char *from = path_join (run, names.v[i]);
        _cleanup_free_ char *to =
            xasprintf ("%s/lost-%" PRId64 "-%s", relative, epoch, names.v[i]);
        _cleanup_free_ char *target = path_join (dir, to);

        if (is_number (names.v[i])
            && !is_known (state, generation, names.v[i])) {
            note_jobs (from, recovery);
            rc = file_rename (from, target, err);
            strvec_push (&recovery->moved, to);
        }
    }
    return rc;
}

static int move_unknown_attempts (const char *dir, int64_t epoch,
                                  const struct state *state,
                                  struct recovery *recovery, struct error *err)
{
    _cleanup_free_ char *run = path_join (dir, LAYOUT_RUN_DIR);
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    int rc = 0;

    file_list_dir (run, &names, NULL);
    for (size_t i = 0; rc == 0 && i < names.n; i++) {
        _cleanup_free_ char *relative = path_join (LAYOUT_RUN_DIR, names.v[i]);

        if (is_number (names.v[i]))
            rc = move_unknown (dir, relative, atoi (names.v[i]), epoch, state,
                               recovery, err);
    }
    return rc;
}

/* --- the journal anew --- */

static void add_record (struct json *record, int64_t n, struct strbuf *text)
{
    json_set (record, "n", json_int (n));
    record_format (record, text);
}

/* One segment of all; returns the number of its last event. */
static int64_t journal_text (const struct salvage *s, int64_t epoch,
                             struct strbuf *text)
{
    _cleanup_json_ struct json *head = json_object ();
    int64_t n = 1;

    json_set (head, "ev", json_string ("segment"));
    history_format_set (head);
    json_set (head, "epoch", json_int (epoch));
    add_record (head, n, text);
    for (size_t i = 0; i < json_count (s->events); i++)
        add_record (json_at (s->events, i), ++n, text);
    return n;
}

/* Other names of the former segments, before they lose theirs. */
static int keep_former (const char *journal, const char *kept,
                        struct error *err)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    int rc = file_look (journal, err);

    if (rc > 0)
        rc = file_make_dirs (kept, err) < 0
                     || file_list_dir (journal, &names, err) < 0
                 ? -1
                 : 0;
    for (size_t i = 0; rc == 0 && i < names.n; i++) {
        _cleanup_free_ char *from = path_join (journal, names.v[i]);
        _cleanup_free_ char *to = path_join (kept, names.v[i]);

        if (link (from, to) < 0 && !file_exists (to))
            rc = error_errno (err, "cannot keep '%s'", from);
    }
    return rc;
}

static int replace_journal (const char *dir, int64_t epoch, const char *kept,
                            const struct strbuf *text, struct error *err)
{
    _cleanup_free_ char *journal = path_join (dir, LAYOUT_JOURNAL_DIR);
    _cleanup_free_ char *made = path_join (dir, LAYOUT_JOURNAL_DIR ".new");
    _cleanup_free_ char *former = path_join (dir, kept);
    char *segment = xasprintf ("%s/%" PRId64, made, epoch);
    _cleanup_ (strbuf_release) struct strbuf relative = STRBUF_INIT;
    int rc = -1;

    layout_journal_segment (epoch, &relative);
    free (segment);
    segment = path_join (made, path_base (relative.buf));
    if (keep_former (journal, former, err) == 0
        && file_remove_tree (made, NULL, err) == 0
        && file_make_dirs (made, err) == 0
        && file_write_atomic (segment, text->buf, text->len, err) == 0
        && file_swap_tree (made, journal, NULL, err) == 0)
        rc = file_remove_tree (made, NULL, err);
    free (segment);
    return rc;
}

/* --- all of it --- */

/* What was there when the last driver gave the lease back. */
static void note_lost (const struct salvage *s, struct lease_mark mark,
                       struct recovery *recovery)
{
    recovery->lost = mark.n > s->n ? mark.n - s->n : 0;
    recovery->segment = mark.segment > newest_segment (s) ? mark.segment : 0;
}

static int recover (const char *dir, struct lease *lease,
                    struct lease_mark *mark, struct recovery *recovery,
                    struct error *err)
{
    _cleanup_free_ char *journal = path_join (dir, LAYOUT_JOURNAL_DIR);
    _cleanup_free_ char *checkpoint = path_join (dir, LAYOUT_STATE_FILE);
    _cleanup_ (salvage_release) struct salvage s = { .state = STATE_INIT };
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    _cleanup_json_ struct json *newer = NULL;
    struct journal_position at = { 0 };
    int rc = salvage (journal, &s, err);

    if (rc < 0 || newer_state (dir, &s, &at, &newer, err) < 0)
        return -1;
    recovery->by_state = newer != NULL;
    recovery->events = (int64_t)json_count (s.events);
    recovery->kept =
        xasprintf (LAYOUT_JOURNAL_DIR ".before-%" PRId64, lease_epoch (lease));
    if (newer && (rc = go_on (&s, recovery, newer, &at, err)) < 0)
        return rc;
    note_lost (&s, lease_mark (lease), recovery);
    add_recovered (&s, recovery, NULL, generations_scan (dir));
    mark->n = journal_text (&s, lease_epoch (lease), &text);
    mark->segment = lease_epoch (lease);
    rc = move_unknown_attempts (dir, lease_epoch (lease), &s.state, recovery,
                                err);
    if (rc == 0)
        rc = replace_journal (dir, lease_epoch (lease), recovery->kept, &text,
                              err);
    if (rc == 0)
        unlink (checkpoint);
    return rc;
}

int campaign_recover (const char *dir, const volatile int *stop,
                      struct recovery *recovery, struct error *err)
{
    struct lease *lease = NULL;
    enum lease_answer answer =
        lease_acquire (dir, engine_lease_s (), stop, &lease, err);
    struct lease_mark mark = { 0 };
    int rc = 0;

    if (answer != LEASE_OK)
        return answer == LEASE_BUSY ? 1 : -1;
    recovery->needed = !is_whole (dir, lease_mark (lease));
    if (recovery->needed
        && (rc = recover (dir, lease, &mark, recovery, err)) == 0)
        lease_forget_mark (lease);
    lease_release (lease, rc == 0 ? &mark : NULL);
    return rc;
}
