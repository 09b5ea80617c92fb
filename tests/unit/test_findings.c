/* SPDX-License-Identifier: BSD-3-Clause */
/* test_findings.c - lists of findings */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/findings.h"
#include "base/json.h"

static void test_worst (void **state)
{
    struct findings findings = FINDINGS_INIT;

    (void)state;
    assert_int_equal (findings_worst (&findings), GRADE_GOOD);
    findings_add (&findings, GRADE_GOOD, "a", NULL, "well");
    assert_int_equal (findings_worst (&findings), GRADE_GOOD);
    findings_add (&findings, GRADE_BAD, "b", "mend it", "%d broken", 2);
    findings_add (&findings, GRADE_WARNING, "c", "look", "so so");
    assert_int_equal (findings_worst (&findings), GRADE_BAD);
    assert_int_equal (findings_count (&findings, GRADE_WARNING), 1);
    assert_string_equal (findings.v[0].advice, "");
    assert_string_equal (findings.v[1].text, "2 broken");
    findings_release (&findings);
    assert_int_equal (findings.n, 0);
}

static void test_json (void **state)
{
    struct findings findings = FINDINGS_INIT;
    struct strbuf text = STRBUF_INIT;
    struct json *v;

    (void)state;
    findings_add (&findings, GRADE_WARNING, "a\tb", "do\n", "\033[2Jx");
    v = findings_to_json (&findings);
    json_dump (v, JSON_COMPACT, &text);
    assert_string_equal (text.buf,
                         "[{\"grade\":\"warning\",\"subject\":\"a?b\","
                         "\"text\":\"?[2Jx\",\"advice\":\"do?\"}]");
    json_unref (v);
    strbuf_release (&text);
    findings_release (&findings);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_worst),
        cmocka_unit_test (test_json),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
