/* Looks things up by name; make generates the lists from the folders. */
#include "core/registry/registry.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const struct system *find_system(const char *name)
{
    for (const struct system *const *s = systems; *s; s++)
        if (strcmp((*s)->name, name) == 0)
            return *s;
    return NULL;
}

const struct scheme *find_scheme(const char *name)
{
    for (const struct scheme *const *s = schemes; *s; s++)
        if (strcmp((*s)->name, name) == 0)
            return *s;
    return NULL;
}

const struct flow_case *find_case(const char *name)
{
    for (const struct flow_case *const *c = cases; *c; c++)
        if (strcmp((*c)->name, name) == 0)
            return *c;
    return NULL;
}

const struct system *case_system(const struct flow_case *c)
{
    return find_system(c->system ? c->system : "shallow_water");
}

const struct kernel *find_kernel(const char *name)
{
    for (const struct kernel *const *table = kernel_tables; *table; table++)
        for (const struct kernel *k = *table; k->name; k++)
            if (strcmp(k->name, name) == 0)
                return k;
    return NULL;
}

const struct plugin *find_plugin(const struct plugin *const *list, const char *name)
{
    for (; *list; list++)
        if (strcmp((*list)->name, name) == 0)
            return *list;
    return NULL;
}

int scheme_solves(const struct scheme *scheme, const struct system *system)
{
    return strcmp(scheme->system, system->name) == 0 ||
           (scheme->also && strcmp(scheme->also, system->name) == 0);
}

int scheme_moves_water(const struct scheme *scheme)
{
    const struct system *system = find_system(scheme->system);
    return system && system->over_bed;
}

double courant_with(const char *flux, double cfl)
{
    const struct plugin *p = find_plugin(fluxes, flux);
    return p && p->properties & QUARTER && cfl > 0.25 ? 0.25 : cfl;
}

enum { LONGEST = 64 };

static int differ(char a, char b)
{
    return tolower((unsigned char)a) != tolower((unsigned char)b);
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* The number of letters to insert, delete, replace or swap with their neighbour to turn a into b
 * (Damerau 1964, in the restricted form that edits no letter twice). Neither is longer than
 * LONGEST. */
static int distance(const char *a, const char *b)
{
    int rows[3][LONGEST + 1] = {{0}}; /* of prefixes of a: row i modulo 3, over the prefixes of b */
    int m = (int)strlen(a), n = (int)strlen(b);
    for (int i = 0; i <= m; i++) {
        int *row = rows[i % 3], *above = rows[(i + 2) % 3], *two_above = rows[(i + 1) % 3];
        for (int j = 0; j <= n; j++) {
            if (i == 0 || j == 0) {
                row[j] = i + j;
                continue;
            }
            row[j] = least(above[j], row[j - 1]) + 1;
            row[j] = least(row[j], above[j - 1] + differ(a[i - 1], b[j - 1]));
            if (i > 1 && j > 1 && !differ(a[i - 1], b[j - 2]) && !differ(a[i - 2], b[j - 1]))
                row[j] = least(row[j], two_above[j - 2] + 1);
        }
    }
    return rows[m % 3][n];
}

const char *nearest_name(const char *typed, const char *const *names, int count)
{
    const char *nearest = NULL, *begun = NULL;
    int nearest_distance = LONGEST + 1;
    const size_t n = strlen(typed), dashes = strspn(typed, "-");
    if (n == 0 || n > LONGEST)
        return NULL;
    for (int k = 0; k < count; k++) {
        size_t m = strlen(names[k]);
        if (m > LONGEST)
            continue;
        const int near = (int)((n > m ? n : m) - dashes + 1) / 3;
        const int letters = abs((int)n - (int)m); /* to insert or delete at least */
        const int d = letters <= near ? distance(typed, names[k]) : LONGEST + 1;
        if (d <= near && d < nearest_distance) {
            nearest = names[k];
            nearest_distance = d;
        }
        if (n > 1 && strncasecmp(typed, names[k], n) == 0 && (!begun || m < strlen(begun)))
            begun = names[k];
    }
    const int one_letter = nearest_distance == 1 && n - dashes > 3;
    return begun && !one_letter ? begun : nearest;
}
