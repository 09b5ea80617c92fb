/* SPDX-License-Identifier: BSD-3-Clause */
/* test_shell_text.c - which variables a shell script reads and sets */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "campaign/shell_text.h"

/* What is read and not set: "name@line:column", with blanks between; "?" where
 * nothing can be said.
 */
static void describe (const char *text, struct strbuf *out)
{
    struct shell_text shell = SHELL_TEXT_INIT;

    if (!shell_text_read (&shell, text))
        strbuf_add_str (out, "?");
    for (size_t i = 0; i < shell.reads.n && out->buf[0] != '?'; i++) {
        const struct shell_word *word = &shell.reads.v[i];

        if (!strvec_contains (&shell.set, word->name))
            strbuf_addf (out, "%s%s@%d:%d", out->len > 0 ? " " : "", word->name,
                         word->line, word->column);
    }
    shell_text_release (&shell);
}

static const struct {
    const char *text, *reads;
} rows[] = {
    { "", "" },
    { "echo $a ${b} \"$c\" \"x${d}y\"", "a@0:6 b@0:10 c@0:15 d@0:22" },
    { "echo $a\n\n  echo \"\n$b\"\n", "a@0:6 b@3:1" },
    /* what sets */
    { "a=1; b+=2 c[3]=4 train $a $b $c", "" },
    { "x=1 a b=2 $a", "a@0:11" },
    { "train --a=$a --b $b", "a@0:11 b@0:18" },
    { "for a in x y; do echo $a $b; done", "b@0:26" },
    { "for ((a = 0; a < 3; a++)); do echo $a; done", "" },
    { "while read -r a b; do echo $a $b; done < f", "" },
    { "while IFS= read a\ndo echo $a $b; done", "b@1:12" },
    { "local a b=2; export c \"d=3\"; readonly \\\n e; echo $a $b $c $d $e",
      "" },
    { "mapfile -t a < f; readarray b; echo ${a[0]} ${#b[@]}", "" },
    { "printf -v a %s x; echo $a", "" },
    { "if [[ -v a ]]; then echo $a; fi", "" },
    { "exec {a}> f; echo x >&$a", "" },
    { "getopts ab: c; echo $c", "" },
    { "let a=1 b++; echo $a $b", "" },
    { "echo $((a + 1)); $a", "" },
    { "echo $((($a + 2) * (3)))", "a@0:10" },
    { "select a in x; do $a; done", "" },
    /* what need not be set */
    { "echo ${a:-} ${b-x} ${c:+y} ${d:?no} ${e+z} ${f?}", "" },
    { "${a:=1} ${b=2}; echo $a $b", "" },
    { "echo ${a%x} ${b#y} ${c/x/y} ${d^} ${e:1} ${#f} ${g[1]}",
      "a@0:7 b@0:14 c@0:21 d@0:30 e@0:36 f@0:44 g@0:49" },
    { "echo ${a:-$b}", "b@0:11" },
    { "echo $1 ${2} $# $? $$ $! $@ $* $- $0 ${10} ${@} ${#}", "" },
    /* what no shell looks at */
    { "echo '$a' \\$b $'it\\'s $c' x # $d\n", "" },
    { "# it's $a\necho x#y $b", "b@1:10" },
    { "x $'a\n\\'\n' $b", "b@2:3" },
    { "awk '{ print $nf }' \"$f\"", "f@0:22" },
    { "echo \"\\$a 'no quote $b'\"", "b@0:21" },
    { "echo \"it's\" $a 'x'", "a@0:13" },
    { "echo \"$(cat \"$a\" | grep 'x $b')\" $c", "a@0:14 c@0:34" },
    { "echo `cat $a`", "a@0:11" },
    { "echo $(cat $(ls $a)) '$b'", "a@0:17" },
    { "case $a in\n  x) echo $b ;;\n  *) y ;;\nesac", "a@0:6 b@1:11" },
    { "f() {\n  local a=$1\n  echo $a $b\n}\nf", "b@2:11" },
    /* here-documents */
    { "cat <<E\nit's $a\nE\necho $b", "a@1:6 b@3:6" },
    { "cat <<'E'\nit's $a\nE\necho $b", "b@3:6" },
    { "cat <<\"E\" | tr a b\n$a \"\nE\n", "" },
    { "cat <<-E\n\t$a\n\tE\necho $b", "a@1:2 b@3:6" },
    { "cat <<A <<'B'\n$a\nA\n$b\nB\n$c", "a@1:1 c@5:1" },
    { "cat <<E; echo $b\n$a\nE", "b@0:15 a@1:1" },
    { "x=$(cat <<E\n$a\nE\n)\necho $x", "a@1:1" },
    { "tr a b <<< $a", "a@0:12" },
    { "echo $((1 << 2)) $a", "a@0:18" },
    { "cat <<E\nE x\n$a\nE", "a@2:1" },
    /* who knows */
    { "eval x; $a", "?" },
    { "source env.sh; $a", "?" },
    { ". ./env.sh\n$a", "?" },
    { "cd x && . env.sh; $a", "?" },
    { "cp a . ; $a", "a@0:10" },
    { "module load gcc; $a", "?" },
    { "echo ${!a} $b", "?" },
    { "echo 'open $a", "?" },
    { "echo \"open $a", "?" },
    { "cat <<E\n$a\n", "?" },
    { "echo $(ls $a", "?" },
};

static void test_reads (void **unused)
{
    int n_wrong = 0;

    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        struct strbuf got = STRBUF_INIT;

        describe (rows[i].text, &got);
        if (strcmp (got.buf, rows[i].reads) != 0)
            print_error ("row %zu, '%s': '%s', expected '%s'\n", i,
                         rows[i].text, got.buf, rows[i].reads);
        n_wrong += strcmp (got.buf, rows[i].reads) != 0;
        strbuf_release (&got);
    }
    assert_int_equal (n_wrong, 0);
}

static void test_braces (void **unused)
{
    struct shell_text shell = SHELL_TEXT_INIT;

    (void)unused;
    assert_true (shell_text_read (
        &shell, "train {a} \"{b.c}/x\" '{d}' ${e} {f,g} {} { h; } {{i}} "
                "awk \"x {j}\" {k}>l"));
    assert_int_equal (shell.braces.n, 2);
    assert_string_equal (shell.braces.v[0].name, "a");
    assert_string_equal (shell.braces.v[1].name, "b.c");
    assert_int_equal (shell.braces.v[1].column, 12);
    shell_text_release (&shell);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_reads),
        cmocka_unit_test (test_braces),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
