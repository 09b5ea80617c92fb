/* SPDX-License-Identifier: BSD-3-Clause */
/* calls.c - the system calls a crash or a fault may come at */
#include "base/base.h"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <unistd.h>

#include "calls.h"

/* Where the paths or the descriptor of a call are among its arguments. */
enum about {
    NOTHING,
    PATH_0,
    PATH_1, /* below the directory that argument 0 is, as *at() have it */
    PATHS_0_AND_1,
    PATHS_1_AND_3,
    FD_0,
    FD_2
};

enum { READS = 1, CHANGES = 2, STARTS = 4, BY_FLAGS = 8 };

struct kind {
    const char *name;
    unsigned number;
    enum about about;
    int does;
    int flags_at; /* of open: may it change something?  -1: any other */
};

#define CALL(name, about, does)                                                \
    {                                                                          \
#name, SYS_##name, about, does, -1                                     \
    }

static const struct kind kinds[] = {
#ifdef SYS_open /* those that newer architectures have no more */
    { "open", SYS_open, PATH_0, BY_FLAGS, 1 },
    CALL (creat, PATH_0, CHANGES),
    CALL (rename, PATHS_0_AND_1, CHANGES),
    CALL (link, PATHS_0_AND_1, CHANGES),
    CALL (symlink, PATHS_0_AND_1, CHANGES),
    CALL (unlink, PATH_0, CHANGES),
    CALL (rmdir, PATH_0, CHANGES),
    CALL (mkdir, PATH_0, CHANGES),
    CALL (mknod, PATH_0, CHANGES),
    CALL (chmod, PATH_0, CHANGES),
    CALL (chown, PATH_0, CHANGES),
    CALL (lchown, PATH_0, CHANGES),
    CALL (utime, PATH_0, CHANGES),
    CALL (utimes, PATH_0, CHANGES),
    CALL (futimesat, PATH_1, CHANGES),
    CALL (fork, NOTHING, STARTS),
    CALL (vfork, NOTHING, STARTS),
    CALL (stat, PATH_0, READS),
    CALL (lstat, PATH_0, READS),
    CALL (access, PATH_0, READS),
    CALL (readlink, PATH_0, READS),
#endif
#ifdef SYS_renameat
    CALL (renameat, PATHS_1_AND_3, CHANGES),
#endif
    { "openat", SYS_openat, PATH_1, BY_FLAGS, 2 },
    /* Its flags are out of the filter's sight. */
    CALL (openat2, PATH_1, CHANGES),
    CALL (write, FD_0, CHANGES),
    CALL (pwrite64, FD_0, CHANGES),
    CALL (writev, FD_0, CHANGES),
    CALL (pwritev, FD_0, CHANGES),
    CALL (pwritev2, FD_0, CHANGES),
    CALL (sendfile, FD_0, CHANGES),
    CALL (copy_file_range, FD_2, CHANGES),
    CALL (splice, FD_2, CHANGES),
    CALL (fallocate, FD_0, CHANGES),
    CALL (renameat2, PATHS_1_AND_3, CHANGES),
    CALL (linkat, PATHS_1_AND_3, CHANGES),
    CALL (symlinkat, PATH_0, CHANGES),
    CALL (unlinkat, PATH_1, CHANGES),
    CALL (mkdirat, PATH_1, CHANGES),
    CALL (mknodat, PATH_1, CHANGES),
    CALL (fchmodat, PATH_1, CHANGES),
#ifdef SYS_fchmodat2
    CALL (fchmodat2, PATH_1, CHANGES),
#endif
    CALL (fchmod, FD_0, CHANGES),
    CALL (fchownat, PATH_1, CHANGES),
    CALL (fchown, FD_0, CHANGES),
    CALL (utimensat, PATH_1, CHANGES),
    CALL (setxattr, PATH_0, CHANGES),
    CALL (lsetxattr, PATH_0, CHANGES),
    CALL (fsetxattr, FD_0, CHANGES),
    CALL (removexattr, PATH_0, CHANGES),
    CALL (fremovexattr, FD_0, CHANGES),
    CALL (truncate, PATH_0, CHANGES),
    CALL (ftruncate, FD_0, CHANGES),
    CALL (fsync, FD_0, CHANGES),
    CALL (fdatasync, FD_0, CHANGES),
    CALL (sync_file_range, FD_0, CHANGES),
    CALL (syncfs, FD_0, CHANGES),
    CALL (flock, FD_0, CHANGES),
    CALL (clone, NOTHING, STARTS),
    CALL (clone3, NOTHING, STARTS),
    CALL (execve, PATH_0, STARTS),
    CALL (execveat, PATH_1, STARTS),
    CALL (kill, NOTHING, STARTS),
    CALL (pidfd_send_signal, NOTHING, STARTS),
    CALL (exit_group, NOTHING, STARTS),
    CALL (read, FD_0, READS),
    CALL (pread64, FD_0, READS),
    CALL (newfstatat, PATH_1, READS),
    CALL (statx, PATH_1, READS),
    CALL (faccessat, PATH_1, READS),
    CALL (faccessat2, PATH_1, READS),
    CALL (readlinkat, PATH_1, READS),
    CALL (fstat, FD_0, READS),
    CALL (getdents64, FD_0, READS),
    CALL (close, FD_0, READS),
};

