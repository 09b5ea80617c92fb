/* SPDX-License-Identifier: BSD-3-Clause */
/* test_log_limit.c - logs that grow too long */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <fcntl.h>
#include <unistd.h>

#include "agent/log_limit.h"
#include "base/clock.h"
#include "temp_dir.h"

enum { LIMIT = 1 << 18 };

static int enter (void **state)
{
    struct temp_dir *dir = malloc (sizeof (*dir));

    assert_non_null (dir);
    temp_dir_enter (dir);
    *state = dir;
    return 0;
}

static int leave (void **state)
{
    temp_dir_leave (*state);
    free (*state);
    return 0;
}

static int open_log (void)
{
    int fd = file_open ("log", O_RDWR | O_CREAT | O_APPEND, 0666);

    assert_true (fd >= 0);
    return fd;
}

/* Lines of ten bytes, numbered from 'first'. */
static void append (int fd, int first, int n)
{
    struct strbuf text = STRBUF_INIT;

    for (int i = first; i < first + n; i++)
        strbuf_addf (&text, "%09d\n", i);
    assert_int_equal (file_write_all (fd, text.buf, text.len, NULL), 0);
    strbuf_release (&text);
}

static void read_log (struct strbuf *text)
{
    strbuf_reset (text);
    assert_int_equal (file_read ("log", 1 << 30, text, NULL), 0);
}

/* It begins and ends with these lines, and says how many bytes are missing so
 * that all are accounted for.
 */
static void expect_log (int first, int last, int lines)
{
    struct strbuf text = STRBUF_INIT;
    char line[11];
    const char *note;
    int64_t left_out;

    read_log (&text);
    snprintf (line, sizeof (line), "%09d\n", first);
    assert_memory_equal (text.buf, line, 10);
    snprintf (line, sizeof (line), "%09d\n", last);
    assert_memory_equal (text.buf + text.len - 10, line, 10);
    note = strstr (text.buf, "\n=== ");
    assert_non_null (note);
    assert_null (strstr (note + 1, "\n=== "));
    assert_int_equal (sscanf (note, "\n=== %" SCNd64 " bytes", &left_out), 1);
    assert_int_equal (left_out + (int64_t)text.len - 80, (int64_t)lines * 10);
    strbuf_release (&text);
}

static void test_short_logs_stay (void **state)
{
    struct log_limit log = { 0 };
    struct strbuf text = STRBUF_INIT;
    int fd = open_log ();

    (void)state;
    append (fd, 0, LIMIT / 10);
    log_limit_look (&log, fd, LIMIT);
    log_limit_finish (&log, fd, LIMIT);
    assert_int_equal (log.left_out_bytes, 0);
    read_log (&text);
    assert_int_equal (text.len, LIMIT / 10 * 10);
    assert_true (isinf (log_limit_look (&log, fd, 0)));
    strbuf_release (&text);
    close (fd);
}

static void test_head_and_tail_stay (void **state)
{
    struct log_limit log = { 0 };
    struct strbuf text = STRBUF_INIT;
    int fd = open_log ();

    (void)state;
    append (fd, 0, 100000);
    log_limit_look (&log, fd, LIMIT);
    expect_log (0, 99999, 100000);
    append (fd, 100000, 5); /* nothing to do */
    log_limit_look (&log, fd, LIMIT);
    expect_log (0, 100004, 100005);
    for (int i = 0; i < 5; i++) {
        append (fd, 100005 + i * 30000, 30000);
        log_limit_look (&log, fd, LIMIT);
    }
    append (fd, 250005, 30000);
    log_limit_finish (&log, fd, LIMIT);
    expect_log (0, 280004, 280005);
    read_log (&text);
    assert_true (text.len <= LIMIT);
    assert_true (text.len >= LIMIT / 2);
    assert_int_equal (log.left_out_bytes + (int64_t)text.len - 80, 2800050);
    strbuf_release (&text);
    close (fd);
}

/* One line without an end is cut all the same, and a task may have cut its log
 * itself.
 */
static void test_odd_logs (void **state)
{
    struct log_limit log = { 0 };
    struct strbuf text = STRBUF_INIT;
    int fd = open_log ();

    (void)state;
    for (int i = 0; i < LIMIT; i++)
        strbuf_add_str (&text, "xyz");
    assert_int_equal (file_write_all (fd, text.buf, text.len, NULL), 0);
    log_limit_look (&log, fd, LIMIT);
    assert_true (log.left_out_bytes > 2 * LIMIT);
    assert_int_equal (ftruncate (fd, 0), 0);
    append (fd, 0, 10);
    log_limit_look (&log, fd, LIMIT);
    append (fd, 10, 100000);
    log_limit_finish (&log, fd, LIMIT);
    read_log (&text);
    assert_memory_equal (text.buf, "000000000\n", 10);
    assert_memory_equal (text.buf + text.len - 10, "000100009\n", 10);
    strbuf_release (&text);
    close (fd);
}

static void test_when_to_look_again (void **state)
{
    struct log_limit log = { 0 };
    int fd = open_log ();
    double due_s = 0;

    (void)state;
    for (int i = 0; i < 20; i++)
        due_s = log_limit_look (&log, fd, LIMIT);
    assert_true (due_s > clock_mono_s () + 1); /* it is quiet */
    append (fd, 0, 20000);
    due_s = log_limit_look (&log, fd, LIMIT);
    assert_true (due_s < clock_mono_s () + 1); /* it is not */
    close (fd);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown (test_short_logs_stay, enter, leave),
        cmocka_unit_test_setup_teardown (test_head_and_tail_stay, enter, leave),
        cmocka_unit_test_setup_teardown (test_odd_logs, enter, leave),
        cmocka_unit_test_setup_teardown (test_when_to_look_again, enter, leave),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
