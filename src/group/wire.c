/* SPDX-License-Identifier: BSD-3-Clause */
/* wire.c - a connection between two processes of one group */
#include "base/base.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "group/wire.h"

enum {
    MESSAGE_MAX = 1 << 22,
    CONNECT_MS = 5000,
    SEND_S = 10, /* a peer that takes nothing for so long is lost */
};

/* --- messages --- */

/* A peer that is gone without a word: after 10 s of silence it is asked, every
 * 5 s, three times.
 */
static void mind_silence (int fd)
{
    const struct timeval send_time = { SEND_S, 0 };
    static const struct {
        int level, name, value;
    } options[] = {
        { SOL_SOCKET, SO_KEEPALIVE, 1 },
        { IPPROTO_TCP, TCP_KEEPIDLE, 10 },
        { IPPROTO_TCP, TCP_KEEPINTVL, 5 },
        { IPPROTO_TCP, TCP_KEEPCNT, 3 },
        { IPPROTO_TCP, TCP_USER_TIMEOUT, 25000 },
        { IPPROTO_TCP, TCP_NODELAY, 1 },
    };

    for (size_t i = 0; i < ARRAY_SIZE (options); i++)
        setsockopt (fd, options[i].level, options[i].name, &options[i].value,
                    sizeof (options[i].value));
    setsockopt (fd, SOL_SOCKET, SO_SNDTIMEO, &send_time, sizeof (send_time));
}

static void close_it (struct wire *wire)
{
    if (wire->watch.fd < 0)
        return;
    watch_end (wire->epoll_fd, &wire->watch);
    close (wire->watch.fd);
    wire->watch.fd = -1;
}

static void lose (struct wire *wire)
{
    close_it (wire);
    wire->told (wire->arg, NULL);
}

/* Tell the first line of what was read, if it is whole. */
static bool tell_line (struct wire *wire)
{
    _cleanup_ (strbuf_release) struct strbuf line = STRBUF_INIT;
    char *end = memchr (wire->begun.buf, '\n', wire->begun.len);
    _cleanup_json_ struct json *message = NULL;
    size_t len;

    if (!end)
        return false;
    len = (size_t)(end - wire->begun.buf);
    strbuf_add (&line, wire->begun.buf, len);
    memmove (wire->begun.buf, end + 1, wire->begun.len - len - 1);
    strbuf_truncate (&wire->begun, wire->begun.len - len - 1);
    message = json_parse (line.buf, line.len, "message", NULL);
    if (json_kind (message) == JSON_KIND_OBJECT)
        wire->told (wire->arg, message);
    else
        lose (wire); /* no peer of ours says that */
    return true;
}

static void on_ready (void *arg)
{
    struct wire *wire = arg;
    char bytes[16384];
    ssize_t n = TEMP_FAILURE_RETRY (
        recv (wire->watch.fd, bytes, sizeof (bytes), MSG_DONTWAIT));

    if (n < 0 && errno == EAGAIN)
        return;
    if (n <= 0 || wire->begun.len > MESSAGE_MAX) {
        lose (wire);
        return;
    }
    strbuf_add (&wire->begun, bytes, (size_t)n);
    while (wire->watch.fd >= 0 && tell_line (wire))
        continue;
}

int wire_init (struct wire *wire, int epoll_fd, int fd,
               void (*told) (void *arg, const struct json *message), void *arg,
               struct error *err)
{
    *wire = (struct wire){ .watch = { fd, on_ready, wire },
                           .epoll_fd = epoll_fd,
                           .begun = STRBUF_INIT,
                           .told = told,
                           .arg = arg };
    mind_silence (fd);
    if (watch_begin (epoll_fd, &wire->watch, err) == 0)
        return 0;
    close (fd);
    wire->watch.fd = -1;
    return -1;
}

void wire_release (struct wire *wire)
{
    close_it (wire);
    strbuf_release (&wire->begun);
}

void wire_send (struct wire *wire, struct json *message)
{
    _cleanup_ (strbuf_release) struct strbuf line = STRBUF_INIT;
    size_t sent = 0;

    json_dump (message, JSON_COMPACT, &line);
    strbuf_add_char (&line, '\n');
    while (wire->watch.fd >= 0 && sent < line.len) {
        ssize_t n = TEMP_FAILURE_RETRY (send (wire->watch.fd, line.buf + sent,
                                              line.len - sent, MSG_NOSIGNAL));

        if (n < 0) { /* the end is found when it is read from */
            shutdown (wire->watch.fd, SHUT_RDWR);
            break;
        }
        sent += (size_t)n;
    }
    json_unref (message);
}

/* --- who and where --- */

static int listen_on (int fd, const struct sockaddr *address, socklen_t size,
                      int *port)
{
    struct sockaddr_storage bound;
    socklen_t bound_size = sizeof (bound);

    if (bind (fd, address, size) < 0 || listen (fd, SOMAXCONN) < 0
        || getsockname (fd, (struct sockaddr *)&bound, &bound_size) < 0)
        return -1;
    *port = ntohs (bound.ss_family == AF_INET6
                       ? ((struct sockaddr_in6 *)&bound)->sin6_port
                       : ((struct sockaddr_in *)&bound)->sin_port);
    return 0;
}

