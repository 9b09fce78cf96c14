/* What exchanges carry through the host: to and from other processes, and between parts of this one
 * that cannot reach each other's memory. */
#include <stdlib.h>
#include <string.h>

#include "core/sim/parts.h"

/* Both ends of a copy between parts of this process. */
static void add_staged(struct parts *p, const struct parcel *all, int n, const struct parcel *comes)
{
    for (int k = 0; k < n; k++)
        if (!all[k].comes && all[k].tag == comes->tag)
            p->staged[p->stageds++] = (struct staged){comes->bytes, all[k].bytes, comes->size};
}

/* Each tag identifies one copy. */
static void sort_parcels(struct parts *p, const struct parcel *all, int n)
{
    const int self = p->ranks ? ranks_crew(p->ranks)->rank : 0;
    for (int k = 0; k < n; k++)
        if (all[k].peer != self)
            p->parcel[p->parcels++] = all[k];
        else if (all[k].comes)
            add_staged(p, all, n, &all[k]);
}

/* What exchanges carry through the host. */
enum err parts_list_parcels(struct parts *p)
{
    int n = 0, listed = 0;
    for (int k = p->first; !p->nccl.used && k < p->first + p->own; k++)
        n += halo_parcels(p->sim[k], NULL);
    struct parcel *all = calloc((size_t)n + 1, sizeof *all);
    p->parcel = calloc((size_t)n + 1, sizeof *p->parcel);
    p->staged = calloc((size_t)n + 1, sizeof *p->staged);
    for (int k = p->first; all && n > 0 && k < p->first + p->own; k++)
        listed += halo_parcels(p->sim[k], all + listed);
    if (all && p->parcel && p->staged)
        sort_parcels(p, all, n);
    free(all);
    if (!all || !p->parcel || !p->staged)
        FAIL(MEMORY, "no memory for a list of %d exchanges", n);
    return ERR_OK;
}

int parts_carried(const struct parts *p)
{
    return p->parcels + p->stageds > 0;
}

enum err parts_carry(void *context)
{
    const struct parts *p = context;
    for (int k = 0; k < p->stageds; k++)
        memcpy(p->staged[k].to, p->staged[k].from, p->staged[k].bytes);
    return p->parcels ? ranks_carry(p->ranks, p->parcel, p->parcels) : ERR_OK;
}
