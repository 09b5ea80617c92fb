/* SPDX-License-Identifier: BSD-3-Clause */
/* test_script.c - scripts, their variables, and containers */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <sys/stat.h>

#include "base/environment.h"
#include "base/file.h"
#include "base/json.h"
#include "handover/script_run.h"
#include "quoted_json.h"
#include "signature/container.h"
#include "signature/operator.h"
#include "signature/script.h"
#include "signature/template.h"
#include "temp_dir.h"

/* --- the text --- */

static void test_interpreter (void **state)
{
    static const struct {
        const char *text, *program; /* NULL: none */
        bool shell;
        const char *words;
    } rows[] = {
        { "echo\n", NULL, true, "['bash','-euo','pipefail','./script']" },
        { "# !/bin/sh\n", NULL, true, "['bash','-euo','pipefail','./script']" },
        { "#!/bin/sh\necho\n", "/bin/sh", true, "['./script']" },
        { "#!/usr/bin/env -S bash -x\n", "/usr/bin/env", true, "['./script']" },
        { "#!/usr/bin/env python3\nprint(1)", "/usr/bin/env", false,
          "['./script']" },
        { "#! /usr/bin/perl -w", "/usr/bin/perl", false, "['./script']" },
        { "#!", NULL, false, "['./script']" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        char *program = script_interpreter (rows[i].text);
        struct json *words = script_words (rows[i].text, "script");

        if (rows[i].program)
            assert_string_equal (program, rows[i].program);
        else
            assert_null (program);
        assert_int_equal (script_is_shell (rows[i].text), rows[i].shell);
        assert_json (words, rows[i].words);
        json_unref (words);
        free (program);
    }
}

static void test_file_text (void **state)
{
    struct strbuf text = STRBUF_INIT;

    (void)state;
    /* Lines keep their numbers. */
    script_file_text ("one\ntwo", &text);
    assert_non_null (strstr (text.buf, "ERR; one\ntwo\n"));
    assert_null (memchr (text.buf, '\n', text.len - strlen ("one\ntwo\n")));
    strbuf_reset (&text);
    script_file_text ("#!/bin/sh\none\n", &text);
    assert_string_equal (text.buf, "#!/bin/sh\none\n");
    strbuf_release (&text);
    assert_string_equal (script_failure ("=== line 3: a b"), "line 3: a b");
    assert_null (script_failure ("== line 3"));
}

static void test_campaign_paths (void **state)
{
    static const char text[] =
        "bash $campaign/a.sh \"${campaign}/b c/d\" "
        "'$campaign/e-1_2'; $campaign/ "
        "$campaigns/x campaign/y \"$campaign\"/f.sh $campaign";
    struct strvec paths = STRVEC_INIT;

    (void)state;
    script_campaign_paths (text, &paths);
    strvec_sort (&paths);
    assert_int_equal (paths.n, 4);
    assert_string_equal (paths.v[3], "f.sh");
    assert_string_equal (paths.v[0], "a.sh");
    assert_string_equal (paths.v[1], "b");
    assert_string_equal (paths.v[2], "e-1_2");
    strvec_release (&paths);
}

/* --- variables --- */

static bool has (const struct strvec *list, const char *entry)
{
    return strvec_contains (list, entry);
}

static void test_variables (void **state)
{
    struct script_variables v = SCRIPT_VARIABLES_INIT;
    struct json *values =
        json_of ("{'n':3,'x':0.1,'on':true,'word':'a b','m':{'k':[1]},"
                 "'files':['/a','/b c'],'deep':[['a'],['b',null]],'none':[],"
                 "'objects':[{'a':1},2],'gone':null,'pick.quota':8,"
                 "'outputs.model':'out/model','@files':'/d/in/files.list',"
                 "'seed':5,'task':1,'iteration':2,'SCRIPT':['x'],"
                 "'CONTAINER':['y'],'on_nodes':['-w']}");

    (void)state;
    assert_int_equal (
        script_variables_make ("echo $seed", values, "/d", &v, NULL), 0);
    assert_true (has (&v.set, "n=3"));
    assert_true (has (&v.set, "x=0.1"));
    assert_true (has (&v.set, "on=true"));
    assert_true (has (&v.set, "word=a b"));
    assert_true (has (&v.set, "m={\"k\":[1]}"));
    assert_true (has (&v.set, "files=/a\n/b c"));
    assert_true (has (&v.set, "deep=a\nb"));
    assert_true (has (&v.set, "none="));
    assert_true (has (&v.set, "objects={\"a\":1}\n2"));
    assert_true (has (&v.set, "pick_quota=8"));
    assert_true (has (&v.set, "outputs_model=/d/out/model"));
    assert_true (has (&v.set, "files_list=/d/in/files.list"));
    assert_true (has (&v.set, "seed=5"));
    assert_int_equal (v.set.n, 13);
    assert_true (has (&v.absent, "gone="));
    assert_true (has (&v.absent, "task="));
    assert_true (has (&v.absent, "iteration="));
    assert_int_equal (v.absent.n, 3);
    script_variables_release (&v);
    json_unref (values);
}

/* What a variable cannot hold, by its text and what the script says. */
static void test_unfit_variables (void **state)
{
    static const struct {
        const char *text, *says; /* NULL: good, and absent */
    } rows[] = {
        { "cat $long_list", NULL },
        { "echo $longer '$lines.'", "$lines would have one item a line" },
        { "echo $longer", NULL },
        { "echo \"$long\"", "$long has 150000 bytes, which is more" },
        { "echo ${long%x}", "$long has 150000 bytes, which is more" },
        { "echo ${#lines}", "$lines would have one item a line" },
        { "echo ${lines}", "$lines would have one item a line, and an item "
                           "has a line break; read task.json" },
        { "#!/usr/bin/python3\nprint('$long')", NULL },
    };
    char *text = xcalloc (150001, 1);
    struct json *values = json_of ("{'lines':['a\\nb']}");

    (void)state;
    memset (text, 'x', 150000);
    json_set (values, "long", json_string (text));
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        struct script_variables v = SCRIPT_VARIABLES_INIT;
        struct error err = ERROR_INIT;
        int rc = script_variables_make (rows[i].text, values, "/d", &v, &err);

        assert_int_equal (rc, rows[i].says ? -1 : 0);
        if (rows[i].says && !strstr (err.text, rows[i].says))
            fail_msg ("row %zu: %s", i, err.text);
        if (!rows[i].says) {
            assert_int_equal (v.set.n, 0);
            assert_true (has (&v.absent, "long="));
        }
        script_variables_release (&v);
    }
    json_unref (values);
    free (text);
}

