/* SPDX-License-Identifier: BSD-3-Clause */
/* test_group_pieces.c - of groups: lines, reports, parameters, placeholders */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <netinet/in.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "group/lines.h"
#include "group/order.h"
#include "group/params.h"
#include "group/port.h"
#include "group/report.h"
#include "group/values.h"
#include "handover/group_file.h"
#include "handover/records.h"
#include "in_temp_dir.h"
#include "quoted_json.h"

/* --- lines --- */

/* Pieces are separated by '|'. */
static void test_lines (void **state)
{
    static const struct {
        const char *pieces, *told, *last;
    } cases[] = {
        { "one\ntwo\n", "a: one\na: two\n", "two" },
        { "o|ne\nt|w|o\n", "a: one\na: two\n", "two" },
        { "one", "a: one\n", "one" },
        { "one\n\n  \n", "a: one\na: \na:   \n", "one" },
        { "\ttab\r\n", "a: \ttab\r\n", " tab" },
        { "", "", "" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct strbuf out = STRBUF_INIT;
        struct lines lines;

        lines_init (&lines, "a");
        for (const char *p = cases[i].pieces; *p; p += *p == '|') {
            size_t len = strcspn (p, "|");

            lines_feed (&lines, p, len, &out);
            p += len;
        }
        lines_finish (&lines, &out);
        assert_string_equal (out.buf, cases[i].told);
        assert_string_equal (lines.last, cases[i].last);
        lines_release (&lines);
        strbuf_release (&out);
    }
}

static void test_long_line (void **state)
{
    struct strbuf out = STRBUF_INIT, text = STRBUF_INIT;
    struct lines lines;

    (void)state;
    for (int i = 0; i < LINE_MAX_BYTES + 5; i++)
        strbuf_add_char (&text, 'x');
    lines_init (&lines, "a");
    lines_feed (&lines, text.buf, text.len, &out);
    assert_int_equal (out.len, LINE_MAX_BYTES + 4);
    lines_finish (&lines, &out);
    assert_string_equal (out.buf + LINE_MAX_BYTES + 4, "a: xxxxx\n");
    assert_int_equal (strlen (lines.last), 5);
    lines_release (&lines);
    strbuf_release (&text);
    strbuf_release (&out);
}

/* --- reports --- */

static void test_report_parse (void **state)
{
    static const struct {
        const char *text, *message; /* NULL: it is one */
    } cases[] = {
        { "{}", NULL },
        { "{\"step\": 3}\n", NULL },
        { "", "printed no JSON object" },
        { "step 3", "printed no JSON object" },
        { "{} {}", "printed no JSON object" },
        { "[1]", "printed an array, not an object" },
    };
    struct strbuf text = STRBUF_INIT;
    struct error err;

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct json *v =
            report_parse (cases[i].text, strlen (cases[i].text), &err);

        assert_int_equal (v != NULL, cases[i].message == NULL);
        if (!v)
            assert_non_null (strstr (err.text, cases[i].message));
        json_unref (v);
    }
    strbuf_add_str (&text, "{}");
    while (text.len <= GROUP_REPORT_MAX)
        strbuf_add_char (&text, ' ');
    assert_null (report_parse (text.buf, text.len, &err));
    assert_string_equal (err.text, "printed more than 4096 bytes");
    strbuf_release (&text);
}

