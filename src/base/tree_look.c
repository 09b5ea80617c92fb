/* SPDX-License-Identifier: BSD-3-Clause */
/* tree_look.c - how a file or a tree looks, without reading it */
#include "base/base.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/file.h"
#include "base/tree_look.h"
#include "base/tree_walk.h"

struct looking {
    size_t root_len;
    struct strvec lines;
    uint64_t bytes;
};

static void add_file (struct looking *looking, const struct stat *st,
                      const char *relative)
{
    looking->bytes += (uint64_t)st->st_size;
    strvec_pushf (&looking->lines, "%" PRId64 " %" PRId64 ".%09ld %s\n",
                  (int64_t)st->st_size, (int64_t)st->st_mtim.tv_sec,
                  st->st_mtim.tv_nsec, relative);
}

static int look_at_file (struct looking *looking,
                         const struct tree_entry *entry, const char *relative,
                         struct error *err)
{
    int fd =
        file_open_at (entry->dir_fd, entry->name, O_RDONLY | O_NONBLOCK, 0);
    struct stat st;

    if (fd < 0 || fstat (fd, &st) < 0) {
        error_errno (err, "cannot open '%s'", entry->path);
        file_close (fd);
        return -1;
    }
    file_close (fd);
    add_file (looking, &st, relative);
    return 0;
}

static int look_at_link (struct looking *looking, const char *path,
                         const char *relative, struct error *err)
{
    char *target = file_read_link (path, err);

    if (!target)
        return -1;
    digest_list_link (&looking->lines, target, relative);
    free (target);
    return 0;
}

static int look_at_entry (const struct tree_entry *entry, void *arg,
                          struct error *err)
{
    struct looking *looking = arg;
    const char *relative = entry->path + looking->root_len;

    relative += strspn (relative, "/");
    if (entry->kind == TREE_FILE)
        return look_at_file (looking, entry, relative, err);
    if (entry->kind == TREE_LINK)
        return look_at_link (looking, entry->path, relative, err);
    if (entry->kind == TREE_SPECIAL)
        return error_set (err, "'%s' is neither file, directory nor link",
                          entry->path);
    return 0;
}

/* Most artifacts are one file, for which a walk is much.  1: it is none. */
static int look_at_one (const char *path, struct looking *looking)
{
    _cleanup_fd_ int fd = file_open (path, O_RDONLY | O_NONBLOCK, 0);
    struct stat st;
    int rc = fd >= 0 && fstat (fd, &st) == 0 && S_ISREG (st.st_mode) ? 0 : 1;

    if (rc == 0)
        add_file (looking, &st, "");
    return rc;
}

int tree_look (const char *path, struct tree_look *look,
               const struct heartbeat *heartbeat, struct error *err)
{
    struct looking looking = { strlen (path), STRVEC_INIT, 0 };
    char hex[DIGEST_HEX_SIZE];
    int rc = look_at_one (path, &looking);

    if (rc > 0)
        rc = tree_walk (path, true, look_at_entry, &looking, heartbeat, err);
    if (rc == 0) {
        digest_lines (&looking.lines, hex);
        look->bytes = looking.bytes;
        memcpy (look->hex, hex, TREE_LOOK_SIZE - 1);
        look->hex[TREE_LOOK_SIZE - 1] = '\0';
    }
    strvec_release (&looking.lines);
    return rc;
}
