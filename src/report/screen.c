/* SPDX-License-Identifier: BSD-3-Clause */
/* screen.c - the live screen of `run` and `status --watch` on a terminal */
#include "base/base.h"

#include <unistd.h>

#include "base/clock.h"
#include "base/terminal.h"
#include "report/live_view.h"
#include "report/screen.h"

/* Of what was told no more is kept. */
enum { SAID_MOST = 2000 };

/* How often the time of day is drawn. */
#define CLOCK_S 1.0

struct screen {
    struct terminal *terminal;
    struct screen_look look;
    const char *keys;
    struct live_view view;
    bool has_view;
    double drawn_s;      /* mono */
    struct strvec said;  /* the latest last */
    int64_t forgotten;   /* lines before them */
    FILE **messages;     /* lent: stderr */
    FILE *messages_were; /* NULL: it still is */
    struct strbuf begun; /* of a line on stderr that has no end yet */
};

/* --- what is told --- */

static void forget_first (struct screen *screen)
{
    struct strvec *said = &screen->said;

    free (said->v[0]);
    memmove (said->v, said->v + 1, said->n * sizeof (*said->v));
    said->n--;
    screen->forgotten++;
}

void screen_say (struct screen *screen, const char *line)
{
    if (screen->said.n == SAID_MOST)
        forget_first (screen);
    strvec_push (&screen->said, line);
    screen->drawn_s = 0;
}

/* What is printed on stderr, line by line. */
static ssize_t take_error (void *cookie, const char *bytes, size_t n)
{
    struct screen *screen = cookie;

    for (size_t i = 0; i < n; i++) {
        if (bytes[i] != '\n') {
            strbuf_add_char (&screen->begun, bytes[i]);
            continue;
        }
        screen_say (screen, screen->begun.buf);
        strbuf_reset (&screen->begun);
    }
    return (ssize_t)n;
}

static void take_errors (struct screen *screen)
{
    FILE *made;

    if (!isatty (STDERR_FILENO))
        return;
    made = fopencookie (screen, "w",
                        (cookie_io_functions_t){ .write = take_error });
    if (!made)
        return;
    setvbuf (made, NULL, _IONBF, 0);
    screen->messages_were = *screen->messages;
    *screen->messages = made;
}

static void give_errors_back (struct screen *screen)
{
    if (!screen->messages_were)
        return;
    fclose (*screen->messages);
    *screen->messages = screen->messages_were;
    if (screen->begun.len > 0)
        screen_say (screen, screen->begun.buf);
}

/* --- the screen --- */

struct screen *screen_open (int fd, const char *keys, FILE **messages)
{
    struct terminal *terminal = terminal_open (fd);
    struct screen *screen;

    if (!terminal)
        return NULL;
    screen = xcalloc (1, sizeof (*screen));
    *screen = (struct screen){
        .terminal = terminal,
        .keys = keys,
        .messages = messages,
        .look = { .colour = terminal_has_colour (getenv ("TERM"),
                                                 getenv ("COLORTERM"),
                                                 getenv ("NO_COLOR")),
                  .utf8 =
                      terminal_has_utf8 (getenv ("LC_ALL"), getenv ("LC_CTYPE"),
                                         getenv ("LANG")) },
        .said = STRVEC_INIT,
        .begun = STRBUF_INIT,
    };
    take_errors (screen);
    return screen;
}

static void draw (struct screen *screen)
{
    _cleanup_ (strvec_release) struct strvec lines = STRVEC_INIT;
    char now[CLOCK_ISO_SIZE];

    if (!screen->has_view)
        return;
    clock_iso_here (clock_wall_s (), now);
    now[strlen ("2026-11-21T03:43:10")] = '\0';
    terminal_size (screen->terminal, &screen->look.width, &screen->look.height);
    live_view_lines (&screen->view, &screen->look, &screen->said,
                     now + strlen ("2026-11-21T"), screen->keys, &lines);
    terminal_draw (screen->terminal, &lines);
    screen->drawn_s = clock_mono_s ();
}

void screen_show (struct screen *screen, struct live_view *view)
{
    live_view_release (&screen->view);
    screen->view = *view;
    memset (view, 0, sizeof (*view));
    screen->has_view = true;
    draw (screen);
}

bool screen_wait (struct screen *screen, double s)
{
    double end_s = clock_mono_s () + s;
    int width = screen->look.width, height = screen->look.height;
    int key = terminal_key (screen->terminal, s);

    terminal_size (screen->terminal, &width, &height);
    if (width != screen->look.width || height != screen->look.height
        || (key == 0 && clock_mono_s () < end_s)
        || clock_mono_s () >= screen->drawn_s + CLOCK_S)
        draw (screen);
    return key < 0 || key == 'q' || key == 'Q';
}

void screen_close (struct screen *screen, FILE *to)
{
    if (!screen)
        return;
    terminal_close (screen->terminal);
    give_errors_back (screen);
    if (to && screen->forgotten > 0)
        fprintf (to, "(%lld lines before: `fanfold explain STAGE` tells)\n",
                 (long long)screen->forgotten);
    for (size_t i = 0; to && i < screen->said.n; i++)
        fprintf (to, "%s\n", screen->said.v[i]);
    live_view_release (&screen->view);
    strvec_release (&screen->said);
    strbuf_release (&screen->begun);
    free (screen);
}
