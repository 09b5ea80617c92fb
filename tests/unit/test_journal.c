/* SPDX-License-Identifier: BSD-3-Clause */
/* test_journal.c - decisions survive torn tails, deposed drivers, full disks */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "engine/history/journal.h"
#include "in_temp_dir.h"
#include "space/record_log.h"
#include "fsync_calls.h"

#define SEGMENTS ".fanfold/journal"

static struct journal *begin (int64_t epoch,
                              const struct journal_position *position)
{
    return journal_open (dir.path, epoch, position);
}

static int try_append (struct journal *journal, int value, struct error *err)
{
    struct json *event = json_object ();
    int rc;

    json_set (event, "ev", json_string ("test"));
    json_set (event, "value", json_int (value));
    rc = journal_append (journal, event, err);
    json_unref (event);
    return rc;
}

static void append (struct journal *journal, int value)
{
    struct error err = ERROR_INIT;

    if (try_append (journal, value, &err) < 0)
        fail_msg ("%s", err.text);
}

static int hear (const struct json *event, void *arg, struct error *err)
{
    (void)err;
    strbuf_addf (arg, "%s%" PRId64, ((struct strbuf *)arg)->len ? " " : "",
                 json_as_int (json_get (event, "value")));
    return 0;
}

/* What is read from '*position' on must be 'values', "1 2 3". */
static void expect_read (struct journal_position *position, const char *values)
{
    struct strbuf heard = STRBUF_INIT;
    struct error err = ERROR_INIT;

    if (journal_read (dir.path, position, hear, &heard, &err) < 0)
        fail_msg ("%s", err.text);
    assert_string_equal (heard.buf, values);
    strbuf_release (&heard);
}

static void expect_all (const char *values)
{
    struct journal_position position = { 0 };

    expect_read (&position, values);
}

static void expect_unreadable (struct journal_position position,
                               const char *message)
{
    const struct journal_position before = position;
    struct strbuf heard = STRBUF_INIT;
    struct error err = ERROR_INIT;

    assert_int_equal (journal_read (dir.path, &position, hear, &heard, &err),
                      -1);
    if (!strstr (err.text, message))
        fail_msg ("'%s' does not say '%s'", err.text, message);
    assert_memory_equal (&position, &before, sizeof (before));
    strbuf_release (&heard);
}

/* Append 'first' .. 'last' as driver 'epoch', from what can be read. */
static void drive (int64_t epoch, int first, int last)
{
    struct journal_position position = { 0 };
    struct strbuf heard = STRBUF_INIT;
    struct journal *journal;

    assert_int_equal (journal_read (dir.path, &position, hear, &heard, NULL),
                      0);
    journal = begin (epoch, &position);
    for (int value = first; value <= last; value++)
        append (journal, value);
    journal_close (journal);
    strbuf_release (&heard);
}

static void read_segment (int64_t epoch, struct strbuf *text)
{
    char path[64];

    snprintf (path, sizeof (path), SEGMENTS "/%06" PRId64, epoch);
    assert_int_equal (file_read (path, 1 << 20, text, NULL), 0);
}

static void write_segment (int64_t epoch, const char *bytes, size_t len)
{
    char path[64];
    struct error err = ERROR_INIT;

    snprintf (path, sizeof (path), SEGMENTS "/%06" PRId64, epoch);
    assert_int_equal (file_make_dirs (SEGMENTS, NULL), 0);
    if (file_write_atomic (path, bytes, len, &err) < 0)
        fail_msg ("%s", err.text);
}

/* --- appending and reading --- */

static void test_absent_is_empty (void **state)
{
    struct journal_position position = { 0 };

    (void)state;
    expect_read (&position, "");
    assert_int_equal (position.epoch, 0);
    journal_close (begin (1, &position));
    assert_false (file_exists (SEGMENTS)); /* nothing decided, no segment */
    journal_close (NULL);
}

