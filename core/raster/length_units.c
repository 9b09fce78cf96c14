/* Names of units of length in CF files, GDAL and ESRI. */
#include "core/raster/length_units.h"

#include <stddef.h>
#include <strings.h>

static const struct {
    const char *name;
    double metres;
} units[] = {
    {"m", 1},
    {"metre", 1},
    {"meter", 1},
    {"metres", 1},
    {"meters", 1},
    {"km", 1000},
    {"kilometre", 1000},
    {"kilometer", 1000},
    {"kilometres", 1000},
    {"kilometers", 1000},
    {"dm", 0.1},
    {"cm", 0.01},
    {"centimetre", 0.01},
    {"centimeter", 0.01},
    {"centimetres", 0.01},
    {"centimeters", 0.01},
    {"mm", 0.001},
    {"millimetre", 0.001},
    {"millimeter", 0.001},
    {"millimetres", 0.001},
    {"millimeters", 0.001},
    {"ft", 0.3048},
    {"foot", 0.3048},
    {"feet", 0.3048},
    {"international foot", 0.3048},
    {"US survey foot", 1200.0 / 3937},
    {"US_survey_foot", 1200.0 / 3937},
    {"Foot_US", 1200.0 / 3937},
    {"ftUS", 1200.0 / 3937},
};

double units_metres(const char *unit)
{
    for (size_t k = 0; k < sizeof units / sizeof *units; k++)
        if (strcasecmp(units[k].name, unit) == 0)
            return units[k].metres;
    return 0;
}
