/* SPDX-License-Identifier: BSD-3-Clause */
/* terminal.c - a terminal that shows one screen and reads single keys */
#include "base/base.h"

#include <poll.h>
#include <signal.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <unistd.h>

#include "base/file.h"
#include "base/terminal.h"

/* Alternate screen, no cursor, lines that are too long are cut; and back. */
#define ENTER "\033[?1049h\033[?25l\033[?7l\033[2J"
#define LEAVE "\033[?7h\033[?25h\033[?1049l"

struct terminal {
    int fd;
    int signals_fd;
    sigset_t signals, before; /* that it waits for; the mask before it */
    struct termios was;
    bool shown;        /* the screen is on it, and keys come singly */
    int columns, rows; /* when it was drawn last */
    struct strvec drawn;
};

/* --- what it can do --- */

static bool is_set (const char *value)
{
    return value && *value;
}

bool terminal_has_colour (const char *term, const char *colorterm,
                          const char *no_color)
{
    static const char *const with[] = { "xterm", "screen", "tmux",
                                        "rxvt",  "linux",  "konsole",
                                        "vte",   "putty",  "alacritty",
                                        "kitty", "foot",   "st-",
                                        "ansi",  "cygwin", "wezterm" };

    if (is_set (no_color) || !is_set (term) || strcmp (term, "dumb") == 0
        || strstr (term, "mono"))
        return false;
    for (size_t i = 0; i < ARRAY_SIZE (with); i++) {
        if (strncmp (term, with[i], strlen (with[i])) == 0)
            return true;
    }
    return strstr (term, "color") || is_set (colorterm);
}

bool terminal_has_utf8 (const char *lc_all, const char *lc_ctype,
                        const char *lang)
{
    const char *locale = is_set (lc_all)     ? lc_all
                         : is_set (lc_ctype) ? lc_ctype
                                             : lang;

    return locale
           && (strcasestr (locale, "utf-8") || strcasestr (locale, "utf8"));
}

