/* SPDX-License-Identifier: BSD-3-Clause */
/* journal.c - segments of decisions, chained by length and digest */
#include "base/base.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/file.h"
#include "base/json.h"
#include "engine/history/history_format.h"
#include "engine/history/journal.h"
#include "space/layout.h"
#include "space/lease.h"
#include "space/record_log.h"

/* A segment is a few kB a day; this bounds what a damaged one can cost. */
enum { SEGMENT_MAX_BYTES = 1 << 30 };

/* Room taken beforehand: that a disk is full can then still be journaled. */
enum { RESERVED_BYTES = 1 << 16 };

struct segment {
    int64_t epoch;
    uint64_t bytes; /* that count; UINT64_MAX: all whole records */
    char sha256[DIGEST_HEX_SIZE]; /* "" when bytes is UINT64_MAX */
    struct strbuf text;
    char *path;
};

struct chain { /* newest first */
    struct segment *v;
    size_t n, alloc;
};

static void chain_release (struct chain *chain)
{
    for (size_t i = 0; i < chain->n; i++) {
        strbuf_release (&chain->v[i].text);
        free (chain->v[i].path);
    }
    free (chain->v);
}

static char *segment_path (const char *dir, int64_t epoch)
{
    _cleanup_ (strbuf_release) struct strbuf relative = STRBUF_INIT;
    char *path;

    layout_journal_segment (epoch, &relative);
    path = path_join (dir, relative.buf);
    return path;
}

/* The highest segment's epoch; 0 when there is none. */
static int highest_segment (const char *dir, int64_t *epoch, struct error *err)
{
    _cleanup_free_ char *path = path_join (dir, LAYOUT_JOURNAL_DIR);
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    int64_t highest = 0;
    int there = file_look (path, err);

    /* Only what is known not to be there is not there. */
    if (there < 0 || (there > 0 && file_list_dir (path, &names, err) < 0))
        return -1;
    for (size_t i = 0; i < names.n; i++) {
        char *end;
        long long n = strtoll (names.v[i], &end, 10);

        if (*end == '\0' && n > highest)
            highest = n;
    }
    *epoch = highest;
    return 0;
}

static int keep_first (const struct json *record, void *arg, struct error *err)
{
    struct json **first = arg;

    (void)err;
    *first = json_deep_copy (record);
    return -1;
}

/* What the head of a segment says of the one before; *epoch 0: none. */
static int read_previous (const struct segment *segment,
                          struct segment *previous, struct error *err)
{
    _cleanup_json_ struct json *head = NULL;
    struct json *link;
    struct error ignored;
    uint64_t accepted = 0;
    int64_t bytes = 0;
    const char *sha256 = "";

    record_scan (segment->text.buf, segment->text.len, segment->path,
                 keep_first, &head, &accepted, &ignored);
    if (!head || strcmp (json_as_string (json_get (head, "ev")), "segment")) {
        error_set (err, "%s:1: not a journal segment", segment->path);
        return -1;
    }
    if (history_format_check (head, segment->path, err) < 0)
        return -1;
    if (!(link = json_get (head, "previous")))
        return 0;
    if (json_want_int (link, "epoch", &previous->epoch, err) < 0
        || json_want_int (link, "bytes", &bytes, err) < 0
        || json_want_string (link, "sha256", &sha256, err) < 0) {
        return error_prefix (err, "%s:1", segment->path);
    }
    previous->bytes = (uint64_t)bytes;
    strncpy (previous->sha256, sha256, DIGEST_HEX_SIZE - 1);
    return 0;
}

/* The first 'bytes' bytes must be what the next driver accepted. */
static int check_accepted (struct segment *segment, struct error *err)
{
    char hex[DIGEST_HEX_SIZE];

    if (segment->bytes == UINT64_MAX)
        return 0;
    if (segment->text.len < segment->bytes)
        return error_set (
            err, "%s: is %zu bytes long, but %" PRIu64 " were accepted",
            segment->path, segment->text.len, segment->bytes);
    strbuf_truncate (&segment->text, segment->bytes);
    digest_bytes (segment->text.buf, segment->text.len, hex);
    if (strcmp (hex, segment->sha256) != 0)
        return error_set (err, "%s: was changed after it was accepted",
                          segment->path);
    return 0;
}