int wire_listen (int *port, struct error *err)
{
    const struct sockaddr_in6 any6 = { .sin6_family = AF_INET6 };
    const struct sockaddr_in any4 = { .sin_family = AF_INET };
    int fd = socket (AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (fd >= 0
        && listen_on (fd, (const struct sockaddr *)&any6, sizeof (any6), port)
               == 0)
        return fd; /* IPv4 comes there, too */
    file_close (fd);
    fd = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0
        && listen_on (fd, (const struct sockaddr *)&any4, sizeof (any4), port)
               == 0)
        return fd;
    error_errno (err, "cannot listen for the other nodes");
    file_close (fd);
    return -1;
}

static void push_address (const struct sockaddr *address, struct json *list)
{
    char text[NI_MAXHOST];
    socklen_t size = address->sa_family == AF_INET
                         ? sizeof (struct sockaddr_in)
                         : sizeof (struct sockaddr_in6);

    if (getnameinfo (address, size, text, sizeof (text), NULL, 0,
                     NI_NUMERICHOST)
        == 0)
        json_push (list, json_string (text));
}

void wire_own_address (const struct wire *wire, char out[INET6_ADDRSTRLEN])
{
    struct sockaddr_storage own = { 0 };
    struct sockaddr_in6 *six = (struct sockaddr_in6 *)&own;
    socklen_t size = sizeof (own);

    if (wire->watch.fd < 0
        || getsockname (wire->watch.fd, (struct sockaddr *)&own, &size) < 0)
        return;
    if (own.ss_family == AF_INET)
        inet_ntop (AF_INET, &((struct sockaddr_in *)&own)->sin_addr, out,
                   INET6_ADDRSTRLEN);
    else if (own.ss_family == AF_INET6
             && IN6_IS_ADDR_V4MAPPED (&six->sin6_addr))
        inet_ntop (AF_INET, &six->sin6_addr.s6_addr[12], out, INET6_ADDRSTRLEN);
    else if (own.ss_family == AF_INET6)
        inet_ntop (AF_INET6, &six->sin6_addr, out, INET6_ADDRSTRLEN);
}

struct json *wire_addresses (void)
{
    struct json *list = json_array ();
    struct ifaddrs *all = NULL;
    char host[256] = "";

    gethostname (host, sizeof (host) - 1);
    if (host[0])
        json_push (list, json_string (host));
    if (getifaddrs (&all) < 0)
        all = NULL;
    for (const struct ifaddrs *i = all; i; i = i->ifa_next) {
        if (i->ifa_addr
            && (i->ifa_addr->sa_family == AF_INET
                || i->ifa_addr->sa_family == AF_INET6)
            && strncmp (i->ifa_name, "lo", 2) != 0)
            push_address (i->ifa_addr, list);
    }
    freeifaddrs (all);
    json_push (list, json_string ("localhost")); /* nodes of an emulation */
    return list;
}

/* A socket that is connected within CONNECT_MS, or -1 with errno. */
static int connect_to (const struct addrinfo *to)
{
    int fd =
        socket (to->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    struct pollfd ready = { .fd = fd, .events = POLLOUT };
    int failed = 0;
    socklen_t size = sizeof (failed);

    if (fd < 0)
        return -1;
    if (connect (fd, to->ai_addr, to->ai_addrlen) < 0) {
        if (errno != EINPROGRESS
            || TEMP_FAILURE_RETRY (poll (&ready, 1, CONNECT_MS)) != 1) {
            failed = errno == EINPROGRESS ? ETIMEDOUT : errno;
        } else {
            getsockopt (fd, SOL_SOCKET, SO_ERROR, &failed, &size);
        }
    }
    if (failed == 0 && fcntl (fd, F_SETFL, 0) == 0)
        return fd;
    close (fd);
    errno = failed;
    return -1;
}

static int connect_by_name (const char *name, const char *service)
{
    const struct addrinfo hints = { .ai_family = AF_UNSPEC,
                                    .ai_socktype = SOCK_STREAM };
    struct addrinfo *found = NULL;
    int fd = -1;

    if (getaddrinfo (name, service, &hints, &found) != 0) {
        errno = EHOSTUNREACH;
        return -1;
    }
    for (const struct addrinfo *i = found; fd < 0 && i; i = i->ai_next)
        fd = connect_to (i);
    freeaddrinfo (found);
    return fd;
}

int wire_connect (const struct json *addresses, int port, struct error *err)
{
    char service[16];

    snprintf (service, sizeof (service), "%d", port);
    errno = EHOSTUNREACH;
    for (size_t i = 0; i < json_count (addresses); i++) {
        int fd =
            connect_by_name (json_as_string (json_at (addresses, i)), service);

        if (fd >= 0)
            return fd;
    }
    return error_errno (err, "cannot reach the first node of the task (%s)",
                        json_as_string (json_at (addresses, 0)));
}