static void test_positions (void **state)
{
    struct journal_position position = { 0 };
    struct journal_position seen[13] = { { 0 } };
    int n = 0;

    (void)state;
    for (int64_t epoch = 1; epoch <= 9; epoch += 4) {
        struct journal *journal = begin (epoch, &position);

        for (int i = 0; i < 4; i++) {
            append (journal, n++);
            seen[n] = *journal_end (journal);
        }
        journal_close (journal);
        expect_read (&position, epoch == 1   ? "0 1 2 3"
                                : epoch == 5 ? "4 5 6 7"
                                             : "8 9 10 11");
        assert_memory_equal (&position, &seen[n], sizeof (position));
        assert_int_equal (position.epoch, epoch);
        assert_int_equal (position.n, n + epoch / 4 + 1); /* heads count too */
    }
    expect_all ("0 1 2 3 4 5 6 7 8 9 10 11");
    for (int at = 0; at <= 12; at++) { /* a checkpoint after any event */
        struct strbuf rest = STRBUF_INIT;

        for (int value = at; value < 12; value++)
            strbuf_addf (&rest, "%s%d", value > at ? " " : "", value);
        expect_read (&seen[at], rest.buf);
        assert_memory_equal (&seen[at], &position, sizeof (position));
        strbuf_release (&rest);
    }
}

static int refuse (const struct json *event, void *arg, struct error *err)
{
    if (json_as_int (json_get (event, "value")) < 2)
        return 0;
    *(int *)arg += 1;
    return error_set (err, "does not fit");
}

static void test_reader_refuses (void **state)
{
    struct journal_position position = { 0 };
    struct error err = ERROR_INIT;
    int calls = 0;

    (void)state;
    drive (1, 0, 3);
    assert_int_equal (journal_read (dir.path, &position, refuse, &calls, &err),
                      -1);
    assert_int_equal (calls, 1);
    assert_non_null (strstr (err.text, "does not fit"));
    assert_int_equal (position.n, 0);
}

/* --- torn and damaged --- */

static void test_torn_tail (void **state)
{
    struct strbuf text = STRBUF_INIT;
    size_t last;

    (void)state;
    drive (1, 0, 2);
    read_segment (1, &text);
    for (last = text.len - 1; text.buf[last - 1] != '\n'; last--)
        ;
    for (size_t len = last; len < text.len; len++) {
        write_segment (1, text.buf, len);
        expect_all ("0 1");
        drive (2, 7, 7); /* goes on after what is whole */
        expect_all ("0 1 7");
        assert_int_equal (unlink (SEGMENTS "/000002"), 0);
    }
    for (size_t at = last; at < text.len; at++) { /* or written as garbage */
        text.buf[at] ^= 0x20;
        write_segment (1, text.buf, text.len);
        expect_all ("0 1");
        text.buf[at] ^= 0x20;
    }
    strbuf_release (&text);
}

static void test_damage_in_the_middle (void **state)
{
    const struct journal_position start = { 0 };
    struct strbuf text = STRBUF_INIT;
    size_t first = 0, end;

    (void)state;
    drive (1, 0, 4);
    read_segment (1, &text);
    for (int line = 1; line < 3; line++)
        first += strcspn (text.buf + first, "\n") + 1;
    end = first + strcspn (text.buf + first, "\n");
    for (size_t at = first; at <= end; at++) {
        text.buf[at] ^= 0x01;
        write_segment (1, text.buf, text.len);
        expect_unreadable (start, SEGMENTS "/000001:3: ");
        text.buf[at] ^= 0x01;
    }
    strbuf_release (&text);
}

static void test_no_journal_segment (void **state)
{
    static const char *const texts[] = { "", "hello\n", "{\"ev\":\"test\"}\n" };
    const struct journal_position start = { 0 };
    struct strbuf line = STRBUF_INIT;
    struct json *record = json_object ();

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (texts); i++) {
        write_segment (1, texts[i], strlen (texts[i]));
        expect_unreadable (start, "000001:1: not a journal segment");
    }
    json_set (record, "ev", json_string ("segment"));
    json_set (record, "format", json_int (1));
    record_format (record, &line);
    write_segment (1, line.buf, line.len);
    expect_unreadable (start, "key 'n'");
    json_set (record, "n", json_int (2));
    strbuf_reset (&line);
    record_format (record, &line);
    write_segment (1, line.buf, line.len);
    expect_unreadable (start, "event 2 follows event 0");
    json_unref (record);
    strbuf_release (&line);
}

