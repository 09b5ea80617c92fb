/* SPDX-License-Identifier: BSD-3-Clause */
/* replay_main.c - a fuzz target as a test: known inputs instead of new ones
 *
 * The program fuzz_x.t replays every file of corpus/x, each also cut short
 * and with single bytes changed, and megabytes of what parsers choke on.  A
 * finding ends the program, as it would end the fuzzer; the test then has no
 * plan, which is a failure.
 */
#include "base/base.h"

#include "base/file.h"
#include "fuzz.h"

enum {
    CORPUS_BYTES_MAX = 64 << 10,
    CHANGES_MAX = 200,         /* places in a file that are changed, */
    CHANGED_BYTES = 128 << 10, /* fewer in a long file */
};

static int tests;

static void report (const char *prefix, const char *what)
{
    printf ("ok %d - %s%s\n", ++tests, prefix, what);
    fflush (stdout);
}

/* Hand over memory that ends where the bytes end, for the sanitizers. */
static void try_bytes (const char *bytes, size_t len)
{
    uint8_t *copy = xmalloc (len + (len == 0));

    memcpy (copy, bytes, len);
    LLVMFuzzerTestOneInput (copy, len);
    free (copy);
}

/* --- the corpus --- */

static void try_changed (const struct strbuf *text)
{
    static const char bytes[] = { '\0', '\n', '9', '-', '{', '\xff' };
    size_t places = CHANGED_BYTES / (text->len + 1);
    size_t step = text->len / (places < CHANGES_MAX ? places : CHANGES_MAX) + 1;

    for (size_t at = 0; at < text->len; at += step) {
        char kept = text->buf[at];

        try_bytes (text->buf, at);
        for (size_t i = 0; i < sizeof (bytes); i++) {
            text->buf[at] = bytes[i];
            try_bytes (text->buf, text->len);
        }
        text->buf[at] = kept;
    }
}

static int replay_file (const char *dir, const char *name)
{
    struct strbuf text = STRBUF_INIT;
    struct error err = ERROR_INIT;
    char *path = path_join (dir, name);
    int rc = file_read (path, CORPUS_BYTES_MAX, &text, &err);

    if (rc == 0) {
        try_bytes (text.buf, text.len);
        try_changed (&text);
        report ("corpus ", name);
    } else {
        printf ("not ok %d - %s\n", ++tests, err.text);
    }
    strbuf_release (&text);
    free (path);
    return rc;
}

static int replay_corpus (const char *dir)
{
    struct strvec names = STRVEC_INIT;
    struct error err = ERROR_INIT;
    int rc = file_list_dir (dir, &names, &err);

    if (rc < 0 || names.n == 0) {
        printf ("not ok %d - no corpus: %s\n", ++tests,
                rc < 0 ? err.text : dir);
        rc = -1;
    }
    for (size_t i = 0; i < names.n; i++)
        rc |= replay_file (dir, names.v[i]);
    strvec_release (&names);
    return rc;
}

/* --- too much of something --- */

static void try_repeated (const char *unit, size_t megabytes)
{
    size_t len = strlen (unit);
    size_t n = (megabytes << 20) / len;
    char *text = xmalloc (n * len);

    for (size_t i = 0; i < n; i++)
        memcpy (text + i * len, unit, len);
    try_bytes (text, n * len);
    free (text);
}

static void try_hostile (void)
{
    static const struct {
        const char *unit;
        size_t megabytes;
        const char *what;
    } cases[] = {
        { "[", 10, "opening brackets" },
        { "{", 10, "opening braces" },
        { "{\"a\":", 10, "nested objects" },
        { "(", 10, "opening parentheses" },
        { "]", 10, "closing brackets" },
        { "- ", 10, "nested lists" },
        { "a: ", 10, "nested mappings" },
        { "\"", 10, "quotes" },
        { "not ", 10, "prefixes" },
        { "1+", 1, "operators" },
        { "9", 1, "digits" },
        { "0-9,", 1, "ranges" },
        { "{{", 1, "literal braces" },
        { "\xff", 1, "bytes that are no text" },
        { "\t", 1, "tabs" },
        { "\r\n", 1, "empty lines" },
        { "1\n", 1, "short lines" },
    };

    try_bytes ("", 0);
    report ("", "nothing");
    for (int byte = 0; byte < 256; byte++)
        try_bytes (&(char){ (char)byte }, 1);
    report ("", "every single byte");
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        try_repeated (cases[i].unit, cases[i].megabytes);
        report ("megabytes of ", cases[i].what);
    }
}

/* ".../fuzz_yaml.t" -> ".../corpus/yaml".  Caller frees. */
static char *corpus_dir (const char *program)
{
    const char *top = getenv ("abs_top_srcdir");
    const char *name = path_base (program);
    int len;

    name += strncmp (name, "fuzz_", 5) == 0 ? 5 : 0;
    len = (int)strcspn (name, ".");
    return xasprintf ("%s/tests/fuzz/corpus/%.*s", top ? top : ".", len, name);
}

int main (int argc, char **argv)
{
    char *dir = corpus_dir (argc > 0 ? argv[0] : "");
    int rc = replay_corpus (dir);

    try_hostile ();
    printf ("1..%d\n", tests);
    free (dir);
    return rc == 0 ? 0 : 1;
}