/* Another host may show a segment before the one that it continues. */
static int explain_absence (const struct chain *chain, struct error *err)
{
    if (chain->n > 1 && err && err->number == ENOENT)
        error_prefix (err,
                      "%s continues a segment that does not show here; this "
                      "host may see the file system late, try again in a "
                      "minute; where it is lost for good run `fanfold recover`",
                      chain->v[chain->n - 2].path);
    return -1;
}

/* Load the chain back to segment 'until' (inclusive; 0: to the beginning). */
static int load_chain (const char *dir, int64_t until, struct chain *chain,
                       struct error *err)
{
    struct segment next = { .bytes = UINT64_MAX };

    if (highest_segment (dir, &next.epoch, err) < 0)
        return -1;
    while (next.epoch > 0 && next.epoch >= until) {
        struct segment *segment;

        chain->v =
            grow_array (chain->v, chain->n, &chain->alloc, sizeof (*chain->v));
        segment = &chain->v[chain->n++];
        *segment = next;
        strbuf_init (&segment->text);
        segment->path = segment_path (dir, segment->epoch);
        memset (&next, 0, sizeof (next));
        if (file_read (segment->path, SEGMENT_MAX_BYTES, &segment->text, err)
            < 0)
            return explain_absence (chain, err);
        if (check_accepted (segment, err) < 0
            || read_previous (segment, &next, err) < 0)
            return -1;
        if (next.epoch >= segment->epoch)
            return error_set (err, "%s:1: follows a later one", segment->path);
    }
    return 0;
}

struct reading {
    struct journal_position *position;
    int (*each) (const struct json *event, void *arg, struct error *err);
    void *arg;
    const char *path;
    bool again; /* this segment was read before, up to the position */
    struct json *head;
};

static int read_record (const struct json *record, void *arg, struct error *err)
{
    struct reading *reading = arg;
    bool is_head = strcmp (json_get_string (record, "ev"), "segment") == 0;
    int64_t n = 0;

    if (json_want_int (record, "n", &n, err) < 0)
        return error_prefix (err, "%s", reading->path);
    if (is_head) {
        json_unref (reading->head);
        reading->head = json_deep_copy (record);
    }
    if (reading->again && n <= reading->position->n)
        return 0;
    if (n != reading->position->n + 1)
        return error_set (err, "%s: event %" PRId64 " follows event %" PRId64,
                          reading->path, n, reading->position->n);
    if (!is_head && reading->each (record, reading->arg, err) < 0)
        return history_format_explain (reading->head, reading->path, err);
    reading->position->n = n;
    return 0;
}

/* What was read is no part of the journal: it was restored, or whoever wrote
 * it had lost the lease.
 */
static int off_chain (int64_t epoch, struct error *err)
{
    return error_set (err,
                      "the checkpoint continues journal segment %" PRId64
                      " where that is not part of the journal; "
                      "delete " LAYOUT_STATE_FILE " to fold the journal anew",
                      epoch);
}

static int read_segment (const struct segment *segment, struct reading *reading,
                         struct error *err)
{
    uint64_t accepted = 0;

    reading->path = segment->path;
    reading->again = segment->epoch == reading->position->epoch;
    if (record_scan (segment->text.buf, segment->text.len, segment->path,
                     read_record, reading, &accepted, err)
        < 0)
        return -1;
    if (segment->bytes != UINT64_MAX && accepted != segment->bytes)
        return error_set (err, "%s: damaged at its end", segment->path);
    if (reading->again && accepted < reading->position->bytes)
        return off_chain (segment->epoch, err);
    reading->position->epoch = segment->epoch;
    reading->position->bytes = accepted;
    return 0;
}

/* What is wrong and no failure of the machine is damage. */
static void advise (struct error *err)
{
    struct error before = ERROR_INIT;

    if (!err || error_is_machine_error (err) || strchr (err->text, '`'))
        return;
    error_copy (&before, err);
    error_set (err,
               "%s; restore it from a backup, or run `fanfold recover`, which "
               "keeps what is whole",
               before.text);
}

