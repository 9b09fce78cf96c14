/* MPI as a transport: a separate module, so that the program does not depend on MPI and runs on
 * machines without it. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/device/transport.h"

extern const struct transport shoal_transport;

/* Pending parcels. A free place has a null request. */
static struct {
    MPI_Request *request;
    int places;
} under_way;

static int explain(int code, const char *what, char *why, size_t n)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length;
    MPI_Error_string(code, text, &length);
    snprintf(why, n, "%s: %s", what, text);
    return -1;
}

static int find_neighbours(struct crew *c)
{
    MPI_Comm host;
    int failed =
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, c->rank, MPI_INFO_NULL, &host);
    if (failed)
        return failed;
    MPI_Comm_rank(host, &c->place);
    MPI_Comm_size(host, &c->neighbours);
    return MPI_Comm_free(&host);
}

static int open_crew(void **link, void *given, struct crew *c, char *why, size_t n)
{
    int level, failed = MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level);
    (void)given;
    *link = NULL;
    if (failed)
        return explain(failed, "MPI_Init_thread", why, n);
    if (level < MPI_THREAD_FUNNELED) {
        snprintf(why, n, "this MPI library does not allow threads besides the one that calls it");
        return -1;
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &c->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &c->ranks);
    failed = find_neighbours(c);
    return failed ? explain(failed, "MPI_Comm_split_type", why, n) : 0;
}

/* A free place; adds more if there is none. */
static int find_place(void)
{
    int k = 0;
    while (k < under_way.places && under_way.request[k] != MPI_REQUEST_NULL)
        k++;
    if (k < under_way.places)
        return k;
    const int places = 2 * k + 16;
    MPI_Request *more = realloc(under_way.request, (size_t)places * sizeof *more);
    if (!more)
        return -1;
    for (int i = k; i < places; i++)
        more[i] = MPI_REQUEST_NULL;
    under_way.request = more;
    under_way.places = places;
    return k;
}

static int begin(void *link, const struct parcel *p)
{
    const int k = find_place(), peer = p->peer == ANYONE ? MPI_ANY_SOURCE : p->peer;
    (void)link;
    if (k < 0)
        return -1;
    const int failed = p->comes ? MPI_Irecv(p->bytes, (int)p->size, MPI_BYTE, peer, p->tag,
                                            MPI_COMM_WORLD, &under_way.request[k])
                                : MPI_Isend(p->bytes, (int)p->size, MPI_BYTE, peer, p->tag,
                                            MPI_COMM_WORLD, &under_way.request[k]);
    return failed ? -1 : k;
}

static int ended(void *link, int number)
{
    int done = 0;
    (void)link;
    return MPI_Test(&under_way.request[number], &done, MPI_STATUS_IGNORE) ? -1 : done;
}

static void forget(void *link, int number)
{
    (void)link;
    MPI_Cancel(&under_way.request[number]);
    MPI_Request_free(&under_way.request[number]);
}

/* MPI_Finalize waits for all: if some are gone it would never return. */
static void close_crew(void *link, int together)
{
    (void)link;
    if (together)
        MPI_Finalize();
    free(under_way.request);
    under_way.request = NULL;
    under_way.places = 0;
}

/* Its first line, up to the first comma: "Open MPI v4.1.4". */
static const char *library(void)
{
    static char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    if (!*text && MPI_Get_library_version(text, &length))
        return "MPI";
    text[strcspn(text, ",\n")] = 0;
    return text;
}

const struct transport shoal_transport = {
    .version = TRANSPORT_VERSION,
    .most = 1 << 30, /* MPI counts in int */
    .name = "mpi",
    .library = library,
    .open = open_crew,
    .begin = begin,
    .ended = ended,
    .forget = forget,
    .close = close_crew,
};
