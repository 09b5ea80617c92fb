/* SPDX-License-Identifier: BSD-3-Clause */
/* test_path_change.c - what is said when another environment submits */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/json.h"
#include "report/path_change.h"

#define SEE "jobs of stage 's' see another PATH than those submitted before, "
#define REMEDY                                                                 \
    ", since another environment submits; `env: {PATH: ...}` of the profile "  \
    "gives all jobs the same"

static void test_text (void **unused)
{
    static const struct {
        const char *before, *path; /* NULL: not told */
        const char *text;
    } cases[] = {
        { NULL, NULL, "" },
        { NULL, "/bin", "" }, /* the first submission */
        { "/opt/lmp:/bin", "/bin", SEE "without /opt/lmp" REMEDY },
        { "/bin", "/x:/bin", SEE "with /x" REMEDY },
        { "/a:/bin", "/x:/bin", SEE "without /a, with /x" REMEDY },
        { "/a:/bin", "/bin:/a", SEE "its directories in another order" REMEDY },
        { "/1:/2:/3:/4:/5", "/5", SEE "without /1, /2, /3 and 1 more" REMEDY },
    };

    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct json *event = json_object ();
        struct strbuf text = STRBUF_INIT;

        json_set (event, "ev", json_string ("intent"));
        json_set (event, "stage", json_string ("s"));
        if (cases[i].path)
            json_set (event, "path", json_string (cases[i].path));
        if (cases[i].before)
            json_set (event, "path_before", json_string (cases[i].before));
        assert_int_equal (path_change_text (event, &text),
                          cases[i].before != NULL);
        assert_string_equal (text.len > 0 ? text.buf : "", cases[i].text);
        strbuf_release (&text);
        json_unref (event);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_text),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
