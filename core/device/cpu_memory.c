/* Main memory as the cpu backend's device memory.
 *
 * Fields use huge pages if the system has them: otherwise each row of a block lies in pages of its own, and there
 * are more of these than the TLB holds. Fields with the same offset in a page would share sets of the caches: each
 * begins at another offset, and where its memory comes from is stored before it. */
#include "core/device/cpu_memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "core/base/memory.h"

enum { LINE = 64, PAGE = 4096, HUGE_PAGE = 1 << 21, STAGGERS = 16, STAGGER = PAGE + 5 * LINE };

struct origin {
    char *memory;
    size_t reserved; /* bytes of addresses from there on; 0: from malloc */
    char *first;     /* the first huge page among these */
};
_Static_assert(sizeof(struct origin) <= LINE, "the first offset is one line");

static struct origin *origin_of(void *p)
{
    return (struct origin *)p - 1;
}

static size_t lead_of(unsigned long number)
{
    return LINE + number % STAGGERS * STAGGER;
}

static size_t whole_pages(size_t bytes, size_t page)
{
    return (bytes + page - 1) / page * page;
}

static void prefer_huge_pages(void *first, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    madvise(first, bytes, MADV_HUGEPAGE); /* optional: small pages work, too */
#else
    (void)first, (void)bytes;
#endif
}

static enum err none_left(size_t bytes)
{
    FAIL(MEMORY, "%zu bytes of main memory needed, %zu free", bytes, memory_available());
}

enum err cpu_memory(unsigned long number, size_t bytes, void **p)
{
    const size_t page = bytes >= HUGE_PAGE ? HUGE_PAGE : PAGE, lead = lead_of(number);
    const size_t whole = whole_pages(lead + bytes, page);
    char *memory = aligned_alloc(page, whole);
    if (!memory)
        return none_left(bytes);
    if (page == HUGE_PAGE)
        prefer_huge_pages(memory, whole);
    *p = memory + lead;
    *origin_of(*p) = (struct origin){.memory = memory};
    return ERR_OK;
}

/* The system counts memory when it becomes writable, and provides it when it is touched. A huge page must be usable
 * as a whole. */
static int make_usable(char *first, size_t bytes)
{
    return mprotect(first, whole_pages(bytes, bytes < HUGE_PAGE ? PAGE : HUGE_PAGE),
                    PROT_READ | PROT_WRITE) == 0;
}

enum err cpu_memory_reserve(unsigned long number, size_t bytes, size_t most, void **p)
{
    const size_t lead = lead_of(number), reserved = whole_pages(lead + most, HUGE_PAGE) + HUGE_PAGE;
    *p = NULL;
    char *memory = mmap(NULL, reserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return ERR_OK;
    char *first = memory + (HUGE_PAGE - (uintptr_t)memory % HUGE_PAGE) % HUGE_PAGE;
    if (!make_usable(first, lead + bytes)) {
        munmap(memory, reserved);
        return none_left(bytes);
    }
    prefer_huge_pages(first, whole_pages(lead + most, HUGE_PAGE));
    *p = first + lead;
    *origin_of(*p) = (struct origin){memory, reserved, first};
    return ERR_OK;
}

enum err cpu_memory_grow(void *p, size_t bytes)
{
    const struct origin *const o = origin_of(p);
    const size_t lead = (size_t)((char *)p - o->first);
    if (lead + bytes + HUGE_PAGE > o->reserved)
        FAIL(MACHINE, "%zu bytes are more than were reserved there", bytes);
    return make_usable(o->first, lead + bytes) ? ERR_OK : none_left(bytes);
}

void cpu_memory_release(void *p)
{
    const struct origin *const o = p ? origin_of(p) : NULL;
    if (o && o->reserved)
        munmap(o->memory, o->reserved);
    else if (o)
        free(o->memory);
}
