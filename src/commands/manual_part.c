/* SPDX-License-Identifier: BSD-3-Clause */
/* manual_part.c - the items of one command, cut out and formatted */
#include "base/base.h"

#include <unistd.h>

#include "base/file.h"
#include "base/process.h"
#include "commands/manual_part.h"

/* --- cut out --- */

static bool begins (const char *line, const char *word)
{
    return strncmp (line, word, strlen (word)) == 0;
}

/* ".It Cm NAME ..." */
static bool is_item_of (const char *line, const char *command)
{
    static const char item[] = ".It Cm ";
    size_t n = strlen (command);

    return begins (line, item)
           && strncmp (line + strlen (item), command, n) == 0
           && (line[strlen (item) + n] == ' '
               || line[strlen (item) + n] == '\n');
}

bool manual_part_cut (const char *const *lines, const char *command,
                      struct strbuf *page)
{
    size_t before = page->len;
    bool commands = false, here = false, found = false;
    int depth = 0;

    strbuf_add_str (page, ".Dd\n.Dt FANFOLD 1\n.Os\n.Sh MANUAL\n"
                          ".Bl -tag -width Ds\n");
    for (; *lines; lines++) {
        if (begins (*lines, ".Sh "))
            commands = begins (*lines, ".Sh COMMANDS");
        if (!commands)
            continue;
        if (depth == 1 && begins (*lines, ".It "))
            here = is_item_of (*lines, command);
        depth += begins (*lines, ".Bl ") - begins (*lines, ".El");
        here = here && depth > 0;
        found = found || here;
        if (here)
            strbuf_add_str (page, *lines);
    }
    strbuf_add_str (page, ".El\n");
    if (!found)
        strbuf_truncate (page, before);
    return found;
}

/* --- formatted --- */

void overstrikes_remove (struct strbuf *text)
{
    size_t n = 0;

    for (size_t i = 0; i < text->len; i++) {
        if (text->buf[i] != '\b') {
            text->buf[n++] = text->buf[i];
            continue;
        }
        while (n > 0 && (text->buf[n - 1] & 0xc0) == 0x80)
            n--;
        n -= n > 0;
    }
    strbuf_truncate (text, n);
}

/* Without the page's head, the section's title and the page's foot. */
static void add_body (const struct strbuf *page, struct strbuf *text)
{
    const char *from = strstr (page->buf, "MANUAL\n");
    size_t end = page->len;

    if (!from)
        return;
    from += strlen ("MANUAL\n");
    while (end > 0 && page->buf[end - 1] == '\n')
        end--;
    while (end > 0 && page->buf[end - 1] != '\n')
        end--;
    while (end > 0 && page->buf[end - 1] == '\n')
        end--;
    if (page->buf + end > from) {
        strbuf_add (text, from, (size_t)(page->buf + end - from));
        strbuf_add_char (text, '\n');
    }
}

static bool format_by (const char *const *argv, const char *path,
                       struct strbuf *text)
{
    struct process_spec spec = PROCESS_SPEC_INIT;
    _cleanup_ (process_result_release) struct process_result result =
        PROCESS_RESULT_INIT;
    _cleanup_free_ char *program = process_which (argv[0], NULL);
    size_t before = text->len;

    spec.argv = argv;
    spec.stdin_path = path;
    spec.deadline_s = 10;
    if (!program || process_run (&spec, &result, NULL) < 0
        || !process_succeeded (&result))
        return false;
    overstrikes_remove (&result.out);
    add_body (&result.out, text);
    return text->len > before;
}

static bool format (const char *path, struct strbuf *text)
{
    static const char *const mandoc[] = { "mandoc", "-T", "locale", NULL };
    static const char *const nroff[] = { "nroff", "-mdoc", NULL };

    return format_by (mandoc, path, text) || format_by (nroff, path, text);
}

bool manual_part_text (const char *command, struct strbuf *text)
{
    _cleanup_ (strbuf_release) struct strbuf page = STRBUF_INIT;
    const char *dir = getenv ("TMPDIR");
    _cleanup_free_ char *path =
        path_join (dir && *dir ? dir : "/tmp", "fanfold-manual-XXXXXX");
    _cleanup_fd_ int fd = -1;
    bool well;

    if (!manual_part_cut (manual_lines, command, &page)
        || (fd = mkstemp (path)) < 0)
        return false;
    well = file_write_all (fd, page.buf, page.len, NULL) == 0
           && format (path, text);
    unlink (path);
    return well;
}
