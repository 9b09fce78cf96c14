/* One process of a host reads input for all of them. Large planes are in files, which the others map: a host
 * has each number once, whatever the number of processes. Small ones are sent. */
#include "core/sim/input_once.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/log.h"
#include "core/base/plane.h"
#include "core/base/process_life.h"

enum { OF_BED, OF_LEVEL, OF_MANNING, OF_WALL, OF_UNKNOWN, PLANES = OF_UNKNOWN + UNKNOWNS };

/* What a process tells the others. */
struct note {
    unsigned long host;
    int reads;                      /* the fields below are set */
    size_t wkt;                     /* bytes of that text; 0: there is none */
    struct nc_input in;             /* its pointers are only null or not */
    struct plane_loan loan[PLANES]; /* of those that are not null */
};

struct crowd {
    struct ranks *ranks;
    const struct crew *crew;
    struct note *note; /* by rank */
    char *wkt;         /* of each rank, `longest` bytes */
    size_t longest;
    int leader; /* the process that reads for this one; -1: none */
};

static void list_planes(const struct nc_input *in, double *plane[PLANES])
{
    plane[OF_BED] = in->bed_corner;
    plane[OF_LEVEL] = in->w;
    plane[OF_MANNING] = in->manning_of;
    plane[OF_WALL] = (double *)(void *)in->wall;
    memcpy(plane + OF_UNKNOWN, in->unknown, sizeof in->unknown);
}

static void set_planes(struct nc_input *in, double *const plane[PLANES])
{
    in->bed_corner = plane[OF_BED];
    in->w = plane[OF_LEVEL];
    in->manning_of = plane[OF_MANNING];
    in->wall = (unsigned char *)plane[OF_WALL];
    memcpy(in->unknown, plane + OF_UNKNOWN, sizeof in->unknown);
}

static size_t numbers_of(const struct nc_input *in, int plane)
{
    const size_t nx = (size_t)in->grid.nx, ny = (size_t)in->grid.ny;
    if (plane == OF_BED)
        return (nx + 1) * (ny + 1);
    return plane == OF_WALL ? (nx * ny + sizeof(double) - 1) / sizeof(double) : nx * ny;
}

/* Which process reads for that one: the first reader on its host; -1: none. */
static int leader_of(const struct crowd *c, int rank)
{
    for (int k = 0; k < c->crew->ranks; k++)
        if (c->note[k].reads && c->note[k].host == c->note[rank].host)
            return k;
    return -1;
}

static struct note note_of(const struct nc_input *in, int reads)
{
    double *plane[PLANES];
    struct note n = {.host = process_host(), .reads = reads};
    if (!reads)
        return n;
    n.in = *in;
    n.wkt = in->wkt ? strlen(in->wkt) + 1 : 0;
    list_planes(in, plane);
    for (int k = 0; k < PLANES; k++)
        n.loan[k] = plane_lend(plane[k]);
    return n;
}

/* The texts have any length: they follow once all know the longest. */
static enum err gather_texts(struct crowd *c, const struct nc_input *in)
{
    for (int k = 0; k < c->crew->ranks; k++)
        c->longest = c->note[k].wkt > c->longest ? c->note[k].wkt : c->longest;
    if (!c->longest)
        return ERR_OK;
    char *own = calloc(1, c->longest);
    c->wkt = calloc((size_t)c->crew->ranks, c->longest);
    if (own && c->note[c->crew->rank].wkt)
        memcpy(own, in->wkt, c->note[c->crew->rank].wkt);
    const enum err e = own && c->wkt ? ranks_gather(c->ranks, own, c->longest, c->wkt)
                                     : err_set(ERR_MEMORY, __FILE__, __LINE__,
                                               "no memory for a coordinate system");
    free(own);
    return e;
}

static enum err tell_all(struct crowd *c, const struct nc_input *in, int reads)
{
    const struct note own = note_of(in, reads);
    c->note = calloc((size_t)c->crew->ranks, sizeof *c->note);
    if (!c->note)
        FAIL(MEMORY, "no memory for %d processes", c->crew->ranks);
    TRY(ranks_gather(c->ranks, &own, sizeof own, c->note));
    c->leader = leader_of(c, c->crew->rank);
    return gather_texts(c, in);
}

/* Is it in the reader's main memory, so that the others get a copy? */
static int is_sent(const struct note *n, double *const plane[PLANES], int k)
{
    return plane[k] && n->loan[k].file < 0;
}

static enum err send_to(const struct crowd *c, int rank, const struct nc_input *in)
{
    double *plane[PLANES];
    list_planes(in, plane);
    for (int k = 0; k < PLANES; k++) {
        const struct parcel p = {.peer = rank,
                                 .tag = TAG_FREE,
                                 .bytes = plane[k],
                                 .size = numbers_of(in, k) * sizeof(double)};
        if (is_sent(&c->note[c->crew->rank], plane, k))
            TRY(ranks_carry(c->ranks, &p, 1));
    }
    return ERR_OK;
}

