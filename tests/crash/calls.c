/* SPDX-License-Identifier: BSD-3-Clause */
/* calls.c - the system calls a crash may come before */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "calls.h"

/* What there is to say about a call. */
enum about { NOTHING, PATH_0, PATH_1, PATH_1_AND_3, PATHS_0_AND_1, FD_0, FD_2 };

struct kind {
    const char *name;
    unsigned number;
    enum about about;
    int flags_at; /* only with open flags that may change something; or -1 */
};

#define CALL(name, about)                                                      \
    {                                                                          \
#name, SYS_##name, about, -1                                           \
    }

static const struct kind kinds[] = {
#ifdef SYS_open /* those that newer architectures have no more */
    { "open", SYS_open, PATH_0, 1 },
    CALL (creat, PATH_0),
    CALL (rename, PATHS_0_AND_1),
    CALL (link, PATHS_0_AND_1),
    CALL (symlink, PATHS_0_AND_1),
    CALL (unlink, PATH_0),
    CALL (rmdir, PATH_0),
    CALL (mkdir, PATH_0),
    CALL (mknod, PATH_0),
    CALL (chmod, PATH_0),
    CALL (chown, PATH_0),
    CALL (lchown, PATH_0),
    CALL (utime, PATH_0),
    CALL (utimes, PATH_0),
    CALL (futimesat, PATH_1),
    CALL (fork, NOTHING),
    CALL (vfork, NOTHING),
#endif
#ifdef SYS_renameat
    CALL (renameat, PATH_1_AND_3),
#endif
    { "openat", SYS_openat, PATH_1, 2 },
    CALL (openat2, PATH_1), /* its flags are out of the filter's sight */
    CALL (write, FD_0),
    CALL (pwrite64, FD_0),
    CALL (writev, FD_0),
    CALL (pwritev, FD_0),
    CALL (pwritev2, FD_0),
    CALL (sendfile, FD_0),
    CALL (copy_file_range, FD_2),
    CALL (splice, FD_2),
    CALL (fallocate, FD_0),
    CALL (renameat2, PATH_1_AND_3),
    CALL (linkat, PATH_1_AND_3),
    CALL (symlinkat, PATH_0),
    CALL (unlinkat, PATH_1),
    CALL (mkdirat, PATH_1),
    CALL (mknodat, PATH_1),
    CALL (fchmodat, PATH_1),
#ifdef SYS_fchmodat2
    CALL (fchmodat2, PATH_1),
#endif
    CALL (fchmod, FD_0),
    CALL (fchownat, PATH_1),
    CALL (fchown, FD_0),
    CALL (utimensat, PATH_1),
    CALL (setxattr, PATH_0),
    CALL (lsetxattr, PATH_0),
    CALL (fsetxattr, FD_0),
    CALL (removexattr, PATH_0),
    CALL (fremovexattr, FD_0),
    CALL (truncate, PATH_0),
    CALL (ftruncate, FD_0),
    CALL (fsync, FD_0),
    CALL (fdatasync, FD_0),
    CALL (sync_file_range, FD_0),
    CALL (syncfs, FD_0),
    CALL (flock, FD_0),
    CALL (clone, NOTHING),
    CALL (clone3, NOTHING),
    CALL (execve, PATH_0),
    CALL (execveat, PATH_1),
    CALL (kill, NOTHING),
    CALL (pidfd_send_signal, NOTHING),
    CALL (exit_group, NOTHING),
};

enum { N_KINDS = sizeof (kinds) / sizeof (kinds[0]) };

/* --- the filter --- */

enum { CHANGING_FLAGS = O_ACCMODE | O_CREAT | O_TRUNC };

#define WORD(member) (offsetof (struct seccomp_data, member))

/* If the number is this one's, stop; with flags to look at, only if any of
 * them changes something.
 */
static int add_kind (struct sock_filter *f, const struct kind *kind)
{
    const struct sock_filter stop =
        BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_TRACE);
    const struct sock_filter allow =
        BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    int n = 0;

    if (kind->flags_at < 0) {
        f[n++] = (struct sock_filter)BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K,
                                               kind->number, 0, 1);
        f[n++] = stop;
        return n;
    }
    f[n++] = (struct sock_filter)BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K,
                                           kind->number, 0, 4);
    f[n++] = (struct sock_filter)BPF_STMT (
        BPF_LD | BPF_W | BPF_ABS,
        (unsigned)(WORD (args) + 8 * (size_t)kind->flags_at
                   + (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 4 : 0)));
    f[n++] = (struct sock_filter)BPF_JUMP (BPF_JMP | BPF_JSET | BPF_K,
                                           CHANGING_FLAGS, 0, 1);
    f[n++] = stop;
    f[n++] = allow;
    return n;
}