/* The limit is that of the value, whatever its name. */
static void test_longest_variable (void **state)
{
    char *text = xcalloc (SCRIPT_VARIABLE_MAX + 2, 1);
    struct json *values = json_object ();

    (void)state;
    for (size_t more = 0; more < 2; more++) {
        struct script_variables v = SCRIPT_VARIABLES_INIT;

        memset (text, 'x', SCRIPT_VARIABLE_MAX + more);
        json_set (values, "x", json_string (text));
        assert_int_equal (
            script_variables_make ("echo $x", values, "/d", &v, NULL),
            more ? -1 : 0);
        script_variables_release (&v);
    }
    json_unref (values);
    free (text);
}

/* Each is short enough, and all of them are not. */
static void test_many_variables (void **state)
{
    struct script_variables v = SCRIPT_VARIABLES_INIT;
    struct json *values = json_object ();
    size_t bytes = 0;

    (void)state;
    for (int i = 1; i <= 21; i++) {
        char *text = xcalloc ((size_t)i * 4000 + 1, 1);
        char *name = xasprintf ("v%02d", i);

        memset (text, 'x', (size_t)i * 4000);
        json_set (values, name, json_string (text));
        bytes += (size_t)i * 4000;
        free (name);
        free (text);
    }
    assert_int_equal (script_variables_make ("echo", values, "/d", &v, NULL),
                      0);
    assert_int_equal (v.set.n, 21);
    json_set (values, "v22", json_ref (json_get (values, "v20")));
    assert_true (bytes + 80000 > SCRIPT_VARIABLES_MAX);
    script_variables_release (&v);
    assert_int_equal (script_variables_make ("echo", values, "/d", &v, NULL),
                      0);
    assert_int_equal (v.set.n, 21);
    assert_true (has (&v.absent, "v21="));
    script_variables_release (&v);
    json_unref (values);
}

