/* SPDX-License-Identifier: BSD-3-Clause */
/* disk.c - a file system in memory, shared by several hosts */
#include "base/base.h"

#include <fcntl.h>

#include "disk.h"
#include "faults.h"

/* A name in a directory. */
struct entry {
    char *name;
    struct inode *inode;
    int host;   /* that made it */
    int maker;  /* pid; 0: an onlooker */
    bool lasts; /* its directory was synced since */
    double made_s;
    double shown_s;       /* before: other hosts see ... */
    struct inode *before; /* ... this; NULL: nothing */
};

struct inode {
    ino_t number;
    bool is_dir;
    mode_t mode;
    int links; /* names and open files */
    int names;
    /* a file */
    char *bytes;
    size_t len, alloc;
    size_t durable;
    int writer;       /* the last host that wrote */
    size_t stale_len; /* what others see until ... */
    double stale_until_s;
    /* a directory */
    struct inode *parent;  /* NULL: the root, or it has no name */
    struct entry *entries; /* sorted by name */
    size_t n, entries_alloc;
    double fresh_s[HOSTS_MAX];  /* when a host last had to look */
    double first_s[HOSTS_MAX];  /* when it first did; 0: never */
    struct inode *next, **link; /* in disk->inodes */
};

/* --- inodes --- */

static struct inode *inode_make (struct disk *disk, bool is_dir, mode_t mode)
{
    struct inode *inode = xcalloc (1, sizeof (*inode));

    inode->number = ++disk->last_number;
    inode->is_dir = is_dir;
    inode->mode = (is_dir ? S_IFDIR : S_IFREG) | (mode & 07777);
    inode->writer = NOBODY;
    inode->next = disk->inodes;
    inode->link = &disk->inodes;
    if (disk->inodes)
        disk->inodes->link = &inode->next;
    disk->inodes = inode;
    return inode;
}

static struct inode *inode_hold (struct inode *inode)
{
    if (inode)
        inode->links++;
    return inode;
}

static void inode_drop (struct inode *inode)
{
    if (!inode || --inode->links > 0)
        return;
    for (size_t i = 0; i < inode->n; i++) {
        inode_drop (inode->entries[i].inode);
        inode_drop (inode->entries[i].before);
        free (inode->entries[i].name);
    }
    *inode->link = inode->next;
    if (inode->next)
        inode->next->link = inode->link;
    free (inode->entries);
    free (inode->bytes);
    free (inode);
}

void disk_init (struct disk *disk, struct world *world)
{
    memset (disk, 0, sizeof (*disk));
    disk->world = world;
    disk->root = inode_hold (inode_make (disk, true, 0755));
}

void disk_release (struct disk *disk)
{
    for (size_t i = 0; i < disk->n_files; i++) {
        if (disk->files[i])
            disk_close (disk, FIRST_FD + (int)i);
    }
    free (disk->files);
    inode_drop (disk->root);
}

/* --- names --- */

