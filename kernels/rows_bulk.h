/* Rows that Hopper's bulk copy engine fetches into shared memory, ahead of the march that takes them:
 * the switch BULK of rows.h, an experiment.
 *
 * Row i, from 0, of FED arrays goes to place i % RING of a ring. A place has a barrier whose phases
 * are the rows that come to it: a phase ends when its one arrival and all its bytes are there. */
#ifndef SHOAL_ROWS_BULK_H
#define SHOAL_ROWS_BULK_H

#define FED 4 /* arrays */
#ifndef RING
#define RING 2 /* rows of each array that are under way or wait to be taken */
#endif

/* The engine copies multiples of 16 bytes that begin at such. A row's cell 0 does, and so does X0, a
 * multiple of 4: column 0 comes LEAD reals after one. What is copied behind the last column is still the same
 * row's: its pitch is a multiple of 32 reals and has room for a cell behind the ghost cells. */
#define UNIT            (16 / (int)sizeof(real))
#define LEAD            ((UNIT - HALO % UNIT) % UNIT)
#define COPIED(columns) ((LEAD + (columns) + UNIT - 1) / UNIT * UNIT)

TILES
{
    real row[RING][FED][COPIED(WIDTH)];
    unsigned long landed[RING]; /* barriers */
};

struct sources {
    const real *from[FED]; /* column 0 of a row */
};

FN struct sources sources_after(struct sources s, long offset)
{
    PRAGMA_UNROLL
    for (int k = 0; k < FED; k++)
        s.from[k] += offset;
    return s;
}

/* Where the march is in the ring. */
struct feed {
    struct tiles *t;
    int place;
    unsigned parity; /* of the phase that it waits for there */
};

FN unsigned shared_address(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

/* What lanes did to shared memory comes before what the engine does after the next __syncwarp. */
FN void before_engine(void)
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/* Sends for one row of each array, for `n` cells, into a place that nobody reads. One thread does. */
FN void send_for(struct tiles *t, int place, const struct sources s, int n)
{
    const unsigned landed = shared_address(&t->landed[place]);
    const int bytes = COPIED(n + 2 * HALO) * (int)sizeof(real);
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(landed),
                 "r"(FED * bytes)
                 : "memory");
    PRAGMA_UNROLL
    for (int k = 0; k < FED; k++)
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                     "[%0], [%1], %2, [%3];" ::"r"(shared_address(t->row[place][k])),
                     "l"(__cvta_generic_to_global(s.from[k] - LEAD)), "r"(bytes), "r"(landed)
                     : "memory");
}

/* Sends for the first rows of the `rows` that begin at s. */
FN void open_feed(const struct warp warp, struct feed *f, struct tiles *t, const struct sources s,
                  long pitch, int rows, int n)
{
    f->t = t;
    f->place = 0;
    f->parity = 0;
    if (warp.thread == 0) {
        PRAGMA_UNROLL
        for (int i = 0; i < RING; i++)
            asm volatile(
                "mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&t->landed[i]))
                : "memory");
    }
    before_engine();
    __syncwarp();
    if (warp.thread == 0) {
        PRAGMA_UNROLL
        for (int i = 0; i < RING; i++)
            if (i < rows)
                send_for(t, i, sources_after(s, i * pitch), n);
    }
}

/* Waits until the next row is there, for every thread by itself: what the engine wrote is visible to
 * those that saw the phase end. */
FN void await_rows(const struct feed *f)
{
    const unsigned landed = shared_address(&f->t->landed[f->place]);
    unsigned done = 0;
    while (!done)
        asm volatile("{\n\t"
                     ".reg .pred ended;\n\t"
                     "mbarrier.try_wait.parity.shared::cta.b64 ended, [%1], %2;\n\t"
                     "selp.u32 %0, 1, 0, ended;\n\t"
                     "}"
                     : "=r"(done)
                     : "r"(landed), "r"(f->parity)
                     : "memory");
}

/* All threads have taken the row: its place is sent `s`, the row RING further on, if there is `more`.
 * No thread is a phase behind then, which is what a parity can tell apart. Every row that is sent
 * for is taken, so that no copy is under way when the block ends. */
FN void send_rows(const struct warp warp, struct feed *f, const struct sources s, int more, int n)
{
    before_engine();
    __syncwarp();
    if (more && warp.thread == 0)
        send_for(f->t, f->place, s, n);
    f->place = f->place + 1 < RING ? f->place + 1 : 0;
    f->parity ^= f->place == 0;
}

#define OPEN_FEED(feed, begin, pitch, rows, n)              \
    do {                                                    \
        const struct sources first = {{begin}};             \
        open_feed(warp, &(feed), t, first, pitch, rows, n); \
    } while (0)
#define AWAIT_ROWS(feed)               await_rows(&(feed))
#define LOAD_FED(to, feed, k, from, n) LOAD_ROW(to, (feed).t->row[(feed).place][k] + LEAD, n)
#define SEND_ROWS(feed, begin, pitch, left, n)                                          \
    do {                                                                                \
        const struct sources taken = {{begin}};                                         \
        send_rows(warp, &(feed), sources_after(taken, (pitch)*RING), (left) > RING, n); \
    } while (0)

#endif