static void test_thin (void **state)
{
    static const struct {
        const char *text, *thin;
    } cases[] = {
        { "", "" },
        { "1\n", "1\n" },
        { "1\n2\n", "2\n" },
        { "1\n2\n3\n", "1\n3\n" },
        { "1\n2\n3\n4\n", "2\n4\n" },
        { "1\n2\n3\ntorn", "1\n3\n" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct strbuf out = STRBUF_INIT;

        records_thin (cases[i].text, &out);
        assert_string_equal (out.buf, cases[i].thin);
        strbuf_release (&out);
    }
}

/* The file stays within its limit, begins with an early record, ends with the
 * newest, and is whole lines.
 */
static void test_records (void **state)
{
    struct records records = RECORDS_INIT;
    struct json *report = json_object ();
    struct strbuf text = STRBUF_INIT;
    char filler[2001];
    const char *last;

    (void)state;
    memset (filler, 'x', sizeof (filler) - 1);
    filler[sizeof (filler) - 1] = '\0';
    json_set (report, "filler", json_string (filler));
    for (int i = 0; i < 1500; i++) {
        json_set (report, "i", json_int (i));
        assert_int_equal (records_add (&records, "local", report, i, NULL), 0);
    }
    assert_int_equal (json_get_int (json_get (records.last, "local"), "i"),
                      1499);
    assert_int_equal (
        file_read (GROUP_REPORTS_FILE, GROUP_REPORTS_MAX, &text, NULL), 0);
    assert_true (text.len > GROUP_REPORTS_MAX / 3);
    assert_int_equal (text.buf[text.len - 1], '\n');
    strbuf_truncate (&text, text.len - 1);
    last = strrchr (text.buf, '\n');
    assert_non_null (strstr (last, "\"i\":1499}"));
    assert_non_null (strstr (last, "\"name\":\"local\""));
    *strchr (text.buf, '\n') = '\0';
    assert_true (atoi (strstr (text.buf, "\"i\":") + 4) < 16);
    records_release (&records);
    json_unref (report);
    strbuf_release (&text);
}

/* --- parameters --- */

static const struct group_program programs[] = {
    { .name = "d",
      .node = "local",
      .instances = 1,
      .needs = { .ranks = 1, .cores = 2, .nodes = 1 } },
    { .name = "f",
      .node = "far",
      .instances = 2,
      .needs = { .ranks = 4, .cores = 8, .gpus = 1, .nodes = 1 } },
};
static const char *const nodes[] = { "local", "far", NULL };
static const struct group_spec group = { .nodes = nodes,
                                         .programs = programs,
                                         .n_programs = 2 };

static void write_quoted (const char *path, const char *text)
{
    char *copy = xstrdup (text);

    for (char *p = copy; *p; p++)
        *p = *p == '\'' ? '"' : *p;
    write_text (path, copy);
    free (copy);
}

static void test_params (void **state)
{
    static const struct {
        const char *files[6]; /* name, text, name, text ... */
        const char *joined;   /* NULL: there is no params.json */
        const char *message;  /* NULL: fine */
    } cases[] = {
        { { NULL }, NULL, NULL },
        { { "params.d.json", "{'a':1}" }, "{'a':1}", NULL },
        { { "params.d.json", "{'a':1}", "params.f.1.json", "{'b':[2]}" },
          "{'a':1,'b':[2]}",
          NULL },
        { { "params.node.far.json", "{'n':1}", "params.f.json", "{'p':2}",
            "params.f.0.json", "{'i':3}" },
          "{'n':1,'p':2,'i':3}",
          NULL },
        { { "params.json", "{'a':1}" }, "{'a':1}", NULL },
        { { "params.json", "{'a':1}", "params.d.json", "{'b':2}" },
          "{'a':1,'b':2}",
          NULL },
        { { "params.d.json", "{'a':1}", "params.f.0.json", "{'a':1}" },
          NULL,
          "parameter 'a' was written by 'local/d' and by 'far/f:0'" },
        { { "params.f.0.json", "{'a':1}", "params.f.1.json", "{'a':2}" },
          NULL,
          "parameter 'a' was written by 'far/f:0' and by 'far/f:1'" },
        { { "params.f.1.json", "[]" },
          NULL,
          "'far/f:1' wrote an array into 'params.f.1.json', not an object" },
        { { "params.d.json", "{" }, NULL, "params.d.json:1:" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct error err = ERROR_INIT;
        enum params_joined rc;
        struct json *v;

        for (size_t k = 0; k < 6 && cases[i].files[k]; k += 2) {
            write_quoted (cases[i].files[k], cases[i].files[k + 1]);
        }
        rc = params_join (&group, &err);
        assert_int_equal (rc, cases[i].message ? PARAMS_BAD : PARAMS_OK);
        if (cases[i].message)
            assert_non_null (strstr (err.text, cases[i].message));
        v = json_read_file ("params.json", NULL);
        assert_int_equal (v != NULL, cases[i].joined != NULL);
        if (v)
            assert_json (v, cases[i].joined);
        json_unref (v);
        for (size_t k = 0; k < 6 && cases[i].files[k]; k += 2)
            unlink (cases[i].files[k]);
        unlink ("params.json");
    }
}

/* What the machine refuses is no fault of the program that wrote the file. */
static void test_params_that_cannot_be_read (void **state)
{
    struct rlimit files, none;
    struct error err = ERROR_INIT;
    enum params_joined rc;

    (void)state;
    write_text ("params.d.json", "{}");
    assert_int_equal (getrlimit (RLIMIT_NOFILE, &files), 0);
    none = files;
    none.rlim_cur = 0;
    assert_int_equal (setrlimit (RLIMIT_NOFILE, &none), 0);
    rc = params_join (&group, &err);
    assert_int_equal (setrlimit (RLIMIT_NOFILE, &files), 0);
    assert_int_equal (rc, PARAMS_FAILED);
    assert_non_null (strstr (err.text, "params.d.json"));
    unlink ("params.d.json");
}

/* --- placeholders --- */

static void expect_values_in (const struct group_spec *of, size_t part,
                              const char *keys, const char *expected)
{
    static const char *const launcher[] = { "mpirun", "-n", "{ranks}", NULL };
    const struct group_file file = {
        .group = *of,
        .values = json_of ("{'seed':7,'outputs.params':'params.json'}"),
        .needs = { .ranks = 2, .cores = 32, .gpus = 4, .nodes = 2 },
        .launcher = launcher,
    };
    const struct meeting_point meeting = { "10.0.0.1", 20007 };
    struct json *hosts = json_of ("['n1','n2']");
    struct json *shown = json_object ();
    struct strvec words = STRVEC_INIT;
    struct json *v;
    size_t n;
    struct part *parts = group_parts (of, &n);

    v = part_values (&file, &parts[part], "/w", hosts, &meeting, NULL);
    assert_non_null (v);
    strvec_split (&words, keys, " ");
    for (size_t i = 0; i < words.n; i++)
        json_set (shown, words.v[i], json_ref (json_get (v, words.v[i])));
    assert_json (shown, expected);
    strvec_release (&words);
    json_unref (shown);
    json_unref (v);
    json_unref (hosts);
    json_unref (file.values);
    free (parts);
}

static void expect_values (size_t part, const char *keys, const char *expected)
{
    expect_values_in (&group, part, keys, expected);
}

/* A command that has a report has all that the task has. */
static void test_values_of_a_command (void **state)
{
    static const struct group_program command = { .name = "command",
                                                  .node = "local",
                                                  .instances = 1 };
    static const char *const local[] = { "local", NULL };
    const struct group_spec alone = { .nodes = local,
                                      .programs = &command,
                                      .n_programs = 1 };

    (void)state;
    for (size_t part = 0; part < 3; part++)
        expect_values_in (&alone, part, "cores ranks nodes gpus launcher",
                          "{'cores':32,'ranks':2,'nodes':2,'gpus':4,"
                          "'launcher':['mpirun','-n','2']}");
}

static void test_values (void **state)
{
    (void)state;
    expect_values (0, "seed cores ranks gpus launcher outputs.params workspace",
                   "{'seed':7,'cores':16,'ranks':1,'gpus':2,'launcher':[],"
                   "'outputs.params':'params.node.local.json',"
                   "'workspace':'/w'}");
    expect_values (
        2, "cores instances outputs.params hosts hosts.far address port",
        "{'cores':2,'instances':1,'outputs.params':'params.d.json',"
        "'hosts':['n1','n2'],'hosts.far':'n2','address':'10.0.0.1','port':"
        "20007}");
    expect_values (4, "cores instances instance outputs.params",
                   "{'cores':2,'instances':1,'instance':0,"
                   "'outputs.params':'params.d.json'}");
    expect_values (6, "cores ranks cores_per_rank gpus nodes launcher instance",
                   "{'cores':8,'ranks':4,'cores_per_rank':2,'gpus':1,"
                   "'nodes':1,'launcher':['mpirun','-n','4'],'instance':1}");
    expect_values (6, "instances outputs.params",
                   "{'instances':2,'outputs.params':'params.f.1.json'}");
}

/* Names that nodes had before are hosts, too. */
static void test_values_of_folded_nodes (void **state)
{
    static const char *const folded_nodes[] = { "near", "local", "away", "far",
                                                NULL };
    struct group_spec folded = group;

    (void)state;
    folded.folded = folded_nodes;
    expect_values_in (&folded, 0, "hosts.local hosts.far hosts.near hosts.away",
                      "{'hosts.local':'n1','hosts.far':'n2','hosts.near':'n1',"
                      "'hosts.away':'n2'}");
}

/* --- ports --- */

/* In place of the C library's: where a port is looked for first. */
static uint32_t drawn;

ssize_t getrandom (void *bytes, size_t n, unsigned flags)
{
    if (n != sizeof (drawn))
        return syscall (SYS_getrandom, bytes, n, flags);
    memcpy (bytes, &drawn, n);
    return (ssize_t)n;
}

enum { PORTS = 200 };

/* As many as one owns are different, though all are looked for at one place. */
static void test_ports (void **state)
{
    int fds[PORTS], ports[PORTS];

    (void)state;
    drawn = (uint32_t)getpid () * PORTS;
    for (size_t i = 0; i < PORTS; i++) {
        ports[i] = port_take (&fds[i], NULL);
        assert_in_range (ports[i], PORT_FIRST, PORT_FIRST + PORT_COUNT - 1);
        for (size_t j = 0; j < i; j++)
            assert_int_not_equal (ports[i], ports[j]);
    }
    for (size_t i = 0; i < PORTS; i++)
        close (fds[i]);
}

/* Where a stranger listens nobody of ours is sent. */
static void test_port_of_a_stranger (void **state)
{
    struct sockaddr_in here = { .sin_family = AF_INET,
                                .sin_addr.s_addr = htonl (INADDR_LOOPBACK) };
    int listener = socket (AF_INET, SOCK_STREAM, 0), fd, port;

    (void)state;
    drawn = (uint32_t)getpid () * PORTS;
    port = port_take (&fd, NULL);
    here.sin_port = htons ((uint16_t)port);
    assert_int_equal (bind (listener, (struct sockaddr *)&here, sizeof (here)),
                      0);
    assert_int_equal (listen (listener, 1), 0);
    assert_false (port_is_free (port));
    close (fd);
    assert_int_not_equal (port_take (&fd, NULL), port);
    close (fd);
    close (listener);
    assert_true (port_is_free (port));
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_lines),
        cmocka_unit_test (test_long_line),
        cmocka_unit_test (test_report_parse),
        cmocka_unit_test (test_thin),
        cmocka_unit_test (test_records),
        cmocka_unit_test (test_params),
        cmocka_unit_test (test_params_that_cannot_be_read),
        cmocka_unit_test (test_values),
        cmocka_unit_test (test_values_of_folded_nodes),
        cmocka_unit_test (test_values_of_a_command),
        cmocka_unit_test (test_ports),
        cmocka_unit_test (test_port_of_a_stranger),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, enter, leave);
}
