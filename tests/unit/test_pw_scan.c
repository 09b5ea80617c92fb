/* SPDX-License-Identifier: BSD-3-Clause */
/* test_pw_scan.c - one's way in an input of pw.x */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "formats/qe/pw_scan.h"

static int write_down (enum pw_item item, const char *word, size_t line,
                       size_t end, void *arg, struct error *err)
{
    (void)end;
    (void)err;
    strbuf_addf (arg, "%c%s:%zu ", "&=#"[item], word, line);
    return strcmp (word, "stop") == 0 ? 7 : 0;
}

static const struct {
    const char *text;
    const char *items;
    int rc;
} scans[] = {
    { "", "", 0 },
    { "&CONTROL\n nat=8, A = 'x'\n/\nK_POINTS gamma\n",
      "&control:1 =nat:2 =a:2 #k_points:4 ", 0 },
    { "&System celldm(1)=10.2 celldm (3) =1.0d0\n  NTYP\n =1 /",
      "&system:1 =celldm:1 =celldm:1 =ntyp:2 ", 0 },
    { "! &CONTROL\n# nat = 3\n&electrons ! nat = 3\n/\n", "&electrons:3 ", 0 },
    { "&a x = 'nat = 3 /', y = \"/\", z='it''s nat=3' w=1\n/",
      "&a:1 =x:1 =y:1 =z:1 =w:1 ", 0 },
    { "&a x='never closed\n nat=1\n/", "&a:1 =x:1 =nat:2 ", 0 },
    { "&a\r\n x=1\r\n/\r\nATOMIC_POSITIONS{angstrom}\r\n",
      "&a:1 =x:2 #atomic_positions:4 ", 0 },
    { "&a x=1 &end\nCARD\n", "&a:1 =x:1 #card:2 ", 0 },
    { "&a x=1 / comment nat=3\n1 2 3\n", "&a:1 =x:1 #1:2 ", 0 },
    { "&a = 3\n", "&a:1 ", 0 },
    { "&a stop=1, x=2\n", "&a:1 =stop:1 ", 7 },
    { "&a celldm(1", "&a:1 ", 0 },
    { "&", "", 0 },
    { "A_WORD_THAT_IS_LONGER_THAN_ANY_WORD_HAS_TO_BE\n",
      "#a_word_that_is_longer_than_any_:1 ", 0 },
};

static void test_scan (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (scans); i++) {
        struct strbuf items = STRBUF_INIT;
        int rc = pw_scan (scans[i].text, strlen (scans[i].text), write_down,
                          &items, NULL);

        assert_string_equal (items.buf, scans[i].items);
        assert_int_equal (rc, scans[i].rc);
        strbuf_release (&items);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_scan),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
