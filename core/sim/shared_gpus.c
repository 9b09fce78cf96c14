/* Which GPUs the processes of a run have taken, and how many parts share one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/log.h"
#include "core/base/process_life.h"
#include "core/device/cuda_usable.h"
#include "core/sim/parts.h"

/* A process's GPUs, with the number of its parts on each. */
struct taken {
    unsigned long host;
    char host_name[64], gpu_name[64], backend[16];
    int count;
    struct {
        int number, parts;
        char bus
            [CUDA_BUS]; /* the same for all processes of a host, which may number GPUs otherwise */
    } gpu[LISTED_DEVICES];
};

static struct taken taken_here(const struct sim *whole)
{
    const struct parts *p = whole->parts;
    struct taken own = {.host = process_host()};
    gethostname(own.host_name, sizeof own.host_name - 1);
    snprintf(own.gpu_name, sizeof own.gpu_name, "%.*s", (int)sizeof own.gpu_name - 1,
             whole->backend->info(whole->device)->name);
    snprintf(own.backend, sizeof own.backend, "%s", whole->backend->name);
    for (int m = p->first; whole->backend == &backend_cuda && m < p->first + p->own; m++) {
        const int number = parts_device(whole, m);
        int k = 0;
        while (k < own.count && own.gpu[k].number != number)
            k++;
        own.gpu[k].number = number;
        own.gpu[k].parts++;
        cuda_bus(number, own.gpu[k].bus);
        own.count += k == own.count;
    }
    return own;
}

/* The most parts on a GPU that one of the processes has, of all processes. */
static int most_parts(const struct taken *own, const struct taken *all, int n)
{
    int most = 1;
    for (int k = 0; k < own->count; k++) {
        int parts = 0;
        for (int other = 0; other < n; other++)
            for (int i = 0; i < all[other].count; i++)
                if (&all[other] == own ? i == k
                                       : all[other].host == own->host && *own->gpu[k].bus &&
                                             strcmp(all[other].gpu[i].bus, own->gpu[k].bus) == 0)
                    parts += all[other].gpu[i].parts;
        most = parts > most ? parts : most;
    }
    return most;
}

static void tell(const struct taken *all, int n)
{
    int any = 0;
    for (int k = 0; k < n; k++)
        any |= all[k].count > 0;
    for (int k = 0; k < n && any; k++) {
        char gpus[LISTED_DEVICES * (CUDA_BUS + 16)] = "none";
        size_t used = 0;
        for (int i = 0; i < all[k].count; i++)
            used += (size_t)snprintf(gpus + used, sizeof gpus - used, "%s%d (%s)", i ? ", " : "",
                                     all[k].gpu[i].number, all[k].gpu[i].bus);
        log_info("process %d of %d, on %s: %s, GPU %s", k, n, all[k].host_name, all[k].gpu_name,
                 gpus);
    }
}

/* With --backend auto one may have found no GPU. Each would then wait for what the other never does. */
static enum err check_backends(const struct taken *all, int n)
{
    for (int k = 1; k < n; k++)
        if (strcmp(all[k].backend, all->backend) != 0)
            FAIL(ABSENT,
                 "process %d of %d, on %s, uses the %s backend, and process 0, on %s, the %s "
                 "backend: expected the same; `shoal info` there says which GPUs it finds, and "
                 "--backend cpu needs none",
                 k, n, all[k].host_name, all[k].backend, all->host_name, all->backend);
    return ERR_OK;
}

enum err parts_find_shared(struct sim *whole)
{
    struct parts *p = whole->parts;
    const struct taken own = taken_here(whole);
    const int n = p->ranks ? ranks_crew(p->ranks)->ranks : 1;
    struct taken *all = calloc((size_t)n, sizeof *all);
    enum err e = ERR_OK;
    if (!all)
        FAIL(MEMORY, "no memory for the GPUs of %d processes", n);
    if (p->ranks)
        e = ranks_gather(p->ranks, &own, sizeof own, all);
    else
        *all = own;
    if (!e)
        p->of_device = most_parts(&all[p->ranks ? ranks_crew(p->ranks)->rank : 0], all, n);
    if (!e && p->ranks)
        tell(all, n);
    if (!e)
        e = check_backends(all, n);
    free(all);
    return e;
}