enum { N_KINDS = sizeof (kinds) / sizeof (kinds[0]) };

/* --- the filter --- */

enum { CHANGING_FLAGS = O_ACCMODE | O_CREAT | O_TRUNC };

#define WORD(member) (offsetof (struct seccomp_data, member))

/* If the number is this one's, stop. */
static int add_kind (struct sock_filter *f, const struct kind *kind)
{
    f[0] = (struct sock_filter)BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K,
                                         kind->number, 0, 1);
    f[1] = (struct sock_filter)BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_TRACE);
    return 2;
}

/* The same only if one of the flags changes something. */
static int add_changing_open (struct sock_filter *f, const struct kind *kind)
{
    f[0] = (struct sock_filter)BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K,
                                         kind->number, 0, 4);
    f[1] = (struct sock_filter)BPF_STMT (
        BPF_LD | BPF_W | BPF_ABS,
        (unsigned)(WORD (args) + 8 * (size_t)kind->flags_at
                   + (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 4 : 0)));
    f[2] = (struct sock_filter)BPF_JUMP (BPF_JMP | BPF_JSET | BPF_K,
                                         CHANGING_FLAGS, 0, 1);
    f[3] = (struct sock_filter)BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_TRACE);
    f[4] = (struct sock_filter)BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    return 5;
}

static int add_if_wanted (struct sock_filter *f, const struct kind *kind,
                          enum call_set set)
{
    int wanted = set == CALLS_OF_FILES ? READS | CHANGES : CHANGES | STARTS;

    if (kind->does & wanted)
        return add_kind (f, kind);
    if (kind->does & BY_FLAGS)
        return set == CALLS_OF_FILES ? add_kind (f, kind)
                                     : add_changing_open (f, kind);
    return 0;
}