int calls_stop_here (void)
{
    struct sock_filter filter[5 * N_KINDS + 2];
    struct sock_fprog program = { .filter = filter };
    int n = 0;

    filter[n++] = (struct sock_filter)BPF_STMT (BPF_LD | BPF_W | BPF_ABS,
                                                (unsigned)WORD (nr));
    for (int i = 0; i < N_KINDS; i++)
        n += add_kind (filter + n, &kinds[i]);
    filter[n++] =
        (struct sock_filter)BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    program.len = (unsigned short)n;
    if (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
        return -1;
    return prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/* --- looking --- */

/* Copy from the process's memory; how much could be had. */
static size_t peek (pid_t pid, uint64_t address, char *to, size_t size)
{
    char path[64];
    ssize_t n;
    int fd;

    snprintf (path, sizeof (path), "/proc/%d/mem", (int)pid);
    if ((fd = open (path, O_RDONLY | O_CLOEXEC)) < 0)
        return 0;
    n = pread (fd, to, size, (off_t)address);
    close (fd);
    return n > 0 ? (size_t)n : 0;
}

static void add_string (pid_t pid, uint64_t address, struct call *call)
{
    size_t at = strlen (call->detail);
    size_t room = sizeof (call->detail) - at - 1;
    size_t n;

    if (at > 0 && room > 1) {
        call->detail[at++] = '>';
        room--;
    }
    /* Memory may end behind the string's page. */
    for (n = 0; n < room;) {
        size_t page_left = 4096 - (size_t)((address + n) % 4096);
        size_t want = room - n < page_left ? room - n : page_left;
        size_t got = peek (pid, address + n, call->detail + at + n, want);
        size_t len = strnlen (call->detail + at + n, got);

        n += len;
        if (got == 0 || len < got)
            break;
    }
    call->detail[at + n] = '\0';
    for (char *p = call->detail; (p = strpbrk (p, " \n")); p++)
        *p = '_';
}

/* The file behind the descriptor; empty when it is none. */
static void add_file (pid_t pid, uint64_t fd, struct call *call)
{
    char path[64];
    struct stat st;
    ssize_t n;

    snprintf (path, sizeof (path), "/proc/%d/fd/%d", (int)pid, (int)fd);
    if (stat (path, &st) < 0
        || (!S_ISREG (st.st_mode) && !S_ISDIR (st.st_mode)))
        return;
    n = readlink (path, call->detail, sizeof (call->detail) - 1);
    call->detail[n > 0 ? n : 0] = '\0';
}

static void describe (pid_t pid, enum about about, struct call *call)
{
    switch (about) {
    case NOTHING:
        break;
    case PATH_0:
        add_string (pid, call->args[0], call);
        break;
    case PATH_1:
        add_string (pid, call->args[1], call);
        break;
    case PATHS_0_AND_1:
        add_string (pid, call->args[0], call);
        add_string (pid, call->args[1], call);
        break;
    case PATH_1_AND_3:
        add_string (pid, call->args[1], call);
        add_string (pid, call->args[3], call);
        break;
    case FD_0:
        add_file (pid, call->args[0], call);
        break;
    case FD_2:
        add_file (pid, call->args[2], call);
        break;
    }
}

void calls_look (pid_t pid, struct call *call)
{
    struct __ptrace_syscall_info info;
    int i;

    memset (call, 0, sizeof (*call));
    if (ptrace (PTRACE_GET_SYSCALL_INFO, pid, sizeof (info), &info) <= 0
        || info.op != PTRACE_SYSCALL_INFO_SECCOMP)
        return;
    for (i = 0; i < N_KINDS && kinds[i].number != info.seccomp.nr; i++)
        continue;
    if (i == N_KINDS)
        return;
    memcpy (call->args, info.seccomp.args, sizeof (call->args));
    describe (pid, kinds[i].about, call);
    call->is_write = strcmp (kinds[i].name, "write") == 0;
    if ((kinds[i].about != FD_0 && kinds[i].about != FD_2) || call->detail[0])
        call->name = kinds[i].name;
}

void calls_tear (pid_t pid, const struct call *call)
{
    size_t half = (size_t)call->args[2] / 2;
    char *bytes = malloc (half + 1);
    char path[64];
    int fd;

    snprintf (path, sizeof (path), "/proc/%d/fd/%d", (int)pid,
              (int)call->args[0]);
    fd = open (path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (fd >= 0 && bytes && peek (pid, call->args[1], bytes, half) == half
        && write (fd, bytes, half) < 0)
        perror (call->detail);
    if (fd >= 0)
        close (fd);
    free (bytes);
}
