/* SPDX-License-Identifier: BSD-3-Clause */
/* lease.c - one driver at a time: election by link(2), epochs that only grow */
#include "base/base.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "space/layout.h"
#include "space/lease.h"
#include "space/process_identity.h"

#define FREE_SUFFIX ".free"

/* A holder's record is shorter. */
enum { RECORD_MAX_BYTES = 4096 };

/* Writing a lock file does not take so long. */
#define STALE_S 3600

struct lease {
    char *dir;  /* .fanfold/lock, absolute */
    char *path; /* dir/<epoch> */
    int64_t epoch;
    struct lease_mark mark; /* of the holders before */
    double lease_s;
    bool after_crash;      /* the epoch before was not released */
    bool after_standstill; /* ... and its holder could not be examined */
    double beat_mono_s;
    int64_t beats;
};

/* What the lock directory says. */
struct entries {
    int64_t highest; /* 0: none */
    bool free;       /* the highest one was released */
    int64_t same;    /* how many names carry the highest number */
};

static struct json *holder_record (int64_t epoch, struct lease_mark mark)
{
    struct json *record = json_object ();

    json_set (record, "format", json_int (1));
    json_set (record, "epoch", json_int (epoch));
    json_set (record, "mark", json_int (mark.n));
    json_set (record, "segment", json_int (mark.segment));
    process_identity_write (record);
    json_set (record, "now_s", json_real (clock_wall_s ()));
    return record;
}

/* No campaign has so many drivers: a file with such a name is none of ours. */
#define EPOCH_MAX INT64_C (1000000000000)

/* "12" or "12.free" -> 12; -1 for any other name. */
static int64_t entry_epoch (const char *name, bool *is_free)
{
    char *end;
    long long epoch;

    if (name[0] < '0' || name[0] > '9')
        return -1;
    errno = 0;
    epoch = strtoll (name, &end, 10);
    *is_free = strcmp (end, FREE_SUFFIX) == 0;
    if (errno || epoch <= 0 || epoch > EPOCH_MAX || (*end != '\0' && !*is_free))
        return -1;
    return epoch;
}

static int read_entries (const char *dir, struct entries *entries,
                         struct error *err)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    struct entries found = { 0 };

    if (file_list_dir (dir, &names, err) < 0)
        return -1;
    for (size_t i = 0; i < names.n; i++) {
        bool is_free;
        int64_t epoch = entry_epoch (names.v[i], &is_free);

        if (epoch < 0 || epoch < found.highest)
            continue;
        found.same = epoch == found.highest ? found.same + 1 : 1;
        found.highest = epoch;
        found.free = is_free;
    }
    *entries = found;
    return 0;
}

/* The beat file's text, for comparing; empty before the first beat, or when it
 * is no beat.
 */
static int read_beat (const char *dir, struct strbuf *text, struct error *err)
{
    _cleanup_free_ char *path = path_join (dir, "beat");
    struct error why = ERROR_INIT;

    strbuf_reset (text);
    return file_read (path, RECORD_MAX_BYTES, text, &why) < 0
                   && error_is_machine_error (&why)
               ? error_copy (err, &why)
               : 0;
}

/* Is the file there?  1, 0, or -1 when that cannot be known.  open() rather
 * than stat(): it revalidates on NFS.
 */
static int opens (const char *path, struct error *err)
{
    int fd = file_open (path, O_RDONLY | O_NONBLOCK, 0);

    if (fd >= 0)
        close (fd);
    else if (errno != ENOENT)
        return error_errno (err, "cannot look at the lock '%s'", path);
    return fd >= 0;
}

/* Watch a holder that cannot be examined: 1 when its beat stood still for
 * lease_s (of our own clock) or its record at 'path' is gone, 0 as soon as the
 * beat moves, -1 when the beat cannot be read or *stop is set.
 */
static int stood_still (const char *dir, const char *path, double lease_s,
                        const volatile int *stop, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf first = STRBUF_INIT;
    _cleanup_ (strbuf_release) struct strbuf now = STRBUF_INIT;
    double end_s = clock_mono_s () + lease_s;
    int still = read_beat (dir, &first, err) < 0 ? -1 : 1;

    while (still > 0 && clock_mono_s () < end_s && opens (path, NULL) != 0) {
        clock_sleep (lease_s / 50, stop);
        if (stop && *stop)
            still = error_set (err, "told to stop before it was known whether "
                                    "another driver lives");
        else if (read_beat (dir, &now, err) < 0)
            still = -1;
        else
            still = now.len == first.len
                    && memcmp (now.buf, first.buf, now.len) == 0;
    }
    return still;
}

