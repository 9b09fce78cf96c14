/* One process of a host reads input for all of them. Large planes are in files, which the others map: a host
 * has each number once, whatever the number of processes. Small ones are sent. */
#include "core/sim/input_once.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/log.h"
#include "core/base/plane.h"
#include "core/base/process_life.h"

/* What a process tells the others. */
struct note {
    unsigned long host;
    int reads;                            /* the fields below are set */
    size_t text;                          /* bytes, with the NUL; 0: there is none */
    unsigned char memory[INPUT_BYTES];    /* what it has read; its pointers mean nothing */
    struct plane_loan loan[INPUT_PLANES]; /* of its planes */
};

struct crowd {
    struct ranks *ranks;
    const struct crew *crew;
    const struct input_layout *layout;
    struct note *note; /* by rank */
    char *text;        /* of each rank, `longest` bytes */
    size_t longest;
    int leader; /* the process that reads for this one; -1: none */
};

static void *pointer_at(const void *memory, size_t place)
{
    void *p;
    memcpy(&p, (const char *)memory + place, sizeof p);
    return p;
}

static void set_pointer(void *memory, size_t place, void *p)
{
    memcpy((char *)memory + place, &p, sizeof p);
}

static void free_all(const struct input_layout *l, void *memory)
{
    for (int k = 0; k < l->planes; k++)
        plane_free(pointer_at(memory, l->plane[k]));
    if (l->texts)
        free(pointer_at(memory, l->text));
}

/* Which process reads for that one: the first reader on its host; -1: none. */
static int leader_of(const struct crowd *c, int rank)
{
    for (int k = 0; k < c->crew->ranks; k++)
        if (c->note[k].reads && c->note[k].host == c->note[rank].host)
            return k;
    return -1;
}

static struct note note_of(const struct input_layout *l, const void *memory, int reads)
{
    struct note n = {.host = process_host(), .reads = reads};
    if (!reads)
        return n;
    const char *text = l->texts ? pointer_at(memory, l->text) : NULL;
    n.text = text ? strlen(text) + 1 : 0;
    memcpy(n.memory, memory, l->bytes);
    for (int k = 0; k < l->planes; k++)
        n.loan[k] = plane_lend(pointer_at(memory, l->plane[k]));
    return n;
}

/* The texts have any length: they follow once all know the longest. */
static enum err gather_texts(struct crowd *c, const void *memory)
{
    const size_t length = c->note[c->crew->rank].text;
    for (int k = 0; k < c->crew->ranks; k++)
        c->longest = c->note[k].text > c->longest ? c->note[k].text : c->longest;
    if (!c->longest)
        return ERR_OK;
    char *own = calloc(1, c->longest);
    c->text = calloc((size_t)c->crew->ranks, c->longest);
    if (!own || !c->text) {
        free(own);
        FAIL(MEMORY, "no memory for texts of input");
    }
    if (length)
        memcpy(own, pointer_at(memory, c->layout->text), length);
    const enum err e = ranks_gather(c->ranks, own, c->longest, c->text);
    free(own);
    return e;
}

static enum err tell_all(struct crowd *c, const void *memory, int reads)
{
    const struct note own = note_of(c->layout, memory, reads);
    c->note = calloc((size_t)c->crew->ranks, sizeof *c->note);
    if (!c->note)
        FAIL(MEMORY, "no memory for %d processes", c->crew->ranks);
    TRY(ranks_gather(c->ranks, &own, sizeof own, c->note));
    c->leader = leader_of(c, c->crew->rank);
    return gather_texts(c, memory);
}

/* Is it in the reader's main memory, so that the others get a copy? */
static int is_sent(const struct plane_loan *l)
{
    return l->numbers && l->file < 0;
}

static struct parcel parcel_of(int peer, int comes, double *plane, const struct plane_loan *l)
{
    return (struct parcel){.peer = peer,
                           .tag = TAG_FREE,
                           .comes = comes,
                           .bytes = plane,
                           .size = l->numbers * sizeof *plane};
}

