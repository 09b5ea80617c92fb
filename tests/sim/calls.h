/* SPDX-License-Identifier: BSD-3-Clause */
/* calls.h - what the linker leads the program's calls to
 *
 * Each stands for the function of its name without __wrap_.
 */
#ifndef TESTS_SIM_CALLS_H
#define TESTS_SIM_CALLS_H

#include <dirent.h>
#include <glob.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/types.h>
#include <time.h>

#include "agent/short_path.h"
#include "agent/shortage.h"
#include "agent/orphan_processes.h"
#include "base/spawn.h"
#include "base/process.h"
#include "base/tree_walk.h"
#include "placement/slots.h"

/* calls.c */
int __wrap_open (const char *path, int flags, ...);
int __wrap_close (int fd);
ssize_t __wrap_pread (int fd, void *out, size_t len, off_t offset);
ssize_t __wrap_read (int fd, void *out, size_t len);
ssize_t __wrap_write (int fd, const void *bytes, size_t len);
off_t __wrap_lseek (int fd, off_t offset, int whence);
int __wrap_fsync (int fd);
int __wrap_ftruncate (int fd, off_t len);
int __wrap_fstat (int fd, struct stat *st);
int __wrap_stat (const char *path, struct stat *st);
int __wrap_lstat (const char *path, struct stat *st);
int __wrap_access (const char *path, int mode);
char *__wrap_realpath (const char *path, char *resolved);
int __wrap_chmod (const char *path, mode_t mode);
int __wrap_mkdir (const char *path, mode_t mode);
int __wrap_rmdir (const char *path);
int __wrap_unlink (const char *path);
int __wrap_remove (const char *path);
int __wrap_link (const char *from, const char *to);
int __wrap_rename (const char *from, const char *to);
DIR *__wrap_opendir (const char *path);
struct dirent *__wrap_readdir (DIR *dir);
int __wrap_closedir (DIR *dir);
int __wrap_glob (const char *pattern, int flags,
                 int (*failed) (const char *path, int number), glob_t *out);
int __real_glob (const char *pattern, int flags,
                 int (*failed) (const char *path, int number), glob_t *out);
int __wrap_openat (int dir_fd, const char *path, int flags, ...);
int __wrap_mkdirat (int dir_fd, const char *path, mode_t mode);
int __wrap_renameat (int from_fd, const char *from, int to_fd, const char *to);
int __wrap_unlinkat (int dir_fd, const char *path, int flags);
int __wrap_fchmodat (int dir_fd, const char *path, mode_t mode, int flags);
int __wrap_fallocate (int fd, int mode, off_t offset, off_t len);
int __wrap_statvfs (const char *path, struct statvfs *fs);
FILE *__wrap_fopen (const char *path, const char *mode);
int __wrap_clock_gettime (clockid_t id, struct timespec *now);
int __wrap_nanosleep (const struct timespec *nap, struct timespec *left);
ssize_t __wrap_getrandom (void *out, size_t len, unsigned int flags);
int __wrap_gethostname (char *name, size_t len);

/* process_calls.c */
pid_t __wrap_getpid (void);
int __wrap_sigprocmask (int how, const sigset_t *set, sigset_t *before);
int __wrap_sigaction (int sig, const struct sigaction *action,
                      struct sigaction *before);
int __wrap_sigtimedwait (const sigset_t *set, siginfo_t *info,
                         const struct timespec *timeout);
int __wrap_prctl (int option, ...);
int __wrap_kill (pid_t pid, int sig);
pid_t __wrap_waitpid (pid_t pid, int *status, int options);
pid_t __wrap_wait4 (pid_t pid, int *status, int options, struct rusage *usage);
pid_t __real_wait4 (pid_t pid, int *status, int options, struct rusage *usage);

/* The program's own: a change of one must not compile until its stand-in has
 * changed, too.
 */
__typeof__ (tree_walk) __wrap_tree_walk;
__typeof__ (process_start_ticks) __wrap_process_start_ticks;
__typeof__ (spawn) __wrap_spawn;
__typeof__ (process_run) __wrap_process_run;
__typeof__ (slots_cut) __wrap_slots_cut;
__typeof__ (cpu_list_of_process) __wrap_cpu_list_of_process;
__typeof__ (orphan_processes_possible) __wrap_orphan_processes_possible;
__typeof__ (orphan_processes_kill) __wrap_orphan_processes_kill;
__typeof__ (orphan_processes_kill_orphans) __wrap_orphan_processes_kill_orphans;
__typeof__ (oom_kills) __wrap_oom_kills;
__typeof__ (oom_kills_file) __wrap_oom_kills_file;
__typeof__ (short_path_make) __wrap_short_path_make;

#endif /* !TESTS_SIM_CALLS_H */