/* May a holder with this record be replaced?  Ourselves always: whoever asks
 * holds nothing, so that is a name of ours that could not be taken back.
 */
static enum lease_answer judge_record (const char *dir, const char *path,
                                       const struct json *record,
                                       double lease_s, const volatile int *stop,
                                       struct error *err)
{
    enum life life = record ? process_identity_life (record) : LIFE_ELSEWHERE;
    int still = 1;

    if (life == LIFE_ALIVE
        && json_as_int (json_get (record, "pid")) == getpid ())
        return LEASE_OK;
    if (life == LIFE_ELSEWHERE)
        still = stood_still (dir, path, lease_s, stop, err);
    if (still < 0)
        return LEASE_FAILED;
    if (life != LIFE_ALIVE && still)
        return LEASE_OK;
    error_set (err,
               "another driver holds the lock: pid %" PRId64
               " on %s; let it work, or end it there",
               json_as_int (json_get (record, "pid")),
               json_as_string (json_get (record, "host")));
    return LEASE_BUSY;
}

/* What a holder's record says of the journal. */
static struct lease_mark mark_of (const struct json *record)
{
    return (struct lease_mark){ json_get_int (record, "mark"),
                                json_get_int (record, "segment") };
}

/* The record of the holder of 'epoch', released or not.  NULL when it is gone,
 * or when it is no record, as of a file made by hand; -1 when that cannot be
 * known.
 */
static int read_record (const char *dir, int64_t epoch, bool is_free,
                        struct json **record, struct error *err)
{
    _cleanup_free_ char *path =
        xasprintf ("%s/%" PRId64 "%s", dir, epoch, is_free ? FREE_SUFFIX : "");
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    struct error why = ERROR_INIT;
    int rc = 0;

    *record = NULL;
    if (file_read (path, RECORD_MAX_BYTES, &text, &why) == 0)
        *record = json_parse (text.buf, text.len, path, NULL);
    else if (why.number != 0 && !error_is_absence (&why))
        rc = error_copy (err, &why);
    return rc;
}

/* May the holder of 'epoch' be replaced?  Also when it released it meanwhile,
 * but not when that cannot be known.
 */
static enum lease_answer judge_holder (const char *dir, int64_t epoch,
                                       double lease_s, const volatile int *stop,
                                       struct error *err)
{
    _cleanup_free_ char *path = xasprintf ("%s/%" PRId64, dir, epoch);
    _cleanup_json_ struct json *record = NULL;
    enum lease_answer answer = LEASE_FAILED;

    if (read_record (dir, epoch, false, &record, err) == 0)
        answer = judge_record (dir, path, record, lease_s, stop, err);
    return answer;
}

/* Write 'record' under a private name and link it to 'path': 0, 1 when 'path'
 * exists, -1.
 */
static int link_record (const char *dir, const char *path,
                        const struct json *record, struct error *err)
{
    char token[9];
    _cleanup_free_ char *temp = NULL;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    int rc = -1;

    random_token (token, 8);
    temp = xasprintf ("%s/" FILE_TEMPORARY "%s", dir, token);
    json_dump (record, JSON_PRETTY, &text);
    if (file_create (temp, text.buf, text.len, err) != 0)
        return -1;
    if (link (temp, path) == 0 || file_was_linked (temp))
        rc = file_sync_dir (dir, err);
    else if (errno == EEXIST)
        rc = 1;
    else
        error_errno (err, "%s: cannot make the lock", path);
    unlink (temp);
    return rc;
}

/* Remove the names of earlier epochs: an earlier holder learns of its end by
 * its own name being gone, so nothing may be done before that is so.
 */
static int remove_older (const struct lease *lease, struct error *err)
{
    struct strvec names = STRVEC_INIT;
    int rc = file_list_dir (lease->dir, &names, err);

    for (size_t i = 0; rc == 0 && i < names.n; i++) {
        bool is_free;
        int64_t epoch = entry_epoch (names.v[i], &is_free);
        char *path;

        if (epoch < 0 || epoch >= lease->epoch)
            continue;
        path = path_join (lease->dir, names.v[i]);
        if (unlink (path) < 0 && errno != ENOENT)
            rc = error_errno (err, "cannot remove the old lock '%s'", path);
        free (path);
    }
    strvec_release (&names);
    if (rc == 0)
        file_remove_temporaries (lease->dir, STALE_S);
    return rc;
}

