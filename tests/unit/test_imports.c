/* SPDX-License-Identifier: BSD-3-Clause */
/* test_imports.c - which files scripts import or source by name */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "campaign/imports.h"

/* "module@line:column", with blanks between; of others ./ beside the script, $/
 * of the campaign, ? of where it is run; dots of Python's relative ones.
 */
static void describe (enum script_language language, const char *text,
                      struct strbuf *out)
{
    static const char *const froms[] = { "", "./", "$/", "?" };
    struct imports imports = { 0 };

    imports_read (language, text, &imports);
    for (size_t i = 0; i < imports.n; i++) {
        const struct import *import = &imports.v[i];

        strbuf_addf (out, "%s%.*s%s%s@%d:%d", i > 0 ? " " : "", import->up,
                     "....", froms[import->from], import->path, import->line,
                     import->column);
    }
    imports_release (&imports);
}

#define PY LANGUAGE_PYTHON
#define SH LANGUAGE_SHELL
#define JL LANGUAGE_JULIA

static const struct {
    enum script_language language;
    const char *text, *imports;
} rows[] = {
    { PY, "", "" },
    { PY, "import a", "a@0:7" },
    { PY, "import a, b as c, d\n", "a@0:7 b@0:10 d@0:18" },
    { PY, "import a.b.c", "a@0:7 a/b@0:9 a/b/c@0:11" },
    { PY, "from a import b, c as d", "a@0:5 a/b@0:14 a/c@0:17" },
    { PY, "from a.b import c", "a@0:5 a/b@0:7 a/b/c@0:16" },
    { PY, "from a import *", "a@0:5" },
    { PY, "from a import (b, # one\n  c,\n)\nimport d",
      "a@0:5 a/b@0:15 a/c@1:2 d@3:7" },
    { PY, "from . import a, b", ".a@0:14 .b@0:17" },
    { PY, "from .a import b", ".a@0:6 .a/b@0:15" },
    { PY, "from ...a.b import c", "...a@0:8 ...a/b@0:10 ...a/b/c@0:19" },
    { PY, "from .import a", ".a@0:13" },
    { PY, "import a; import b", "a@0:7 b@0:17" },
    { PY, "try: import a\nexcept ImportError:\n\timport b", "a@0:12 b@2:8" },
    { PY, "def f():\n    from a import \\\n        b\n", "a@1:9 a/b@2:8" },
    { PY, "\"\"\"\nimport a\n'\"\"\"\nimport b", "b@3:7" },
    { PY, "x = '''\nimport a\n''' # import c\nimport b", "b@3:7" },
    { PY, "x = 'it\\'s'\nimport a # it's\nimport b", "a@1:7 b@2:7" },
    { PY, "x = 'open\nimport a", "a@1:7" },
    { PY, "x = (\nimport_a,\n'import b')\nimportant = 1", "" },
    { PY, "x = [a\nfrom b\n]\nyield from c\nraise X from e", "" },
    { PY, "x = \"import a\"\nfrom\nimport", "" },
    { PY, "from a\nimport b", "a@0:5 b@1:7" },
    { PY, "import \303\244", "\303\244@0:7" },
    { PY, "import a\r\nimport b\r\n", "a@0:7 b@1:7" },
    { PY, "import importlib\nx = importlib.import_module('a')",
      "importlib@0:7" },

    { SH, ". \"$campaign/a.sh\"", "$/a.sh@0:2" },
    { SH, "source $campaign/lib/a.sh; . ${campaign}/b",
      "$/lib/a.sh@0:7 $/b@0:29" },
    { SH, ". \"${campaign}\"/a 'x'", "$/a@0:2" },
    { SH, ". ./a.sh\nif . /x/b.sh; then source 'c d'; fi",
      "?./a.sh@0:2 ?/x/b.sh@1:5 ?c d@1:26" },
    { SH, ". \"$(dirname \"$0\")/a\"; . `dirname $0`/b; . ${0%/*}/c",
      "./a@0:2 ./b@0:25 ./c@0:43" },
    { SH, "here=$(cd \"$(dirname \"${BASH_SOURCE[0]}\")\" && pwd)\n. $here/a",
      "./a@1:2" },
    { SH, "lib=$campaign/lib name=a; . $lib/$name.sh", "$/lib/a.sh@0:28" },
    { SH, "campaign=$4; . $campaign/a", "" },
    { SH, "cd $campaign/x && . ./a.sh", "$/x/./a.sh@0:20" },
    { SH, "cd /y; . ./a.sh; . /z/b", "?/z/b@0:19" },
    { SH, "cd \"$x\"\n. a", "" },
    { SH, "cd\n. a", "" },
    { SH, ". \"$4/a.sh\"; . $a; . $(f)/b; . *.sh; . ~/c; . x$campaign/d", "" },
    { SH, "echo . a; cp a . ; echo source b\ncat <a . b", "" },
    { SH, "# . a\necho x # . b\nx=\"\n. c\"; y='\n. d'", "" },
    { SH, "cat <<E >x\n. a\nE\n. b", "?b@3:2" },
    { SH, "cat <<-'E'; . a\n. b\n\tE\n. c", "?a@0:14 ?c@3:2" },
    { SH, "x=$(. a); tr a b <<<c\n. d", "?d@1:2" },
    { SH, "export X=1; X=2 . a; command . b; { . c; }",
      "?a@0:18 ?b@0:31 ?c@0:38" },
    { SH, "[ -f a ] && . a || source b", "?a@0:14 ?b@0:26" },
    { SH, ". \\\n a", "?a@1:1" },
    { SH, "( . a )", "?a@0:4" },
    { SH, "case $x in\n  a) . b ;;\nesac", "?b@1:7" },
    { SH, ".", "" },
    { SH, ". \"$campaign\"", "" },
    { SH, ". 'a", "?a@0:2" },
    { SH, "x=$(", "" },

    { JL, "include(\"a.jl\")\nBase.include(M, \"b.jl\")", "./a.jl@0:8" },
    { JL, "include(joinpath(@__DIR__, \"a\", \"b.jl\"))", "./a/b.jl@0:8" },
    { JL, "include(\"$a.jl\"); include(f(\"b\")); include(\"a\" * b)", "" },
    { JL, "# include(\"a\")\n#= include(\"b\") #= =# =# include(\"c\")",
      "./c@1:33" },
    { JL, "x = \"\"\"\ninclude(\"a\")\n\"\"\"; include(\"b\")", "./b@2:13" },
    { JL, "y = A'; c = '\"'; include(\"b\"); d = '\\''", "./b@0:25" },
    { JL, "using .A, B, .C: d\nimport .D\nusing ..E, F.G",
      "./A.jl@0:6 ./C.jl@0:13 ./D.jl@1:7" },
    { JL, "include(map, \"a\"); include", "" },
    { LANGUAGE_R, "source(\"a.R\")\nsource ('b.R', local = TRUE)",
      "?a.R@0:7 ?b.R@1:8" },
    { LANGUAGE_R, "source(file = \"a.R\"); sys.source('b.R', e)",
      "?a.R@0:7 ?b.R@0:33" },
    { LANGUAGE_R, "source(file.path(d, 'a.R')); source(paste0(x, 'b'))", "" },
    { LANGUAGE_R, "# source('a')\nx <- \"source('b')\"; my.source('c')", "" },
    { LANGUAGE_R, "source('https://x/a.R')\nsource(\"a\\b\")", "" },
    { LANGUAGE_R, "setwd('/x'); source('a.R'); source('/y/b.R')",
      "?/y/b.R@0:35" },
    { LANGUAGE_UNKNOWN, "import a\n. b", "" },
};

