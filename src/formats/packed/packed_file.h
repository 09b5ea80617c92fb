/* SPDX-License-Identifier: BSD-3-Clause */
/* packed_file.h - the bytes of a file, unpacked when it is compressed
 *
 * gzip and zstd are known by the first bytes, whatever the file is called.
 * Streams: memory is one block, or what is needed in one piece.  Offsets
 * count unpacked bytes.
 */
#ifndef FORMATS_PACKED_FILE_H
#define FORMATS_PACKED_FILE_H

struct packing;

struct packed_file {
    const char *next; /* in memory and not taken yet: [next, stop) */
    const char *stop;
    uint64_t offset; /* of 'next' */

    char *name; /* for messages */
    int fd;
    char *block;
    size_t block_bytes;
    uint64_t limit;          /* bytes of the file from here on are not read */
    uint64_t raw;            /* and these were */
    bool started;            /* whether it is compressed is known */
    bool ended;              /* read() has told so */
    struct packing *packing; /* NULL: it is not */
};

#define PACKED_FILE_INIT                                                       \
    {                                                                          \
        .fd = -1                                                               \
    }

/* No more than this is brought into memory in one piece. */
enum { PACKED_MAX_BYTES = 1 << 28 };

/* Open 'path', of which bytes from 'limit' on are not looked at (UINT64_MAX:
 * all are).  'file' must be initialised; what it was open on before is closed,
 * its memory is used again.
 */
int packed_open (struct packed_file *file, const char *path, uint64_t limit,
                 struct error *err);

/* Close and free; legal twice. */
void packed_close (struct packed_file *file);

/* Bring more behind 'stop'; what is not taken stays, and may move.  1, 0 when
 * there is no more, or -1 when the file cannot be read or its compressed data
 * is damaged or cut short.
 */
int packed_more (struct packed_file *file, struct error *err);

/* Have n bytes at 'next': 1, 0 when the file ends before, or -1. */
int packed_need (struct packed_file *file, size_t n, struct error *err);

/* Go behind n of the bytes in memory. */
static inline void packed_take (struct packed_file *file, size_t n)
{
    file->next += n;
    file->offset += n;
}

/* Go to an offset, which may be behind the end.  In a compressed file all that
 * stands before is unpacked once more.
 */
int packed_go_to (struct packed_file *file, uint64_t offset, struct error *err);

/* 1, 0, or -1 when the file cannot be read. */
int packed_is_compressed (struct packed_file *file, struct error *err);

/* Bytes of the file that fstat tells; UINT64_MAX when it is no regular one, or
 * compressed, so that it is not known.
 */
uint64_t packed_bytes (struct packed_file *file);

#endif /* !FORMATS_PACKED_FILE_H */