static void test_other_names_are_no_segments (void **state)
{
    (void)state;
    drive (3, 0, 1);
    write_text (SEGMENTS "/000009.new", "half of a head");
    write_text (SEGMENTS "/README", "");
    write_text (SEGMENTS "/-4", "");
    expect_all ("0 1");
}

/* --- the chain --- */

static void test_deposed_driver (void **state)
{
    struct journal_position start = { 0 };
    struct journal *deposed = begin (1, &start);
    struct journal *idle;
    struct journal *holder;
    struct journal_position position = { 0 };

    (void)state;
    append (deposed, 0);
    append (deposed, 1);
    expect_read (&position, "0 1");
    idle = begin (2, &position); /* never decided anything in its term */
    holder = begin (4, &position);
    append (holder, 2);
    append (deposed, 90); /* beyond what was accepted */
    append (idle, 91);    /* a segment nobody follows */
    append (idle, 92);
    append (holder, 3);
    expect_all ("0 1 2 3");
    expect_read (&position, "2 3");
    journal_close (deposed);
    journal_close (idle);
    journal_close (holder);
    drive (5, 4, 4);
    expect_all ("0 1 2 3 4");
    expect_read (&position, "4");
}

/* Who read more of a segment than its successor accepted must not go on from
 * there.
 */
static void test_position_off_the_chain (void **state)
{
    struct journal_position start = { 0 };
    struct journal_position accepted = { 0 };
    struct journal_position beyond = { 0 };
    struct journal *deposed = begin (1, &start);
    struct journal *holder;

    (void)state;
    append (deposed, 0);
    expect_read (&accepted, "0");
    append (deposed, 90);
    append (deposed, 91);
    expect_read (&beyond, "0 90 91");
    holder = begin (2, &accepted);
    append (holder, 1);
    expect_unreadable (beyond, "where that is not part of the journal");
    append (holder, 2);
    append (holder, 3);
    append (holder, 4);
    expect_unreadable (beyond, "where that is not part of the journal");
    expect_read (&accepted, "1 2 3 4");
    accepted.epoch = 7;
    expect_unreadable (accepted, "journal segment 7");
    accepted.epoch = 1;
    journal_close (deposed);
    journal_close (holder);
    assert_int_equal (file_remove_tree (SEGMENTS, NULL, NULL), 0);
    expect_unreadable (accepted, "journal segment 1");
}

static void test_accepted_part_was_changed (void **state)
{
    const struct journal_position start = { 0 };
    struct strbuf text = STRBUF_INIT;

    (void)state;
    drive (1, 0, 2);
    drive (2, 3, 4);
    read_segment (1, &text);
    for (size_t at = 0; at < text.len; at++) {
        text.buf[at] ^= 0x01;
        write_segment (1, text.buf, text.len);
        expect_unreadable (start, "000001: was changed after it was accepted");
        text.buf[at] ^= 0x01;
    }
    write_segment (1, text.buf, text.len - 1);
    expect_unreadable (start, "000001: is ");
    assert_int_equal (unlink (SEGMENTS "/000001"), 0);
    expect_unreadable (start, "000002 continues a segment that does not show");
    strbuf_release (&text);
}

static void test_term_before_the_last (void **state)
{
    struct journal_position position = { 0 };
    struct journal *journal;
    struct error err = ERROR_INIT;

    (void)state;
    drive (3, 0, 1);
    expect_read (&position, "0 1");
    for (int64_t epoch = 1; epoch <= 3; epoch++) {
        journal = begin (epoch, &position);
        assert_int_equal (try_append (journal, 2, &err), -1);
        assert_non_null (strstr (err.text, ".fanfold/lock/3.free"));
        journal_close (journal);
    }
    expect_all ("0 1");
}

