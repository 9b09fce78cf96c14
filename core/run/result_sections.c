/* Sections: the flow through them, read when a row is due. */
#include "core/run/result_parts.h"
#include "core/sim/sections.h"

static enum err write_row(void *context)
{
    const struct section_buffer *b = context;
    return ncwrite_section_row(b->result->writer, b->t, b->volumes);
}

enum err result_sections_open(struct result *r, const struct section_list *list)
{
    const struct section_line *line[SECTION_CHOICES];
    r->sections = list;
    if (!list)
        return ERR_OK;
    for (int k = 0; k < list->count; k++)
        line[k] = list->place[k].choice;
    TRY(ncwrite_sections(r->writer, line, list->count));
    return result_sections(r);
}

enum err result_sections(struct result *r)
{
    if (!r || !r->sections || r->section_t == r->sim->now.t)
        return ERR_OK;
    struct section_buffer *to = &r->section[r->section_rows++ % BUFFERS];
    TRY(job_queue_wait(r->background, to));
    to->result = r;
    to->t = r->section_t = r->sim->now.t;
    TRY(sim_sections_volumes(r->sim, r->sections, to->volumes));
    return job_queue_add(r->background, write_row, to);
}
