/* Reading the files of a problem, in one process or in several together. */
#include "core/problem/problem_input.h"

#include "core/problem/manning.h"
#include "core/problem/terrain.h"

_Static_assert(sizeof(struct nc_input) <= INPUT_BYTES, "a job's memory has INPUT_BYTES at most");

static enum err read_input(struct problem *p, enum err (*reads)(void *of, void *to))
{
    struct input_job job = {
        .layout = {.bytes = sizeof p->input,
                   .planes = 4 + UNKNOWNS,
                   .plane = {offsetof(struct nc_input, bed_corner), offsetof(struct nc_input, w),
                             offsetof(struct nc_input, manning_of),
                             offsetof(struct nc_input, wall)},
                   .texts = 1,
                   .text = offsetof(struct nc_input, wkt)},
        .reads = reads,
        .of = p,
        .to = &p->input};
    for (int k = 0; k < UNKNOWNS; k++)
        job.layout.plane[4 + k] =
            offsetof(struct nc_input, unknown) + (size_t)k * sizeof p->input.unknown[0];
    return input_read(p->reader, &job);
}

static enum err read_state(void *of, void *to)
{
    const struct problem *p = of;
    return nc_read(p->config.input, p->setup.system, to);
}

enum err problem_read_state(struct problem *p)
{
    return read_input(p, read_state);
}

static enum err read_terrain(void *of, void *to)
{
    return terrain_read(&((const struct problem *)of)->config, to);
}

enum err problem_read_terrain(struct problem *p)
{
    return read_input(p, read_terrain);
}

static enum err choose_manning(void *of, void *to)
{
    const struct problem *p = of;
    return manning_choose(&p->config, &p->setup.grid, p->flow_case ? p->flow_case->manning : 0, to);
}

enum err problem_read_manning(struct problem *p)
{
    return read_input(p, choose_manning);
}

struct soil_input {
    struct soil soil;
    int given;
};

static enum err choose_soil(void *of, void *to)
{
    struct soil_input *s = to;
    return soil_choose(&s->soil, of, &s->given);
}

enum err problem_read_soil(struct problem *p, const struct water_setting *from, int *given)
{
    struct water_setting setting = *from;
    struct soil_input s = {.given = 0};
    const struct input_job job = {.layout = {.bytes = sizeof s,
                                             .planes = 2,
                                             .plane = {offsetof(struct soil_input, soil.rate_of),
                                                       offsetof(struct soil_input, soil.store_of)}},
                                  .reads = choose_soil,
                                  .of = &setting,
                                  .to = &s};
    const enum err e = input_read(p->reader, &job);
    p->soil = s.soil;
    *given = s.given;
    return e;
}