/* Whatever this process has of the same names does not get through. */
static void test_join (void **state)
{
    struct script_variables v = SCRIPT_VARIABLES_INIT;
    struct strvec env = STRVEC_INIT;

    (void)state;
    strvec_push (&env, "PATH=/bin");
    strvec_push (&env, "seed=7");
    strvec_push (&env, "n=4");
    strvec_push (&env, "nn=4");
    strvec_push (&v.set, "n=3");
    strvec_push (&v.absent, "seed=");
    script_variables_join (&v, &env);
    assert_int_equal (env.n, 3);
    assert_true (has (&env, "PATH=/bin"));
    assert_true (has (&env, "nn=4"));
    assert_true (has (&env, "n=3"));
    assert_null (env.v[3]);
    assert_true (environment_has (&env, env.n, "n"));
    assert_false (environment_has (&env, env.n, "seed=7"));
    strvec_release (&env);
    script_variables_release (&v);
}

/* --- files --- */

static void assert_file (const char *dir, const char *name, const char *text)
{
    char *path = path_join (dir, name);
    struct strbuf content = STRBUF_INIT;

    assert_int_equal (file_read (path, 1 << 16, &content, NULL), 0);
    if (!strstr (content.buf, text))
        fail_msg ("%s: %s", name, content.buf);
    strbuf_release (&content);
    free (path);
}

static void test_files (void **state)
{
    static const struct port inputs[] = {
        { .name = "files", .type = { .kind = TYPE_FILE, .depth = 1 } },
        { .name = "others", .type = { .kind = TYPE_FILE, .depth = 1 } },
        { .name = "frames", .type = { .kind = TYPE_FRAMES } },
        { .name = "extra", .type = { .kind = TYPE_FILE }, .optional = true },
        { 0 },
    };
    static const char text[] = "cat $files_list ${frames_list}\n";
    char *dir = temp_dir_make ();
    struct json *values = json_of ("{'files':['/a','/b'],'others':['/c'],"
                                   "'frames':'/f.extxyz'}");
    char *path = path_join (dir, "script.driver");
    struct stat st;

    (void)state;
    /* Twice: an earlier try may have left them. */
    for (int i = 0; i < 2; i++)
        assert_int_equal (
            script_files_write (text, "driver", inputs, dir, values, NULL), 0);
    assert_file (dir, "script.driver", text);
    assert_int_equal (stat (path, &st), 0);
    assert_true (st.st_mode & S_IXUSR);
    assert_file (dir, "in/files.list", "/a\n/b\n");
    assert_file (dir, "in/frames.list", "/f.extxyz\n");
    assert_non_null (json_get (values, "@files"));
    assert_null (json_get (values, "@others"));
    assert_true (json_is_null (json_get (values, "extra")));
    script_set_words (text, "driver", values);
    assert_json (json_get (values, "SCRIPT"),
                 "['bash','-euo','pipefail','./script.driver']");
    json_unref (values);
    free (path);
    temp_dir_remove (dir);
}

/* --- containers --- */

static void assert_words (const struct strvec *argv, const char *text)
{
    struct json *v = argv_to_json ((const char *const *)argv->v);

    assert_json (v, text);
    json_unref (v);
}

