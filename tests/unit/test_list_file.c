/* SPDX-License-Identifier: BSD-3-Clause */
/* test_list_file.c - lists as files */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/file.h"
#include "base/json.h"
#include "handover/list_file.h"
#include "handover/stage_manifest.h"
#include "quoted_json.h"
#include "temp_dir.h"

static const struct {
    const char *templates, *values;
    const char *name;  /* of the file that is there; NULL: no directory */
    const char *lines; /* in it, or the message where 'name' is "" */
} list_cases[] = {
    { "[['run','{files}']]", "{'files':['a','b']}", NULL, NULL },
    { "[['run','{@files}']]", "{'files':['a','b']}", "files", "a\nb\n" },
    { "[['run'],['cat x {@files} y']]", "{'files':['a']}", "files", "a\n" },
    /* as arguments: holes are left out, lists in lists are spread */
    { "[['{@v}']]", "{'v':[[1,2.5],[],[null,true]]}", "v", "1\n2.5\ntrue\n" },
    { "[['{@v}']]", "{'v':[{'a':1},'b']}", "v", "{\"a\":1}\nb\n" },
    { "[['{@v}']]", "{'v':[]}", "v", "" },
    { "[['{@v}']]", "{'v':'one'}", "v", "one\n" },
    { "[['{@part.v}']]", "{'part.v':['x y',' ']}", "part.v", "x y\n \n" },
    { "{'programs':[{'commands':[['{@v}']]}],'n':3}", "{'v':[7]}", "v", "7\n" },
    { "[['{{@v}}','{@v','{@}']]", "{'v':[7]}", NULL, NULL },
    { "[['{@v}']]", "{'v':['a','b\\nc']}", "",
      "'{@v}': item 1 has a line break, and it is a file of lines; read "
      "inputs from task.json" },
    { "[['{@v}']]", "{'w':[1]}", "", "'{@v}': there is no such value" },
};

static void test_files (void **unused)
{
    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (list_cases); i++) {
        char *dir = temp_dir_make ();
        char *in = path_join (dir, "in");
        char *path = xasprintf ("%s/%s.list", in,
                                list_cases[i].name ? list_cases[i].name : "");
        char *key =
            xasprintf ("@%s", list_cases[i].name ? list_cases[i].name : "");
        struct json *templates = json_of (list_cases[i].templates);
        struct json *values = json_of (list_cases[i].values);
        struct strbuf text = STRBUF_INIT;
        struct error err = ERROR_INIT;
        bool good = !list_cases[i].name || list_cases[i].name[0];

        /* Twice: an earlier try may have left one. */
        for (int k = 0; k < 2; k++) {
            int rc = list_files_write (templates, in, values, &err);

            assert_int_equal (rc, good ? 0 : -1);
        }
        if (!good) {
            assert_string_equal (err.text, list_cases[i].lines);
        } else if (!list_cases[i].name) {
            assert_false (file_exists (in));
        } else {
            assert_string_equal (json_get_string (values, key), path);
            assert_int_equal (file_read (path, 1 << 16, &text, NULL), 0);
            assert_string_equal (text.len > 0 ? text.buf : "",
                                 list_cases[i].lines);
        }
        strbuf_release (&text);
        json_unref (values);
        json_unref (templates);
        free (key);
        free (path);
        free (in);
        temp_dir_remove (dir);
    }
    assert_int_equal (list_files_write (NULL, "/nowhere", NULL, NULL), 0);
}

/* What has none costs no look at each task. */
static void test_templates (void **unused)
{
    static const char *const with[] = { "run", "--x={@v}", NULL };
    static const char *const without[] = { "run", "{v}", NULL };
    const struct stage_manifest some = {
        .commands = (const char *const *const[]){ without, with, NULL }
    };
    const struct stage_manifest none = {
        .commands = (const char *const *const[]){ without, without, NULL }
    };
    struct json *templates = list_file_templates (&some);

    (void)unused;
    assert_int_equal (json_count (templates), 2);
    assert_null (list_file_templates (&none));
    json_unref (templates);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_files),
        cmocka_unit_test (test_templates),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
