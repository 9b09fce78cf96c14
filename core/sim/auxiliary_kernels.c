/* Which kernels a run needs besides its scheme's: their names; null if it needs none. */
#include "core/sim/kernels.h"

static const char *ghosts_name(const struct sim *s)
{
    return !s->system->over_bed ? "any_boundary" : s->imposing ? "boundary_given" : "boundary";
}

static const char *turned_name(const struct sim *s)
{
    return !s->scheme->split ? NULL : s->imposing ? "boundary_given_t" : "boundary_t";
}

static const char *clock_name(const struct sim *s)
{
    return s->scheme->clock ? s->scheme->clock : "clock";
}

static const char *forcing_name(const struct sim *s)
{
    return s->forced && s->system->over_bed ? "forcing" : NULL;
}

static const char *series_name(const struct sim *s)
{
    return s->edges.series_count > 0 && s->system->over_bed ? "series" : NULL;
}

static const char *rain_name(const struct sim *s)
{
    return s->added[RAIN_KERNEL] ? "rain" : NULL;
}

static const char *soil_name(const struct sim *s)
{
    return s->added[SOIL_KERNEL] ? "soil" : NULL;
}

static const char *springs_name(const struct sim *s)
{
    return s->added[SPRINGS_KERNEL] ? "springs" : NULL;
}

static const char *sections_name(const struct sim *s)
{
    return s->added[SECTIONS_KERNEL] ? "sections" : NULL;
}

static const char *supply_name(const struct sim *s)
{
    return s->imposing ? s->system->supplied : NULL;
}

static const char *halo_name(const struct sim *s)
{
    return s->whole ? "halo" : NULL;
}

static const char *largest_name(const struct sim *s)
{
    return s->whole ? "largest" : NULL;
}

static const char *tile_ghosts_name(const struct sim *s)
{
    return s->tiles.columns ? "tile_ghosts" : NULL;
}

static const char *active_tiles_name(const struct sim *s)
{
    return s->mapped ? "active_tiles" : NULL;
}

static const char *(*const auxiliary_names[AUXILIARIES])(const struct sim *) = {
    [GHOSTS_KERNEL] = ghosts_name,      [GHOSTS_TURNED] = turned_name,
    [CLOCK_KERNEL] = clock_name,        [FORCING_KERNEL] = forcing_name,
    [SERIES_KERNEL] = series_name,      [HALO_KERNEL] = halo_name,
    [LARGEST_KERNEL] = largest_name,    [TILE_GHOSTS] = tile_ghosts_name,
    [ACTIVE_TILES] = active_tiles_name, [RAIN_KERNEL] = rain_name,
    [SOIL_KERNEL] = soil_name,          [SPRINGS_KERNEL] = springs_name,
    [SUPPLY_KERNEL] = supply_name,      [SECTIONS_KERNEL] = sections_name,
};

const char *sim_auxiliary_name(const struct sim *s, enum auxiliary k)
{
    return auxiliary_names[k](s);
}