static void test_segment_exists (void **state)
{
    struct journal_position start = { 0 };
    struct journal *one = begin (1, &start);
    struct journal *other = begin (1, &start);

    (void)state;
    append (one, 0);
    assert_int_equal (try_append (other, 90, NULL), -1);
    append (one, 1);
    expect_all ("0 1");
    journal_close (one);
    journal_close (other);
}

/* Its head says that it continues itself. */
static void test_segment_that_continues_itself (void **state)
{
    static const char head[] =
        "{\"ev\":\"segment\",\"format\":1,\"n\":1,\"epoch\":1,"
        "\"previous\":{\"epoch\":1,\"bytes\":0,\"sha256\":\"\"}}";
    struct json *record = json_parse (head, strlen (head), "head", NULL);
    struct strbuf line = STRBUF_INIT;

    (void)state;
    record_format (record, &line);
    write_segment (1, line.buf, line.len);
    expect_unreadable ((struct journal_position){ 0 },
                       SEGMENTS "/000001:1: follows a later one");
    json_unref (record);
    strbuf_release (&line);
}

/* --- what lasts --- */

static void test_events_last (void **state)
{
    struct journal_position start = { 0 };
    struct journal *journal = begin (1, &start);

    (void)state;
    fsync_watch (SEGMENTS "/000001");
    append (journal, 0);
    assert_true (fsync_watched.name_lasts);
    assert_int_equal (fsync_watched.times, 1);
    append (journal, 1);
    assert_int_equal (fsync_watched.times, 2);
    journal_close (journal);
}

/* The name that a segment was made by, where it could not be removed at once.
 */
static void test_no_name_is_left (void **state)
{
    struct journal_position start = { 0 };
    struct journal *journal = begin (1, &start);

    (void)state;
    append (journal, 0);
    assert_int_equal (link (SEGMENTS "/000001", SEGMENTS "/.tmp-1"), 0);
    journal_close (journal);
    assert_false (file_exists (SEGMENTS "/.tmp-1"));
    assert_true (file_exists (SEGMENTS "/000001"));
}

/* Whoever wrote it may have been killed before it was synced. */
static void test_what_is_continued_lasts (void **state)
{
    (void)state;
    drive (1, 0, 0);
    fsync_watch (SEGMENTS "/000001");
    drive (2, 1, 1);
    assert_int_equal (fsync_watched.times, 1);
}

/* Events in a segment whose name may be lost do not count. */
static void test_directory_that_cannot_be_synced (void **state)
{
    struct journal_position start = { 0 };
    struct journal *journal = begin (1, &start);
    struct error err = ERROR_INIT;

    (void)state;
    fsync_watch (SEGMENTS "/000001");
    fsync_watched.name_fails = true;
    assert_int_equal (try_append (journal, 90, &err), -1);
    fsync_watched.name_fails = false;
    assert_int_equal (journal_end (journal)->n, 0);
    assert_int_equal (try_append (journal, 91, &err), -1);
    assert_non_null (strstr (err.text, "start again"));
    journal_close (journal);
    expect_all ("");
    drive (2, 0, 0);
    expect_all ("0");
}

/* Another driver, which took over meanwhile, may have built on it: it is not
 * taken back.
 */
static void test_event_that_cannot_be_synced (void **state)
{
    struct journal_position start = { 0 };
    struct journal *journal = begin (1, &start);
    struct error err = ERROR_INIT;

    (void)state;
    append (journal, 0);
    fsync_watch (SEGMENTS "/000001");
    fsync_watched.fails = true;
    assert_int_equal (try_append (journal, 1, &err), -1);
    fsync_watched.fails = false;
    expect_all ("0 1");
    assert_int_equal (try_append (journal, 91, &err), -1);
    assert_non_null (strstr (err.text, "start again"));
    drive (2, 2, 2);
    journal_close (journal);
    expect_all ("0 1 2");
}

/* --- a disk that is full --- */