static void test_container (void **state)
{
    static const char *const template[] = {
        "run", "-b", "{campaign}", "{workspace}", "{dir}", "{image}", NULL
    };
    static const char *const env[] = { "A=b c", NULL };
    static const struct {
        const char *command[4], *env, *argv;
    } rows[] = {
        { { "lmp", "-in", "{n}" },
          NULL,
          "['run','-b','/c','/c/d','/c/d','/c/x.sif','lmp','-in','3']" },
        { { "{launcher}", "lmp" },
          NULL,
          "['mpirun','-n','run','-b','/c','/c/d','/c/d','/c/x.sif','lmp']" },
        { { "{SCRIPT}" },
          "",
          "['run','-b','/c','/c/d','/c/d','/c/x.sif','env','A=b c','bash']" },
        { { "{fanfold}", "group" }, "", "['/f','group']" },
        { { "{launcher}", "{fanfold}" }, "", "['mpirun','-n','/f']" },
        { { "{launcher}" }, "", "['mpirun','-n']" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        const struct container c = { .argv = template,
                                     .image = "/c/x.sif",
                                     .env = rows[i].env ? env : NULL,
                                     .dir = "/c/d" };
        struct json *values =
            json_of ("{'n':3,'launcher':['mpirun','-n'],'campaign':'/c',"
                     "'fanfold':'/f','SCRIPT':['bash']}");
        struct strvec argv = STRVEC_INIT;

        assert_int_equal (container_set (&c, values, NULL), 0);
        assert_int_equal (
            container_expand (rows[i].command, values, &argv, NULL), 0);
        assert_words (&argv, rows[i].argv);
        strvec_release (&argv);
        json_unref (values);
    }
}

/* A group's workspace is elsewhere; in a call of a function the campaign is the
 * caller's.
 */
static void test_what_a_container_sees (void **state)
{
    static const char *const template[] = { "{campaign}", "{workspace}",
                                            "{dir}", NULL };
    static const struct {
        const char *workspace, *caller, *argv;
    } rows[] = {
        { NULL, NULL, "['/c','/c/d','/c/d']" },
        { "/w", NULL, "['/c','/w','/c/d']" },
        { NULL, "/up", "['/up','/c/d','/c/d']" },
        { "/w", "/up", "['/up','/w','/c/d']" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        const struct container c = { .argv = template,
                                     .image = "/c/x.sif",
                                     .dir = "/c/d",
                                     .workspace = rows[i].workspace };
        struct json *values = json_of ("{'campaign':'/c'}");

        if (rows[i].caller)
            json_set (values, CALLER_PLACEHOLDER, json_string (rows[i].caller));
        assert_int_equal (container_set (&c, values, NULL), 0);
        assert_json (json_get (values, CONTAINER_PLACEHOLDER), rows[i].argv);
        json_unref (values);
    }
}

static void test_no_image (void **state)
{
    static const char *const command[] = { "{n}", NULL };
    static const char *const unknown[] = { "{m}", NULL };
    const struct container none = { .dir = "/c/d" };
    struct json *values = json_of ("{'n':3,'campaign':'/c'}");
    struct strvec argv = STRVEC_INIT;
    struct error err = ERROR_INIT;

    (void)state;
    assert_int_equal (container_set (&none, values, NULL), 0);
    assert_null (json_get (values, "CONTAINER"));
    assert_int_equal (container_expand (command, values, &argv, NULL), 0);
    assert_words (&argv, "['3']");
    json_set (values, "CONTAINER", json_of ("['run']"));
    assert_int_equal (container_expand (unknown, values, &argv, &err), -1);
    assert_words (&argv, "['3']");
    strvec_release (&argv);
    json_unref (values);
}

static void test_image_path (void **state)
{
    static const struct {
        const char *image, *path;
    } rows[] = {
        { "a.sif", "/c/a.sif" },
        { "/images/a.sif", "/images/a.sif" },
        { "docker://debian:12", "docker://debian:12" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        char *path = image_path (rows[i].image, "/c");

        assert_string_equal (path, rows[i].path);
        free (path);
    }
    assert_null (image_path (NULL, "/c"));
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_interpreter),
        cmocka_unit_test (test_file_text),
        cmocka_unit_test (test_campaign_paths),
        cmocka_unit_test (test_variables),
        cmocka_unit_test (test_unfit_variables),
        cmocka_unit_test (test_longest_variable),
        cmocka_unit_test (test_many_variables),
        cmocka_unit_test (test_join),
        cmocka_unit_test (test_files),
        cmocka_unit_test (test_container),
        cmocka_unit_test (test_what_a_container_sees),
        cmocka_unit_test (test_no_image),
        cmocka_unit_test (test_image_path),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