static enum err send_to_all(const struct crowd *c, const struct nc_input *in)
{
    for (int k = 0; k < c->crew->ranks; k++)
        if (k != c->crew->rank && leader_of(c, k) == c->crew->rank)
            TRY(send_to(c, k, in));
    return ERR_OK;
}

/* Gets all that is sent, whether or not the rest can be mapped: the reader does not know. */
static enum err receive(const struct crowd *c, struct nc_input *in, double *const there[PLANES])
{
    double *plane[PLANES] = {NULL};
    enum err e = ERR_OK;
    for (int k = 0; k < PLANES && !e; k++) {
        const size_t n = numbers_of(in, k);
        if (!is_sent(&c->note[c->leader], there, k))
            continue;
        e = plane_new("input that another process has read", n, 1, &plane[k]);
        const struct parcel p = {.peer = c->leader,
                                 .tag = TAG_FREE,
                                 .comes = 1,
                                 .bytes = plane[k],
                                 .size = n * sizeof(double)};
        e = e ? e : ranks_carry(c->ranks, &p, 1);
    }
    set_planes(in, plane);
    return e;
}

static int borrow_rest(const struct note *n, struct nc_input *in, double *const there[PLANES])
{
    double *plane[PLANES];
    int all = 1;
    list_planes(in, plane);
    for (int k = 0; k < PLANES; k++)
        if (there[k] && n->loan[k].file >= 0)
            all &= plane_borrow(&n->loan[k], &plane[k]);
    set_planes(in, plane);
    return all;
}

/* What the reader of this host has read; *all: none of it is missing. */
static enum err copy_of(const struct crowd *c, struct nc_input *copy, int *all)
{
    const struct note *n = &c->note[c->leader];
    double *there[PLANES];
    list_planes(&n->in, there);
    *copy = n->in;
    copy->wkt = NULL;
    TRY(receive(c, copy, there));
    *all = borrow_rest(n, copy, there);
    if (!c->wkt || !n->wkt)
        return ERR_OK;
    copy->wkt = strdup(c->wkt + (size_t)c->leader * c->longest);
    if (!copy->wkt)
        FAIL(MEMORY, "no memory for a coordinate system");
    return ERR_OK;
}

/* Replaces the input by that, or leaves it as it is. */
static enum err take_over(const struct crowd *c, struct nc_input *in, int *taken)
{
    struct nc_input copy;
    const enum err e = copy_of(c, &copy, taken);
    if (e || !*taken) {
        nc_input_free(&copy);
        return e;
    }
    nc_input_free(in);
    *in = copy;
    return ERR_OK;
}

static int has_large(const struct note *n)
{
    int large = 0;
    for (int k = 0; k < PLANES; k++)
        large |= n->loan[k].file >= 0;
    return large;
}

static void tell_user(struct input_once *once, const struct crowd *c, int all)
{
    const int others = c->crew->neighbours - 1;
    if (once->told || others < 1 || !has_large(&c->note[c->crew->rank]))
        return;
    once->told = 1;
    if (all)
        log_info("input: one process of each host has read it; the others there, %d on this host, "
                 "use the same temporary files",
                 others);
    else
        log_info("input: some processes cannot open the temporary files of another one of their "
                 "host in /proc: they have read the input themselves");
}

static enum err share(struct crowd *c, struct input_once *once,
                      enum err (*reads)(void *of, struct nc_input *in), void *of,
                      struct nc_input *in)
{
    const int leads = c->crew->place == 0;
    int taken = 1;
    if (leads)
        TRY(reads(of, in));
    TRY(tell_all(c, in, leads));
    if (leads)
        TRY(send_to_all(c, in));
    else
        taken = 0;
    if (!leads && c->leader >= 0)
        TRY(take_over(c, in, &taken));
    if (!taken)
        TRY(reads(of, in));
    /* The reader keeps its planes until all have them. */
    unsigned long apart = !taken;
    TRY(ranks_largest(c->ranks, &apart));
    if (leads)
        tell_user(once, c, !apart);
    return ERR_OK;
}

static enum err read_once(void *context, enum err (*reads)(void *of, struct nc_input *in), void *of,
                          struct nc_input *in)
{
    struct input_once *once = context;
    struct crowd c = {.ranks = once->ranks, .crew = ranks_crew(once->ranks), .leader = -1};
    ranks_unhurried(once->ranks, 1);
    const enum err e = share(&c, once, reads, of, in);
    ranks_unhurried(once->ranks, 0);
    free(c.note);
    free(c.wkt);
    return e;
}

struct input_reader input_once(struct input_once *once)
{
    return (struct input_reader){read_once, once};
}