static void test_imports (void **unused)
{
    int n_wrong = 0;

    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        struct strbuf got = STRBUF_INIT;

        describe (rows[i].language, rows[i].text, &got);
        if (strcmp (got.buf, rows[i].imports) != 0)
            print_error ("row %zu, '%s': '%s', expected '%s'\n", i,
                         rows[i].text, got.buf, rows[i].imports);
        n_wrong += strcmp (got.buf, rows[i].imports) != 0;
        strbuf_release (&got);
    }
    assert_int_equal (n_wrong, 0);
}

static const struct {
    const char *path, *text;
    enum script_language otherwise, language;
} named[] = {
    { "a.py", "#!/bin/sh", LANGUAGE_UNKNOWN, LANGUAGE_PYTHON },
    { "lib/a.jl", "", LANGUAGE_UNKNOWN, LANGUAGE_JULIA },
    { "a.R", "", LANGUAGE_UNKNOWN, LANGUAGE_R },
    { "a", "#!/usr/bin/env -S python3.11 -u\n", LANGUAGE_SHELL,
      LANGUAGE_PYTHON },
    { "a", "#! /bin/bash -e", LANGUAGE_UNKNOWN, LANGUAGE_SHELL },
    { NULL, "#!/usr/bin/Rscript\n", LANGUAGE_SHELL, LANGUAGE_R },
    { NULL, "echo", LANGUAGE_SHELL, LANGUAGE_SHELL },
    { "b.dir/a", "\177ELF", LANGUAGE_UNKNOWN, LANGUAGE_UNKNOWN },
    { "a", "#!/usr/bin/env Rust", LANGUAGE_UNKNOWN, LANGUAGE_UNKNOWN },
};

static void test_languages (void **unused)
{
    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (named); i++)
        assert_int_equal (
            script_language (named[i].path, named[i].text, named[i].otherwise),
            named[i].language);
    assert_int_equal (program_language ("/opt/py/bin/python3"),
                      LANGUAGE_PYTHON);
    assert_int_equal (program_language ("shuf"), LANGUAGE_UNKNOWN);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_imports),
        cmocka_unit_test (test_languages),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