int calls_stop_here (enum call_set set)
{
    struct sock_filter filter[5 * N_KINDS + 2];
    struct sock_fprog program = { .filter = filter };
    int n = 0;

    filter[n++] = (struct sock_filter)BPF_STMT (BPF_LD | BPF_W | BPF_ABS,
                                                (unsigned)WORD (nr));
    for (int i = 0; i < N_KINDS; i++)
        n += add_if_wanted (filter + n, &kinds[i], set);
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

/* The string at 'address', cut to 'size'. */
static void peek_string (pid_t pid, uint64_t address, char *to, size_t size)
{
    size_t n;

    /* Memory may end behind the string's page. */
    for (n = 0; n < size - 1;) {
        size_t page_left = 4096 - (size_t)((address + n) % 4096);
        size_t want = size - 1 - n < page_left ? size - 1 - n : page_left;
        size_t got = peek (pid, address + n, to + n, want);
        size_t len = strnlen (to + n, got);

        n += len;
        if (got == 0 || len < got)
            break;
    }
    to[n] = '\0';
}

static void read_proc_link (pid_t pid, const char *name, char *to, size_t size)
{
    char path[128];
    ssize_t n;

    snprintf (path, sizeof (path), "/proc/%d/%s", (int)pid, name);
    n = readlink (path, to, size - 1);
    to[n > 0 ? n : 0] = '\0';
}

/* Where the descriptor leads; empty when that is no file or directory. */
static void look_at_fd (pid_t pid, int fd, char *to, size_t size)
{
    char path[64];
    struct stat st;

    snprintf (path, sizeof (path), "/proc/%d/fd/%d", (int)pid, fd);
    to[0] = '\0';
    if (stat (path, &st) < 0
        || (!S_ISREG (st.st_mode) && !S_ISDIR (st.st_mode)))
        return;
    snprintf (path, sizeof (path), "fd/%d", fd);
    read_proc_link (pid, path, to, size);
}

/* A path argument, absolute; 'dir_fd' as openat has it.  An empty one is the
 * descriptor itself.
 */
static void look_at_path (pid_t pid, int dir_fd, uint64_t address, char *to,
                          size_t size)
{
    char text[CALL_PATH_SIZE];
    size_t len;

    peek_string (pid, address, text, sizeof (text));
    if (text[0] == '/') {
        snprintf (to, size, "%s", text);
        return;
    }
    if (dir_fd == AT_FDCWD)
        read_proc_link (pid, "cwd", to, size);
    else
        look_at_fd (pid, dir_fd, to, size);
    len = strlen (to);
    if (len > 0 && text[0] && strcmp (text, ".") != 0)
        snprintf (to + len, size - len, "/%s",
                  text + (strncmp (text, "./", 2) == 0 ? 2 : 0));
}

/* Both arguments are seen from the working directory, or each from the
 * descriptor before it.
 */
static void look_at_paths (pid_t pid, struct call *call, int first, int second,
                           int with_dirs)
{
    const uint64_t *a = call->args;

    look_at_path (pid, with_dirs ? (int)a[first - 1] : AT_FDCWD, a[first],
                  call->path, sizeof (call->path));
    if (second >= 0)
        look_at_path (pid, with_dirs ? (int)a[second - 1] : AT_FDCWD, a[second],
                      call->path_2, sizeof (call->path_2));
}

static void look_at_files (pid_t pid, enum about about, struct call *call)
{
    switch (about) {
    case NOTHING:
        break;
    case PATH_0:
        look_at_paths (pid, call, 0, -1, 0);
        break;
    case PATH_1:
        look_at_paths (pid, call, 1, -1, 1);
        break;
    case PATHS_0_AND_1:
        look_at_paths (pid, call, 0, 1, 0);
        break;
    case PATHS_1_AND_3:
        look_at_paths (pid, call, 1, 3, 1);
        break;
    case FD_0:
        look_at_fd (pid, (int)call->args[0], call->path, sizeof (call->path));
        break;
    case FD_2:
        look_at_fd (pid, (int)call->args[2], call->path, sizeof (call->path));
        break;
    }
}

static bool takes_space (const struct kind *kind, const struct call *call)
{
    static const char *const takers[] = {
        "creat",  "link",     "linkat",    "symlink",   "mkdir", "mkdirat",
        "write",  "pwrite64", "writev",    "fallocate", "fsync", "fdatasync",
        "rename", "renameat", "renameat2", "symlinkat"
    };

    if (kind->flags_at >= 0)
        return (call->args[kind->flags_at] & O_CREAT) != 0;
    for (size_t i = 0; i < sizeof (takers) / sizeof (takers[0]); i++) {
        if (strcmp (kind->name, takers[i]) == 0)
            return true;
    }
    return false;
}

void calls_look (pid_t pid, struct call *call)
{
    struct __ptrace_syscall_info info;
    const struct kind *kind = kinds;

    memset (call, 0, sizeof (*call));
    if (ptrace (PTRACE_GET_SYSCALL_INFO, pid, sizeof (info), &info) <= 0
        || info.op != PTRACE_SYSCALL_INFO_SECCOMP)
        return;
    while (kind < kinds + N_KINDS && kind->number != info.seccomp.nr)
        kind++;
    if (kind == kinds + N_KINDS)
        return;
    memcpy (call->args, info.seccomp.args, sizeof (call->args));
    look_at_files (pid, kind->about, call);
    if ((kind->about == FD_0 || kind->about == FD_2) && !call->path[0])
        return;
    call->name = kind->name;
    call->opens = kind->flags_at >= 0;
    call->has_path =
        kind->about != FD_0 && kind->about != FD_2 && kind->about != NOTHING;
    call->takes_space = takes_space (kind, call);
    call->changes =
        (kind->does & CHANGES) != 0
        || (call->opens && (call->args[kind->flags_at] & CHANGING_FLAGS) != 0);
    call->is_write = strcmp (kind->name, "write") == 0;
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
        perror (call->path);
    if (fd >= 0)
        close (fd);
    free (bytes);
}

/* --- changing what happens --- */

#if defined(__x86_64__)

int calls_skip (pid_t pid, long result)
{
    struct user_regs_struct regs;

    if (ptrace (PTRACE_GETREGS, pid, 0, &regs) < 0)
        return -1;
    regs.orig_rax = (unsigned long long)-1;
    regs.rax = (unsigned long long)result;
    return (int)ptrace (PTRACE_SETREGS, pid, 0, &regs);
}

int calls_set_result (pid_t pid, long result)
{
    struct user_regs_struct regs;

    if (ptrace (PTRACE_GETREGS, pid, 0, &regs) < 0)
        return -1;
    regs.rax = (unsigned long long)result;
    return (int)ptrace (PTRACE_SETREGS, pid, 0, &regs);
}

int calls_shorten (pid_t pid, const struct call *call)
{
    struct user_regs_struct regs;

    if (ptrace (PTRACE_GETREGS, pid, 0, &regs) < 0)
        return -1;
    regs.rdx = (call->args[2] + 1) / 2;
    return (int)ptrace (PTRACE_SETREGS, pid, 0, &regs);
}

#elif defined(__aarch64__)

enum { SYSTEM_CALL_REGS = 0x404 }; /* NT_ARM_SYSTEM_CALL */

static int set_register (pid_t pid, int which, unsigned long long value)
{
    struct user_pt_regs regs;
    struct iovec all = { &regs, sizeof (regs) };

    if (ptrace (PTRACE_GETREGSET, pid, 1 /* NT_PRSTATUS */, &all) < 0)
        return -1;
    regs.regs[which] = value;
    return (int)ptrace (PTRACE_SETREGSET, pid, 1, &all);
}

int calls_skip (pid_t pid, long result)
{
    int none = -1;
    struct iovec number = { &none, sizeof (none) };

    if (ptrace (PTRACE_SETREGSET, pid, SYSTEM_CALL_REGS, &number) < 0)
        return -1;
    return set_register (pid, 0, (unsigned long long)result);
}

int calls_set_result (pid_t pid, long result)
{
    return set_register (pid, 0, (unsigned long long)result);
}

int calls_shorten (pid_t pid, const struct call *call)
{
    return set_register (pid, 2, (call->args[2] + 1) / 2);
}

#else /* nobody has told us where its registers are */

int calls_skip (pid_t pid, long result)
{
    (void)pid;
    (void)result;
    return -1;
}

int calls_set_result (pid_t pid, long result)
{
    return calls_skip (pid, result);
}

int calls_shorten (pid_t pid, const struct call *call)
{
    (void)call;
    return calls_skip (pid, 0);
}

#endif