int journal_read (const char *dir, struct journal_position *position,
                  int (*each) (const struct json *event, void *arg,
                               struct error *err),
                  void *arg, struct error *err)
{
    struct chain chain = { 0 };
    struct journal_position at = *position;
    struct reading reading = { .position = &at, .each = each, .arg = arg };
    int rc = -1;

    if (load_chain (dir, position->epoch, &chain, err) < 0)
        goto done;
    if (position->epoch > 0
        && (chain.n == 0 || chain.v[chain.n - 1].epoch != position->epoch)) {
        off_chain (position->epoch, err);
        goto done;
    }
    for (size_t i = chain.n; i-- > 0;) {
        if (read_segment (&chain.v[i], &reading, err) < 0)
            goto done;
    }
    *position = at;
    rc = 0;
done:
    if (rc < 0)
        advise (err);
    json_unref (reading.head);
    chain_release (&chain);
    return rc;
}

bool journal_reaches (const struct journal_position *position,
                      const struct lease_mark *mark)
{
    return position->n >= mark->n && position->epoch >= mark->segment;
}

struct journal {
    char *dir;
    int64_t epoch;
    int fd; /* -1: no segment yet */
    bool broken;
    struct journal_position end;
};

struct journal *journal_open (const char *dir, int64_t epoch,
                              const struct journal_position *position)
{
    struct journal *journal = xcalloc (1, sizeof (*journal));

    journal->dir = xstrdup (dir);
    journal->epoch = epoch;
    journal->fd = -1;
    journal->end = *position;
    return journal;
}

/* Of the segment that is being made. */
static char *temporary_path (const struct journal *journal)
{
    return xasprintf ("%s/" LAYOUT_JOURNAL_DIR "/" FILE_TEMPORARY "%" PRId64,
                      journal->dir, journal->epoch);
}

void journal_close (struct journal *journal)
{
    if (!journal)
        return;
    if (journal->fd >= 0) {
        char *temp = temporary_path (journal);

        unlink (temp); /* where that was not possible at once */
        free (temp);
        /* The rest of what was reserved; it only is a waste if this fails. */
        if (!journal->broken
            && ftruncate (journal->fd, (off_t)journal->end.bytes) < 0)
            journal->broken = true;
        close (journal->fd);
    }
    free (journal->dir);
    free (journal);
}

/* What its writer, killed, had no time to sync can be read on this host, and
 * would be lost with it.
 */
static int sync_segment (const char *path, struct error *err)
{
    int fd = file_open (path, O_RDONLY, 0);
    int rc;

    if (fd < 0)
        return error_errno (err, "cannot open '%s'", path);
    rc = file_sync (fd, path, err);
    close (fd);
    return rc;
}

int journal_sync (const char *dir, const struct journal_position *position,
                  struct error *err)
{
    _cleanup_free_ char *segments = path_join (dir, LAYOUT_JOURNAL_DIR);
    _cleanup_free_ char *path = segment_path (dir, position->epoch);
    int rc = 0;

    if (position->epoch > 0 && (rc = sync_segment (path, err)) == 0)
        rc = file_sync_dir (segments, err);
    return rc;
}

/* {"epoch", "bytes", "sha256"} of the part of the last segment we read. */
static struct json *previous_link (const struct journal *journal,
                                   struct error *err)
{
    _cleanup_free_ char *path = segment_path (journal->dir, journal->end.epoch);
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    char hex[DIGEST_HEX_SIZE];
    struct json *link = NULL;

    if (file_read (path, SEGMENT_MAX_BYTES, &text, err) < 0
        || sync_segment (path, err) < 0)
        return NULL;
    if (text.len < journal->end.bytes) {
        error_set (err, "%s: became shorter while in use", path);
        return NULL;
    }
    digest_bytes (text.buf, journal->end.bytes, hex);
    link = json_object ();
    json_set (link, "epoch", json_int (journal->end.epoch));
    json_set (link, "bytes", json_int ((int64_t)journal->end.bytes));
    json_set (link, "sha256", json_string (hex));
    return link;
}