int terminal_columns (int fd)
{
    struct winsize size = { .ws_col = 0 };
    const char *paged = getenv (TERMINAL_PAGED);

    if (fd == STDOUT_FILENO && paged && !isatty (fd))
        return atoi (paged);
    return isatty (fd) && ioctl (fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

void terminal_size (const struct terminal *terminal, int *columns, int *rows)
{
    struct winsize size = { .ws_col = 0 };

    ioctl (terminal->fd, TIOCGWINSZ, &size);
    *columns = size.ws_col > 0 ? size.ws_col : 80;
    *rows = size.ws_row > 0 ? size.ws_row : 24;
}

/* --- taken and given back --- */

static bool is_in_foreground (int fd)
{
    return tcgetpgrp (fd) == getpgrp ();
}

static void write_all (const struct terminal *terminal, const char *text)
{
    file_write_all (terminal->fd, text, strlen (text), NULL);
}

/* Keys come singly and are not shown; Ctrl-C and Ctrl-Z are signals still, and
 * Ctrl-\, after which nothing could be made as it was, is none.
 */
static void show (struct terminal *terminal)
{
    struct termios single;

    if (terminal->shown || !is_in_foreground (terminal->fd)
        || tcgetattr (STDIN_FILENO, &terminal->was) < 0)
        return;
    single = terminal->was;
    single.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    single.c_cc[VMIN] = 1;
    single.c_cc[VTIME] = 0;
    single.c_cc[VQUIT] = _POSIX_VDISABLE;
    tcsetattr (STDIN_FILENO, TCSANOW, &single);
    write_all (terminal, ENTER);
    strvec_release (&terminal->drawn);
    terminal->shown = true;
}

static void give_back (struct terminal *terminal)
{
    if (!terminal->shown)
        return;
    write_all (terminal, LEAVE);
    tcsetattr (STDIN_FILENO, TCSANOW, &terminal->was);
    terminal->shown = false;
}

struct terminal *terminal_open (int fd)
{
    static const int signals[] = { SIGWINCH, SIGTSTP, SIGCONT };
    const char *term = getenv ("TERM");
    struct terminal *terminal;

    if (!is_set (term) || strcmp (term, "dumb") == 0 || !isatty (fd)
        || !isatty (STDIN_FILENO) || !is_in_foreground (fd))
        return NULL;
    terminal = xcalloc (1, sizeof (*terminal));
    terminal->fd = fd;
    terminal->drawn = (struct strvec)STRVEC_INIT;
    sigemptyset (&terminal->signals);
    for (size_t i = 0; i < ARRAY_SIZE (signals); i++)
        sigaddset (&terminal->signals, signals[i]);
    terminal->signals_fd =
        signalfd (-1, &terminal->signals, SFD_CLOEXEC | SFD_NONBLOCK);
    sigaddset (&terminal->signals, SIGTTOU);
    sigprocmask (SIG_BLOCK, &terminal->signals, &terminal->before);
    show (terminal);
    return terminal;
}

void terminal_close (struct terminal *terminal)
{
    if (!terminal)
        return;
    give_back (terminal);
    close (terminal->signals_fd);
    sigprocmask (SIG_SETMASK, &terminal->before, NULL);
    strvec_release (&terminal->drawn);
    free (terminal);
}

/* --- drawing --- */

static void add_changed (const struct terminal *terminal,
                         const struct strvec *lines, struct strbuf *out)
{
    const struct strvec *drawn = &terminal->drawn;

    for (size_t i = 0; i < lines->n || i < drawn->n; i++) {
        const char *line = i < lines->n ? lines->v[i] : "";

        if (i < drawn->n && strcmp (line, drawn->v[i]) == 0)
            continue;
        strbuf_addf (out, "\033[%zu;1H\033[K%s", i + 1, line);
    }
}

void terminal_draw (struct terminal *terminal, const struct strvec *lines)
{
    _cleanup_ (strbuf_release) struct strbuf out = STRBUF_INIT;
    int columns, rows;

    show (terminal);
    if (!terminal->shown || !is_in_foreground (terminal->fd))
        return;
    terminal_size (terminal, &columns, &rows);
    if (columns != terminal->columns || rows != terminal->rows) {
        strbuf_add_str (&out, "\033[2J");
        strvec_release (&terminal->drawn);
        terminal->columns = columns;
        terminal->rows = rows;
    }
    add_changed (terminal, lines, &out);
    if (out.len > 0)
        write_all (terminal, out.buf);
    strvec_release (&terminal->drawn);
    strvec_push_all (&terminal->drawn, lines->v);
}

/* --- keys --- */

/* A process that no shell watches does not stop. */
static void stop (struct terminal *terminal)
{
    sigset_t stops;

    give_back (terminal);
    sigemptyset (&stops);
    sigaddset (&stops, SIGTSTP);
    raise (SIGTSTP);
    sigprocmask (SIG_UNBLOCK, &stops, NULL); /* here it stops */
    sigprocmask (SIG_BLOCK, &stops, NULL);
    show (terminal);
}

static void take_signals (struct terminal *terminal)
{
    struct signalfd_siginfo info;

    while (read (terminal->signals_fd, &info, sizeof (info)) == sizeof (info)) {
        if (info.ssi_signo == SIGTSTP)
            stop (terminal);
        /* Whoever stopped it may have made the terminal its own. */
        if (info.ssi_signo == SIGCONT && is_in_foreground (terminal->fd)) {
            give_back (terminal);
            show (terminal);
        }
    }
}

int terminal_key (struct terminal *terminal, double s)
{
    struct pollfd fds[] = { { .fd = terminal->signals_fd, .events = POLLIN },
                            { .fd = STDIN_FILENO, .events = POLLIN } };
    bool reads = terminal->shown && is_in_foreground (terminal->fd);
    unsigned char key;
    ssize_t n;

    if (poll (fds, reads ? 2 : 1, (int)(s * 1000)) <= 0)
        return 0;
    if (fds[0].revents)
        take_signals (terminal);
    if (!reads || !fds[1].revents)
        return 0;
    n = read (STDIN_FILENO, &key, 1);
    if (n == 1)
        return key;
    return n < 0 && (errno == EINTR || errno == EAGAIN) ? 0 : -1;
}
