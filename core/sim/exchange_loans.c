/* Parts of several processes of a host that write into each other's memory, as those of one process do:
 * each lends what its neighbours write to, and its board, and borrows theirs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/sim/parts.h"

struct loans {
    struct loan of[LENT];
};

/* Kernels wait for those of all others: each part has a GPU of its own, on this host. */
static enum err are_possible(struct sim *whole, int *possible)
{
    struct parts *p = whole->parts;
    const int insists = whole->config->exchange == EXCHANGE_PEERS;
    int far, shared, apart;
    TRY(parts_any(p, ranks_crew(p->ranks)->neighbours < ranks_crew(p->ranks)->ranks, &far));
    TRY(parts_any(p, p->of_device > 1, &shared));
    TRY(parts_any(p, !parts_reach(whole), &apart));
    *possible = !far && !shared && !apart;
    if (insists && !*possible)
        FAIL(
            ABSENT, "--exchange peers: %s: leave it out",
            far ? "the processes are on several hosts"
            : shared
                ? "parts of several processes share a GPU, whose kernels cannot wait for each other"
                : "GPUs of one process cannot reach each other's memory");
    return ERR_OK;
}

static enum err lend_part(struct sim *s, struct loans *to)
{
    for (int k = 0; k < LENT; k++)
        TRY(s->backend->lend(s->device, parts_lent(s, (enum lent)k), &to->of[k]));
    return ERR_OK;
}

static enum err borrow_part(struct sim *s, void *context)
{
    const struct loans *all = context;
    const struct parts *p = s->whole->parts;
    s->borrowed = calloc((size_t)p->count, sizeof *s->borrowed);
    if (!s->borrowed)
        FAIL(MEMORY, "no memory for the addresses of %d parts", p->count);
    for (int k = 0; k < p->count; k++)
        for (int n = 0; !parts_here(p, k) && n < LENT; n++)
            TRY(s->backend->borrow(s->device, &all[k].of[n], &s->borrowed[k].at[n]));
    return ERR_OK;
}

void loans_return(struct sim *s)
{
    for (int k = 0; s->borrowed && k < s->whole->parts->count; k++)
        for (int n = 0; n < LENT; n++)
            if (s->borrowed[k].at[n])
                s->backend->give_back(s->device, s->borrowed[k].at[n]);
    free(s->borrowed);
    s->borrowed = NULL;
}

/* Passes that do nothing may still be under way. */
static enum err return_part(struct sim *s, void *context)
{
    (void)context;
    TRY(s->backend->sync(s->device));
    loans_return(s);
    return ERR_OK;
}

void loans_end(struct sim *whole)
{
    struct parts *p = whole->parts;
    unsigned long none = 0;
    if (!p->loans.used)
        return;
    (void)parts_do(whole, return_part, NULL);
    (void)parts_largest(p, &none);
}

/* Those of all parts, by number; each process has `most` at most. */
static enum err gather(struct parts *p, int most, const struct loans *own, struct loans *all)
{
    const int ranks = ranks_crew(p->ranks)->ranks;
    struct loans *by_rank = calloc((size_t)ranks * (size_t)most, sizeof *by_rank);
    if (!by_rank)
        FAIL(MEMORY, "no memory for the addresses of %d parts", p->count);
    const enum err e = ranks_gather(p->ranks, own, (size_t)most * sizeof *own, by_rank);
    for (int k = 0; !e && k < p->count; k++) {
        const int rank = parts_rank(p, k);
        all[k] = by_rank[rank * most + k - parts_first(p, rank)];
    }
    free(by_rank);
    return e;
}

/* `failed`: of this process. All processes go on together. */
static enum err exchange_loans(struct sim *whole, struct loans *own, struct loans *all, int most,
                               enum err *failed)
{
    struct parts *p = whole->parts;
    int any;
    for (int k = 0; k < p->own && !*failed; k++)
        *failed = lend_part(p->sim[p->first + k], &own[k]);
    TRY(parts_any(p, *failed != ERR_OK, &any));
    if (any)
        return ERR_OK;
    TRY(gather(p, most, own, all));
    *failed = parts_do(whole, borrow_part, all);
    TRY(parts_any(p, *failed != ERR_OK, &any));
    p->loans.used = !any;
    return ERR_OK;
}

static enum err borrow(struct sim *whole, enum err *failed)
{
    struct parts *p = whole->parts;
    const int ranks = ranks_crew(p->ranks)->ranks, most = (p->count + ranks - 1) / ranks;
    struct loans *own = calloc((size_t)most, sizeof *own);
    struct loans *all = calloc((size_t)p->count, sizeof *all);
    const enum err e = own && all ? exchange_loans(whole, own, all, most, failed)
                                  : err_set(ERR_MEMORY, __FILE__, __LINE__,
                                            "no memory for the addresses of parts");
    free(own);
    free(all);
    return e;
}

enum err loans_choose(struct sim *whole)
{
    struct parts *p = whole->parts;
    const int choice = whole->config->exchange;
    enum err failed = ERR_OK;
    int possible;
    if (!p->ranks || whole->backend != &backend_cuda ||
        (choice != EXCHANGE_AUTO && choice != EXCHANGE_PEERS))
        return ERR_OK;
    TRY(are_possible(whole, &possible));
    if (!possible)
        return ERR_OK;
    TRY(borrow(whole, &failed));
    if (p->loans.used)
        return ERR_OK;
    snprintf(p->loans.why_not, sizeof p->loans.why_not, "%s",
             failed ? err_message() : "another process cannot borrow its neighbours' memory");
    TRY(parts_do(whole, return_part, NULL));
    if (choice == EXCHANGE_PEERS)
        FAIL(ABSENT, "--exchange peers: %s: leave it out", p->loans.why_not);
    return ERR_OK;
}

void *parts_lent(const struct sim *s, enum lent what)
{
    return what < BOARD_0 ? halo_lent(s, what == ARRIVES_1) : boards_lent(s, what == BOARD_1);
}

void *parts_place(const struct sim *s, int k, enum lent what)
{
    const struct parts *p = s->whole->parts;
    return parts_here(p, k) ? parts_lent(p->sim[k], what) : s->borrowed[k].at[what];
}