static void limit_file_size (rlim_t bytes)
{
    struct rlimit limit;

    assert_int_equal (getrlimit (RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
    assert_int_equal (setrlimit (RLIMIT_FSIZE, &limit), 0);
}

static void test_short_write (void **state)
{
    struct journal_position start = { 0 };
    struct journal *journal = begin (1, &start);
    struct journal_position end;
    void (*before) (int) = signal (SIGXFSZ, SIG_IGN);

    (void)state;
    append (journal, 0);
    end = *journal_end (journal);
    for (rlim_t room = 0; room < 20; room++) {
        struct error err = ERROR_INIT;
        int rc;

        limit_file_size (end.bytes + room);
        rc = try_append (journal, 90, &err);
        limit_file_size (RLIM_INFINITY);
        assert_int_equal (rc, -1);
        assert_non_null (strstr (err.text, SEGMENTS "/000001"));
        assert_memory_equal (journal_end (journal), &end, sizeof (end));
        expect_all ("0");
    }
    append (journal, 1);
    expect_all ("0 1");
    journal_close (journal);
    signal (SIGXFSZ, before);
}

/* The descriptor through which the journal writes its segment. */
static int segment_fd (void)
{
    struct stat wanted;

    assert_int_equal (stat (SEGMENTS "/000001", &wanted), 0);
    for (int fd = 3; fd < 64; fd++) {
        struct stat st;

        if (fstat (fd, &st) == 0 && st.st_ino == wanted.st_ino
            && st.st_dev == wanted.st_dev)
            return fd;
    }
    fail_msg ("no descriptor");
    return -1;
}

static void test_refuses_when_it_cannot_clean_up (void **state)
{
    struct journal_position start = { 0 };
    struct journal *journal = begin (1, &start);
    struct error err = ERROR_INIT;
    int fd, kept, readable;

    (void)state;
    append (journal, 0);
    fd = segment_fd ();
    kept = dup (fd);
    readable = open (SEGMENTS "/000001", O_RDONLY);
    assert_true (kept >= 0 && readable >= 0);
    assert_int_equal (dup2 (readable, fd), fd);
    assert_int_equal (try_append (journal, 90, &err), -1);
    assert_int_equal (dup2 (kept, fd), fd); /* writable again, but too late */
    assert_int_equal (try_append (journal, 91, &err), -1);
    assert_non_null (strstr (err.text, "start again"));
    journal_close (journal);
    close (kept);
    close (readable);
    expect_all ("0");
    drive (2, 1, 1);
    expect_all ("0 1");
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown (test_absent_is_empty, enter, leave),
        cmocka_unit_test_setup_teardown (test_positions, enter, leave),
        cmocka_unit_test_setup_teardown (test_reader_refuses, enter, leave),
        cmocka_unit_test_setup_teardown (test_torn_tail, enter, leave),
        cmocka_unit_test_setup_teardown (test_damage_in_the_middle, enter,
                                         leave),
        cmocka_unit_test_setup_teardown (test_no_journal_segment, enter, leave),
        cmocka_unit_test_setup_teardown (test_other_names_are_no_segments,
                                         enter, leave),
        cmocka_unit_test_setup_teardown (test_deposed_driver, enter, leave),
        cmocka_unit_test_setup_teardown (test_position_off_the_chain, enter,
                                         leave),
        cmocka_unit_test_setup_teardown (test_accepted_part_was_changed, enter,
                                         leave),
        cmocka_unit_test_setup_teardown (test_term_before_the_last, enter,
                                         leave),
        cmocka_unit_test_setup_teardown (test_segment_exists, enter, leave),
        cmocka_unit_test_setup_teardown (test_segment_that_continues_itself,
                                         enter, leave),
        cmocka_unit_test_setup_teardown (test_events_last, enter, leave),
        cmocka_unit_test_setup_teardown (test_no_name_is_left, enter, leave),
        cmocka_unit_test_setup_teardown (test_what_is_continued_lasts, enter,
                                         leave),
        cmocka_unit_test_setup_teardown (test_directory_that_cannot_be_synced,
                                         enter, leave),
        cmocka_unit_test_setup_teardown (test_event_that_cannot_be_synced,
                                         enter, leave),
        cmocka_unit_test_setup_teardown (test_short_write, enter, leave),
        cmocka_unit_test_setup_teardown (test_refuses_when_it_cannot_clean_up,
                                         enter, leave),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