static void lease_free (struct lease *lease)
{
    free (lease->dir);
    free (lease->path);
    free (lease);
}

/* Become the holder of 'epoch'.  A driver that listed the directory long ago
 * could link a number that was used and released meanwhile; so look again.
 */
static enum lease_answer claim_epoch (const char *dir, int64_t epoch,
                                      struct lease_mark mark, double lease_s,
                                      struct lease **out, struct error *err)
{
    struct lease *lease = xcalloc (1, sizeof (*lease));
    struct json *record = holder_record (epoch, mark);
    struct entries entries = { 0 };
    enum lease_answer answer = LEASE_FAILED;
    int rc;

    lease->dir = xstrdup (dir);
    lease->path = xasprintf ("%s/%" PRId64, dir, epoch);
    lease->epoch = epoch;
    lease->mark = mark;
    lease->lease_s = lease_s;
    if ((rc = link_record (dir, lease->path, record, err)) < 0)
        goto done;
    if (rc == 0 && read_entries (dir, &entries, err) < 0)
        goto done;
    if (rc == 1 || entries.highest != epoch || entries.same != 1) {
        error_set (err, "another driver took the lock just now");
        if (rc == 0)
            unlink (lease->path);
        answer = LEASE_BUSY;
        goto done;
    }
    if (remove_older (lease, err) < 0) {
        unlink (lease->path);
        goto done;
    }
    lease_heartbeat (lease);
    *out = lease;
    lease = NULL;
    answer = LEASE_OK;
done:
    if (lease)
        lease_free (lease);
    json_unref (record);
    return answer;
}

/* The epoch that may be claimed: after one that is free or whose holder may be
 * replaced.  Judging takes time, so what was judged must still be the highest.
 */
static enum lease_answer next_epoch (const char *dir, double lease_s,
                                     const volatile int *stop, int64_t *epoch,
                                     bool *after_crash, struct error *err)
{
    struct entries entries;
    int64_t judged = 0;

    for (;;) {
        enum lease_answer answer;

        if (read_entries (dir, &entries, err) < 0)
            return LEASE_FAILED;
        if (entries.free || entries.highest == judged)
            break;
        judged = entries.highest;
        answer = judge_holder (dir, judged, lease_s, stop, err);
        if (answer != LEASE_OK)
            return answer;
    }
    *epoch = entries.highest + 1;
    *after_crash = entries.highest > 0 && !entries.free;
    return LEASE_OK;
}

enum lease_answer lease_acquire (const char *dir, double lease_s,
                                 const volatile int *stop, struct lease **lease,
                                 struct error *err)
{
    _cleanup_free_ char *lock_dir = path_join (dir, LAYOUT_LOCK_DIR);
    struct json *before = NULL; /* who knew what was done until then */
    int64_t epoch;
    bool after_crash;
    enum lease_answer answer = LEASE_FAILED;

    if (file_make_lasting_dirs (lock_dir, err) == 0)
        answer =
            next_epoch (lock_dir, lease_s, stop, &epoch, &after_crash, err);
    if (answer == LEASE_OK
        && read_record (lock_dir, epoch - 1, !after_crash, &before, err) < 0)
        answer = LEASE_FAILED;
    if (answer == LEASE_OK)
        answer = claim_epoch (lock_dir, epoch, mark_of (before), lease_s, lease,
                              err);
    if (answer == LEASE_OK) {
        (*lease)->after_crash = after_crash;
        (*lease)->after_standstill =
            after_crash
            && (!before || process_identity_life (before) == LIFE_ELSEWHERE);
    }
    json_unref (before);
    return answer;
}