/* Where 'name' is or belongs. */
static size_t entry_place (const struct inode *dir, const char *name)
{
    size_t low = 0, high = dir->n;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (strcmp (dir->entries[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct entry *entry_find (const struct inode *dir, const char *name)
{
    size_t i = entry_place (dir, name);

    return i < dir->n && strcmp (dir->entries[i].name, name) == 0
               ? &dir->entries[i]
               : NULL;
}

/* What 'host' sees behind an entry; NULL: nothing. */
static struct inode *entry_seen (const struct disk *disk,
                                 const struct inode *dir,
                                 const struct entry *entry, int host)
{
    if (host == NOBODY || host == entry->host
        || disk->world->now_s >= entry->shown_s
        || dir->fresh_s[host] >= entry->made_s || dir->first_s[host] == 0
        || dir->first_s[host] >= entry->made_s)
        return entry->inode;
    return entry->before;
}

static double lateness_s (const struct disk *disk)
{
    return disk->late_s ? disk->late_s (disk->arg) : 0;
}

/* Let 'name' be 'inode' from now on. */
static void entry_set (struct disk *disk, struct inode *dir, const char *name,
                       struct inode *inode, int host)
{
    size_t i = entry_place (dir, name);
    struct entry *entry = entry_find (dir, name);
    double now_s = disk->world->now_s;

    inode_hold (inode)->names++;
    if (inode->is_dir)
        inode->parent = dir;
    if (entry) {
        entry->inode->names--;
        inode_drop (entry->before);
        entry->before = entry->inode;
    } else {
        dir->entries = grow_array (dir->entries, dir->n, &dir->entries_alloc,
                                   sizeof (*entry));
        entry = &dir->entries[i];
        memmove (entry + 1, entry, (dir->n++ - i) * sizeof (*entry));
        *entry = (struct entry){ .name = xstrdup (name) };
    }
    entry->inode = inode;
    entry->host = host;
    entry->maker = disk->world->current ? disk->world->current->pid : 0;
    entry->lasts = false;
    entry->made_s = now_s;
    entry->shown_s = host == NOBODY ? 0 : now_s + lateness_s (disk);
    if (host != NOBODY)
        dir->fresh_s[host] = now_s;
}

static void entry_unset (struct disk *disk, struct inode *dir, const char *name,
                         int host)
{
    struct entry *entry = entry_find (dir, name);
    size_t i = (size_t)(entry - dir->entries);

    entry->inode->names--;
    if (entry->inode->is_dir && entry->inode->names == 0)
        entry->inode->parent = NULL;
    inode_drop (entry->inode);
    inode_drop (entry->before);
    free (entry->name);
    memmove (entry, entry + 1, (--dir->n - i) * sizeof (*entry));
    if (host != NOBODY)
        dir->fresh_s[host] = disk->world->now_s;
}

/* 'host' looks into a directory: from now on it may remember what was there. */
static void look_into (const struct disk *disk, struct inode *dir, int host)
{
    if (host != NOBODY && dir->first_s[host] == 0)
        dir->first_s[host] = disk->world->now_s;
}

/* The directory 'path' is in, and the last part of its name (within 'path');
 * of "/" the empty one.
 */
static int find_parent (const struct disk *disk, int host, const char *path,
                        struct inode **parent, char *name, size_t name_size)
{
    struct inode *dir = disk->root;

    path += strspn (path, "/");
    for (;;) {
        size_t len = strcspn (path, "/");
        const char *rest = path + len + strspn (path + len, "/");
        const struct entry *entry;

        if (len >= name_size)
            return ENAMETOOLONG;
        memcpy (name, path, len);
        name[len] = '\0';
        if (*rest == '\0') {
            *parent = dir;
            return 0;
        }
        entry = entry_find (dir, name);
        look_into (disk, dir, host);
        if (!entry || !(dir = entry_seen (disk, dir, entry, host)))
            return ENOENT;
        if (!dir->is_dir)
            return ENOTDIR;
        path = rest;
    }
}

static int find (const struct disk *disk, int host, const char *path,
                 struct inode **inode)
{
    char name[256];
    struct inode *dir;
    const struct entry *entry;
    int rc = find_parent (disk, host, path, &dir, name, sizeof (name));

    if (rc != 0)
        return rc;
    if (name[0] == '\0') {
        *inode = dir;
        return 0;
    }
    entry = entry_find (dir, name);
    look_into (disk, dir, host);
    if (!entry || !(*inode = entry_seen (disk, dir, entry, host)))
        return ENOENT;
    return 0;
}

/* --- open files --- */

static int new_fd (struct disk *disk, struct open_file *file)
{
    size_t i = 0;

    while (i < disk->n_files && disk->files[i])
        i++;
    if (i == disk->n_files) {
        disk->files = grow_array (disk->files, disk->n_files,
                                  &disk->files_alloc, sizeof (file));
        disk->n_files++;
    }
    disk->files[i] = file;
    return FIRST_FD + (int)i;
}

/* What open(2) opens: made, if it is to be. */
static int open_inode (struct disk *disk, int host, const char *path, int flags,
                       mode_t mode, struct inode **inode)
{
    char name[256];
    struct inode *dir;
    struct entry *entry;
    int rc;

    if (!(flags & O_CREAT))
        return find (disk, host, path, inode);
    if ((rc = find_parent (disk, host, path, &dir, name, sizeof (name))) != 0)
        return rc;
    if ((entry = entry_find (dir, name))) {
        *inode = entry->inode;
        return flags & O_EXCL ? EEXIST : 0;
    }
    *inode = inode_make (disk, false, mode & 0666);
    entry_set (disk, dir, name, *inode, host);
    return 0;
}

int disk_open (struct disk *disk, int host, const char *path, int flags,
               mode_t mode, int *fd)
{
    struct inode *inode = NULL;
    struct open_file *file;
    int rc = open_inode (disk, host, path, flags, mode, &inode);

    if (rc != 0)
        return rc;
    if (inode->is_dir && (flags & O_ACCMODE) != O_RDONLY)
        return EISDIR;
    if (!inode->is_dir && (flags & O_DIRECTORY))
        return ENOTDIR;
    file = xcalloc (1, sizeof (*file));
    file->inode = inode_hold (inode);
    file->owner = disk->world->current;
    file->host = host;
    file->append = flags & O_APPEND;
    file->writable = (flags & O_ACCMODE) != O_RDONLY;
    if (flags & O_TRUNC)
        disk_truncate (file, 0);
    *fd = new_fd (disk, file);
    if (disk->opened)
        disk->opened (path, disk->arg);
    return 0;
}

struct open_file *disk_file (const struct disk *disk, int fd)
{
    size_t i = (size_t)fd - FIRST_FD;

    return fd >= FIRST_FD && i < disk->n_files ? disk->files[i] : NULL;
}

void disk_close (struct disk *disk, int fd)
{
    struct open_file *file = disk_file (disk, fd);

    if (file->writable)
        file->inode->stale_until_s = 0;
    inode_drop (file->inode);
    free (file);
    disk->files[fd - FIRST_FD] = NULL;
}

void disk_close_all (struct disk *disk, const struct process *owner)
{
    for (size_t i = 0; i < disk->n_files; i++) {
        if (disk->files[i] && disk->files[i]->owner == owner)
            disk_close (disk, FIRST_FD + (int)i);
    }
}

static size_t seen_len (const struct disk *disk, const struct inode *inode,
                        int host)
{
    if (host == NOBODY || host == inode->writer
        || disk->world->now_s >= inode->stale_until_s)
        return inode->len;
    return inode->stale_len < inode->len ? inode->stale_len : inode->len;
}

size_t disk_read (const struct disk *disk, const struct open_file *file,
                  size_t offset, void *out, size_t len)
{
    size_t all = seen_len (disk, file->inode, file->host);

    if (offset >= all || len == 0)
        return 0;
    if (len > all - offset)
        len = all - offset;
    memcpy (out, file->inode->bytes + offset, len);
    return len;
}

void disk_write (struct disk *disk, struct open_file *file, const void *bytes,
                 size_t len)
{
    struct inode *inode = file->inode;
    size_t offset = file->append ? inode->len : file->offset;
    double late_s = file->host == NOBODY ? 0 : lateness_s (disk);

    if (late_s > 0 && disk->world->now_s >= inode->stale_until_s) {
        inode->stale_len = inode->len;
        inode->stale_until_s = disk->world->now_s + late_s;
    }
    inode->writer = file->host;
    if (offset + len > inode->alloc) {
        inode->alloc = 2 * (offset + len);
        inode->bytes = xrealloc (inode->bytes, inode->alloc);
    }
    if (offset > inode->len)
        memset (inode->bytes + inode->len, 0, offset - inode->len);
    if (len > 0)
        memcpy (inode->bytes + offset, bytes, len);
    file->offset = offset + len;
    if (file->offset > inode->len)
        inode->len = file->offset;
}

void disk_sync (const struct open_file *file)
{
    file->inode->durable = file->inode->len;
    file->inode->stale_until_s = 0;
    for (size_t i = 0; i < file->inode->n; i++)
        file->inode->entries[i].lasts = true;
}

void disk_truncate (const struct open_file *file, size_t len)
{
    struct inode *inode = file->inode;

    if (len < inode->len)
        inode->len = len;
    if (len < inode->durable)
        inode->durable = len;
}

void disk_lose_unsynced (struct disk *disk, int host)
{
    for (struct inode *i = disk->inodes; i; i = i->next) {
        size_t lost = i->len - i->durable;

        if (!i->is_dir && i->writer == host && lost > 0)
            i->len -= (size_t)(faults_draw (disk->world->faults)
                               * (double)(lost + 1));
    }
}

/* --- what needs no descriptor --- */

static void fill_stat (const struct inode *inode, size_t len, struct stat *st)
{
    memset (st, 0, sizeof (*st));
    st->st_ino = inode->number;
    st->st_mode = inode->mode;
    st->st_nlink = (nlink_t)inode->names;
    st->st_size = (off_t)len;
}

int disk_stat (const struct disk *disk, int host, const char *path,
               struct stat *st)
{
    struct inode *inode;
    int rc = find (disk, host, path, &inode);

    if (rc == 0)
        fill_stat (inode, seen_len (disk, inode, host), st);
    return rc;
}

void disk_stat_file (const struct disk *disk, const struct open_file *file,
                     struct stat *st)
{
    fill_stat (file->inode, seen_len (disk, file->inode, file->host), st);
}

int disk_mkdir (struct disk *disk, int host, const char *path, mode_t mode)
{
    char name[256];
    struct inode *dir;
    int rc = find_parent (disk, host, path, &dir, name, sizeof (name));

    if (rc != 0)
        return rc;
    if (name[0] == '\0' || entry_find (dir, name))
        return EEXIST;
    entry_set (disk, dir, name, inode_make (disk, true, mode), host);
    return 0;
}

static const char *name_in (const struct inode *dir, const struct inode *inode)
{
    for (size_t i = 0; i < dir->n; i++) {
        if (dir->entries[i].inode == inode)
            return dir->entries[i].name;
    }
    return NULL;
}

/* 0, or ENOENT of a directory that has no name any more. */
static int add_dir_path (const struct disk *disk, const struct inode *dir,
                         struct strbuf *path)
{
    if (dir == disk->root)
        return 0;
    if (!dir->parent || add_dir_path (disk, dir->parent, path) != 0)
        return ENOENT;
    strbuf_addf (path, "/%s", name_in (dir->parent, dir));
    return 0;
}

int disk_path (const struct disk *disk, const struct open_file *dir,
               const char *name, struct strbuf *path)
{
    if (!dir->inode->is_dir)
        return ENOTDIR;
    if (add_dir_path (disk, dir->inode, path) != 0)
        return ENOENT;
    strbuf_addf (path, "/%s", name);
    return 0;
}

static int remove_entry (struct disk *disk, int host, struct inode *parent,
                         const char *name, bool dir)
{
    const struct entry *entry = entry_find (parent, name);

    if (!entry)
        return ENOENT;
    if (entry->inode->is_dir != dir)
        return dir ? ENOTDIR : EISDIR;
    if (entry->inode->n > 0)
        return ENOTEMPTY;
    entry_unset (disk, parent, name, host);
    return 0;
}

int disk_remove (struct disk *disk, int host, const char *path, bool dir)
{
    char name[256];
    struct inode *parent;
    int rc = find_parent (disk, host, path, &parent, name, sizeof (name));

    return rc == 0 ? remove_entry (disk, host, parent, name, dir) : rc;
}

int disk_remove_from (struct disk *disk, int host,
                      const struct open_file *parent, const char *name)
{
    return parent->inode->is_dir
               ? remove_entry (disk, host, parent->inode, name, false)
               : ENOTDIR;
}

int disk_link (struct disk *disk, int host, const char *from, const char *to)
{
    char name[256];
    struct inode *inode, *dir;
    int rc = find (disk, host, from, &inode);

    if (rc == 0)
        rc = find_parent (disk, host, to, &dir, name, sizeof (name));
    if (rc != 0)
        return rc;
    if (entry_find (dir, name))
        return EEXIST;
    entry_set (disk, dir, name, inode, host);
    return 0;
}

int disk_rename (struct disk *disk, int host, const char *from, const char *to)
{
    char from_name[256], to_name[256];
    struct inode *from_dir, *to_dir, *inode;
    struct entry *entry, *there;
    int rc = find_parent (disk, host, from, &from_dir, from_name,
                          sizeof (from_name));

    if (rc == 0)
        rc = find_parent (disk, host, to, &to_dir, to_name, sizeof (to_name));
    if (rc != 0)
        return rc;
    if (!(entry = entry_find (from_dir, from_name)))
        return ENOENT;
    inode = entry->inode;
    if ((there = entry_find (to_dir, to_name))) {
        if (there->inode == inode)
            return 0;
        if (there->inode->is_dir != inode->is_dir)
            return inode->is_dir ? ENOTDIR : EISDIR;
        if (there->inode->n > 0)
            return ENOTEMPTY;
    }
    inode_hold (inode);
    entry_unset (disk, from_dir, from_name, host);
    entry_set (disk, to_dir, to_name, inode, host);
    inode_drop (inode);
    if (disk->renamed)
        disk->renamed (from, to, disk->arg);
    return 0;
}

int disk_list (const struct disk *disk, int host, const char *path,
               struct strvec *names)
{
    struct inode *dir;
    int rc = find (disk, host, path, &dir);

    if (rc != 0)
        return rc;
    if (!dir->is_dir)
        return ENOTDIR;
    look_into (disk, dir, host);
    for (size_t i = 0; i < dir->n; i++) {
        if (entry_seen (disk, dir, &dir->entries[i], host))
            strvec_push (names, dir->entries[i].name);
    }
    return 0;
}

/* --- for onlookers --- */

int disk_put (struct disk *disk, const char *path, const char *text)
{
    return disk_put_bytes (disk, path, text, strlen (text));
}

int disk_put_bytes (struct disk *disk, const char *path, const char *bytes,
                    size_t len)
{
    struct open_file *file;
    int fd, rc;

    for (const char *p = path + 1; (p = strchr (p, '/')); p++) {
        char *dir = xstrndup (path, (size_t)(p - path));

        rc = disk_mkdir (disk, NOBODY, dir, 0777);
        free (dir);
        if (rc != 0 && rc != EEXIST)
            return rc;
    }
    rc =
        disk_open (disk, NOBODY, path, O_WRONLY | O_CREAT | O_TRUNC, 0666, &fd);
    if (rc != 0)
        return rc;
    file = disk_file (disk, fd);
    disk_write (disk, file, bytes, len);
    disk_sync (file);
    disk_close (disk, fd);
    return 0;
}

int disk_get (const struct disk *disk, const char *path, struct strbuf *out)
{
    struct inode *inode;
    int rc = find (disk, NOBODY, path, &inode);

    if (rc == 0 && inode->is_dir)
        rc = EISDIR;
    if (rc == 0)
        strbuf_add (out, inode->bytes, inode->len);
    return rc;
}

void disk_remove_tree (struct disk *disk, const char *path)
{
    struct inode *inode;

    if (find (disk, NOBODY, path, &inode) != 0)
        return;
    while (inode->is_dir && inode->n > 0) {
        char *below = xasprintf ("%s/%s", path, inode->entries[0].name);

        disk_remove_tree (disk, below);
        free (below);
    }
    disk_remove (disk, NOBODY, path, inode->is_dir);
}

bool disk_is_file (const struct disk *disk, const char *path)
{
    struct inode *inode;

    return find (disk, NOBODY, path, &inode) == 0 && !inode->is_dir;
}

bool disk_is_durable (const struct disk *disk, const char *path)
{
    struct inode *inode;

    return find (disk, NOBODY, path, &inode) == 0
           && inode->durable == inode->len;
}

static void each_fleeting (const struct inode *dir, int maker,
                           struct strbuf *path,
                           void (*each) (const char *path, void *arg),
                           void *arg)
{
    size_t len = path->len;

    for (size_t i = 0; i < dir->n; i++) {
        const struct entry *entry = &dir->entries[i];

        strbuf_addf (path, "/%s", entry->name);
        if (!entry->lasts && (maker == 0 || entry->maker == maker))
            each (path->buf, arg);
        if (entry->inode->is_dir)
            each_fleeting (entry->inode, maker, path, each, arg);
        strbuf_truncate (path, len);
    }
}

void disk_each_fleeting (const struct disk *disk, const char *path, int maker,
                         void (*each) (const char *path, void *arg), void *arg)
{
    struct strbuf full = STRBUF_INIT;
    struct inode *inode;

    strbuf_add_str (&full, path);
    if (find (disk, NOBODY, path, &inode) == 0 && inode->is_dir)
        each_fleeting (inode, maker, &full, each, arg);
    strbuf_release (&full);
}

static void each_below (const struct inode *dir, struct strbuf *path,
                        void (*each) (const char *path, void *arg), void *arg)
{
    size_t len = path->len;

    for (size_t i = 0; i < dir->n; i++) {
        const struct inode *inode = dir->entries[i].inode;

        strbuf_addf (path, "/%s", dir->entries[i].name);
        if (inode->is_dir)
            each_below (inode, path, each, arg);
        else
            each (path->buf, arg);
        strbuf_truncate (path, len);
    }
}

void disk_each_file (const struct disk *disk, const char *path,
                     void (*each) (const char *path, void *arg), void *arg)
{
    struct strbuf full = STRBUF_INIT;
    struct inode *inode;

    strbuf_add_str (&full, path);
    if (find (disk, NOBODY, path, &inode) == 0 && inode->is_dir)
        each_below (inode, &full, each, arg);
    strbuf_release (&full);
}