static int segment_head (const struct journal *journal, struct strbuf *line,
                         struct error *err)
{
    _cleanup_json_ struct json *head = json_object ();
    struct json *link = NULL;

    if (journal->end.epoch > 0 && !(link = previous_link (journal, err)))
        return -1;
    json_set (head, "ev", json_string ("segment"));
    history_format_set (head);
    json_set (head, "n", json_int (journal->end.n + 1));
    json_set (head, "epoch", json_int (journal->epoch));
    if (link)
        json_set (head, "previous", link);
    record_format (head, line);
    return 0;
}

/* Make our segment, whole with its head: written beside and linked. */
static int create_segment (struct journal *journal, struct error *err)
{
    char *path = segment_path (journal->dir, journal->epoch);
    char *temp = temporary_path (journal);
    struct strbuf line = STRBUF_INIT;
    int fd = -1;
    int rc = -1;

    if (journal->epoch <= journal->end.epoch) {
        error_set (err,
                   "journal segment %" PRId64 " is later than this driver's "
                   "term %" PRId64
                   ", so what it writes would be ignored; was " LAYOUT_LOCK_DIR
                   " deleted?  Make the empty file " LAYOUT_LOCK_DIR "/%" PRId64
                   ".free",
                   journal->end.epoch, journal->epoch, journal->end.epoch);
        goto done;
    }
    if (file_make_lasting_parent (path, err) < 0
        || segment_head (journal, &line, err) < 0)
        goto done;
    unlink (temp);
    if (file_create (temp, line.buf, line.len, err) != 0)
        goto done;
    if (link (temp, path) < 0 && !file_was_linked (temp)) {
        error_errno (err, "%s: cannot start a journal segment", path);
        goto done;
    }
    if ((fd = file_open (path, O_WRONLY | O_APPEND, 0)) < 0) {
        error_errno (err, "%s", path);
        goto done;
    }
    /* Not every file system can; the size stays what it is. */
    (void)fallocate (fd, FALLOC_FL_KEEP_SIZE, 0, RESERVED_BYTES);
    journal->fd = fd;
    rc = 0;
done:
    unlink (temp);
    if (rc == 0) {
        _cleanup_free_ char *dir = path_join (journal->dir, LAYOUT_JOURNAL_DIR);

        rc = file_sync_dir (dir, err);
        journal->broken = rc < 0;
    }
    if (rc == 0)
        journal->end = (struct journal_position){ journal->epoch, line.len,
                                                  journal->end.n + 1 };
    strbuf_release (&line);
    free (temp);
    free (path);
    return rc;
}

int64_t journal_next (const struct journal *journal)
{
    return journal->end.n + (journal->fd < 0 ? 2 : 1); /* the head counts */
}

int journal_append (struct journal *journal, struct json *event,
                    struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf line = STRBUF_INIT;
    _cleanup_free_ char *path = NULL;

    if (journal->broken) {
        error_set (err, "the journal could not be written before; start again");
        return -1;
    }
    if (journal->fd < 0 && create_segment (journal, err) < 0)
        return -1;
    path = segment_path (journal->dir, journal->epoch);
    json_set (event, "n", json_int (journal->end.n + 1));
    if (json_check (event, err) < 0)
        return -1;
    record_format (event, &line);
    if (file_write_all (journal->fd, line.buf, line.len, err) < 0) {
        error_prefix (err, "%s", path);
        journal->broken = ftruncate (journal->fd, (off_t)journal->end.bytes) < 0
                          || fsync (journal->fd) < 0;
        return -1;
    }
    /* A whole record may have been built on by whoever replaced us meanwhile,
     * so it stays.
     */
    if (file_sync (journal->fd, path, err) < 0) {
        error_prefix (err, "%s", path);
        journal->broken = true;
        return -1;
    }
    journal->end.bytes += line.len;
    journal->end.n++;
    return 0;
}

const struct journal_position *journal_end (const struct journal *journal)
{
    return &journal->end;
}