int lease_renew (const char *dir, int64_t epoch, struct error *err)
{
    struct lease renewed = { .dir = path_join (dir, LAYOUT_LOCK_DIR) };
    struct entries entries = { 0 };
    struct json *record;
    char *path;
    int rc = file_make_dirs (renewed.dir, err);

    if (rc == 0 && (rc = read_entries (renewed.dir, &entries, err)) == 0) {
        if (epoch < entries.highest)
            epoch = entries.highest;
        renewed.epoch = epoch + 1;
        path =
            xasprintf ("%s/%" PRId64 FREE_SUFFIX, renewed.dir, renewed.epoch);
        record = holder_record (renewed.epoch, (struct lease_mark){ 0 });
        rc = link_record (renewed.dir, path, record, err) < 0 ? -1 : 0;
        json_unref (record);
        free (path);
    }
    if (rc == 0)
        rc = remove_older (&renewed, err);
    free (renewed.dir);
    return rc;
}

int64_t lease_epoch (const struct lease *lease)
{
    return lease->epoch;
}

struct lease_mark lease_mark (const struct lease *lease)
{
    return lease->mark;
}

void lease_forget_mark (struct lease *lease)
{
    lease->mark = (struct lease_mark){ 0 };
}

bool lease_after_crash (const struct lease *lease)
{
    return lease->after_crash;
}

bool lease_after_standstill (const struct lease *lease)
{
    return lease->after_standstill;
}

int lease_check (const struct lease *lease, struct error *err)
{
    char *next = xasprintf ("%s/%" PRId64, lease->dir, lease->epoch + 1);
    int ours = opens (lease->path, err);
    int later = ours == 1 ? opens (next, err) : 0;

    free (next);
    if (ours < 0 || later < 0)
        return -1;
    if (ours && !later)
        return 0;
    if (!ours && file_look (lease->dir, NULL) == 0)
        return error_set (err, "'%s' is gone; was the campaign moved?",
                          lease->dir);
    return error_set (err,
                      "another driver took over while this one stood still; "
                      "this one stops here");
}

void lease_heartbeat (struct lease *lease)
{
    double now_s = clock_mono_s ();
    _cleanup_free_ char *path = NULL;
    _cleanup_json_ struct json *beat = NULL;

    if (lease->beats > 0 && now_s - lease->beat_mono_s < lease->lease_s / 6)
        return;
    lease->beat_mono_s = now_s;
    /* lost: whoever watches watches our successor */
    if (opens (lease->path, NULL) != 1)
        return;
    beat = json_object ();
    json_set (beat, "format", json_int (1));
    json_set (beat, "epoch", json_int (lease->epoch));
    json_set (beat, "beat", json_int (++lease->beats));
    path = path_join (lease->dir, "beat");
    json_write_file (path, beat, NULL);
}

/* Killed between the two steps, both names are there: that is free too. */
static void release_marked (const struct lease *lease, const char *released,
                            const struct lease_mark *mark)
{
    _cleanup_json_ struct json *record = holder_record (lease->epoch, *mark);

    if (link_record (lease->dir, released, record, NULL) == 0)
        unlink (lease->path);
}

void lease_release (struct lease *lease, const struct lease_mark *mark)
{
    _cleanup_free_ char *released = NULL;

    if (!lease)
        return;
    released = xasprintf ("%s" FREE_SUFFIX, lease->path);
    /* Never without the mark: where that cannot be left the lease stays and
     * runs out, and whoever comes then sees what we did.
     */
    if (mark && mark->n > lease->mark.n) {
        if (opens (lease->path, NULL) != 0)
            release_marked (lease, released, mark);
    } else if (rename (lease->path, released) == 0) {
        file_sync_dir (lease->dir, NULL);
    }
    lease_free (lease);
}

int lease_peek (const char *dir, struct lease_holder *holder, struct error *err)
{
    _cleanup_free_ char *lock_dir = path_join (dir, LAYOUT_LOCK_DIR);
    struct lease_holder found = { 0 };
    struct entries entries = { 0 };
    _cleanup_json_ struct json *record = NULL;
    int rc = file_look (lock_dir, err);

    if (rc > 0)
        rc = read_entries (lock_dir, &entries, err);
    if (rc == 0 && entries.highest > 0 && !entries.free)
        read_record (lock_dir, entries.highest, false, &record, NULL);
    if (record) {
        enum life life = process_identity_life (record);

        found.held = life != LIFE_DEAD;
        found.certain = life != LIFE_ELSEWHERE;
        found.epoch = entries.highest;
        found.pid = json_as_int (json_get (record, "pid"));
        snprintf (found.host, sizeof (found.host), "%s",
                  json_as_string (json_get (record, "host")));
    }
    if (rc == 0)
        *holder = found;
    return rc;
}