static enum err send_to(const struct crowd *c, int rank, const void *memory)
{
    const struct note *n = &c->note[c->crew->rank];
    for (int k = 0; k < c->layout->planes; k++) {
        double *plane = pointer_at(memory, c->layout->plane[k]);
        const struct parcel p = parcel_of(rank, 0, plane, &n->loan[k]);
        if (is_sent(&n->loan[k]))
            TRY(ranks_carry(c->ranks, &p, 1));
    }
    return ERR_OK;
}

static enum err send_to_all(const struct crowd *c, const void *memory)
{
    for (int k = 0; k < c->crew->ranks; k++)
        if (k != c->crew->rank && leader_of(c, k) == c->crew->rank)
            TRY(send_to(c, k, memory));
    return ERR_OK;
}

static enum err receive(const struct crowd *c, const struct plane_loan *l, double **plane)
{
    TRY(plane_new("input that another process has read", l->numbers, 1, plane));
    const struct parcel p = parcel_of(c->leader, 1, *plane, l);
    return ranks_carry(c->ranks, &p, 1);
}

/* All that is sent, whether or not the rest can be mapped (*all): the reader does not know. */
static enum err take_planes(const struct crowd *c, void *copy, int *all)
{
    const struct note *n = &c->note[c->leader];
    *all = 1;
    for (int k = 0; k < c->layout->planes; k++) {
        double *plane = NULL;
        const enum err e = is_sent(&n->loan[k]) ? receive(c, &n->loan[k], &plane) : ERR_OK;
        if (n->loan[k].numbers && !is_sent(&n->loan[k]))
            *all &= plane_borrow(&n->loan[k], &plane);
        set_pointer(copy, c->layout->plane[k], plane);
        TRY(e);
    }
    return ERR_OK;
}

/* What the reader of this host has read; *all: none of it is missing. */
static enum err copy_of(const struct crowd *c, void *copy, int *all)
{
    const struct note *n = &c->note[c->leader];
    memcpy(copy, n->memory, c->layout->bytes);
    for (int k = 0; k < c->layout->planes; k++)
        set_pointer(copy, c->layout->plane[k], NULL);
    if (c->layout->texts)
        set_pointer(copy, c->layout->text, NULL);
    TRY(take_planes(c, copy, all));
    if (!c->text || !n->text)
        return ERR_OK;
    char *text = strdup(c->text + (size_t)c->leader * c->longest);
    if (!text)
        FAIL(MEMORY, "no memory for texts of input");
    set_pointer(copy, c->layout->text, text);
    return ERR_OK;
}

/* Replaces the memory by that, or leaves it as it is. */
static enum err take_over(const struct crowd *c, void *memory, int *taken)
{
    unsigned char copy[INPUT_BYTES];
    const enum err e = copy_of(c, copy, taken);
    const int keeps = e || !*taken;
    free_all(c->layout, keeps ? copy : memory);
    if (!keeps)
        memcpy(memory, copy, c->layout->bytes);
    return e;
}

static int has_large(const struct note *n)
{
    int large = 0;
    for (int k = 0; k < INPUT_PLANES; k++)
        large |= n->loan[k].numbers && n->loan[k].file >= 0;
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

static enum err share(struct crowd *c, struct input_once *once, const struct input_job *job)
{
    const int leads = c->crew->place == 0;
    int taken = leads;
    if (leads)
        TRY(job->reads(job->of, job->to));
    TRY(tell_all(c, job->to, leads));
    if (leads)
        TRY(send_to_all(c, job->to));
    else if (c->leader >= 0)
        TRY(take_over(c, job->to, &taken));
    if (!taken)
        TRY(job->reads(job->of, job->to));
    /* The reader keeps its planes until all have them. */
    unsigned long apart = !taken;
    TRY(ranks_largest(c->ranks, &apart));
    if (leads)
        tell_user(once, c, !apart);
    return ERR_OK;
}

static enum err read_once(void *context, const struct input_job *job)
{
    struct input_once *once = context;
    struct crowd c = {.ranks = once->ranks,
                      .crew = ranks_crew(once->ranks),
                      .layout = &job->layout,
                      .leader = -1};
    ranks_unhurried(once->ranks, 1);
    const enum err e = share(&c, once, job);
    ranks_unhurried(once->ranks, 0);
    free(c.note);
    free(c.text);
    return e;
}

struct input_reader input_once(struct input_once *once)
{
    return (struct input_reader){read_once, once};
}
