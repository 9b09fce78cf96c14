/* The certificate's file: read, changed, written. */
#include "verification/certify/certificate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/output_file.h"
#include "core/base/tab_cells.h"

static const char columns[] = "scheme\tcase\tprecision\tinitial\tfinal";
static const char functions_key[] = "# C library: ";

enum err certificate_path(char path[PATH_LENGTH])
{
    return paths_file("verification/certificate.tsv", path);
}

static int order(const struct certified_run *a, const struct certified_run *b)
{
    const int scheme = strcmp(a->scheme, b->scheme);
    const int flow_case = scheme ? scheme : strcmp(a->flow_case, b->flow_case);
    return flow_case ? flow_case : (int)a->precision - (int)b->precision;
}

/* The index of a run, or where to insert it. */
static int place(const struct certificate *c, const struct certified_run *run, int *found)
{
    int low = 0, high = c->count;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (order(&c->run[middle], run) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *found = low < c->count && order(&c->run[low], run) == 0;
    return low;
}

const struct certified_run *certificate_find(const struct certificate *c,
                                             const struct certified_run *like)
{
    int found;
    const int at = place(c, like, &found);
    return found ? &c->run[at] : NULL;
}

enum err certificate_put(struct certificate *c, const struct certified_run *run)
{
    int found;
    const int at = place(c, run, &found);
    if (!found) {
        struct certified_run *more = realloc(c->run, ((size_t)c->count + 1) * sizeof *more);
        if (!more)
            FAIL(MEMORY, "no memory for the bits of %d runs", c->count + 1);
        c->run = more;
        memmove(more + at + 1, more + at, (size_t)(c->count++ - at) * sizeof *more);
    }
    c->run[at] = *run;
    return ERR_OK;
}

void certificate_free(struct certificate *c)
{
    free(c->run);
    *c = (struct certificate){0};
}

const char *certified_text(const struct certified_run *run, char text[RUN_TEXT])
{
    snprintf(text, RUN_TEXT, "%s %s %s", run->scheme, run->flow_case,
             precision_names[run->precision]);
    return text;
}

static int is_digest(const char *text)
{
    return strlen(text) == DIGEST && strspn(text, "0123456789abcdef") == DIGEST;
}

/* Not 0: the line is a run's. */
static int read_run(char *line, struct certified_run *run)
{
    char *cell[5];
    if (tab_cells(line, cell, 5) != 5 || !*cell[0] || !*cell[1] || strlen(cell[0]) >= NAME_LENGTH ||
        strlen(cell[1]) >= NAME_LENGTH || !is_digest(cell[3]) || !is_digest(cell[4]))
        return 0;
    int p = 0;
    while (p < PRECISIONS && strcmp(cell[2], precision_names[p]) != 0)
        p++;
    *run = (struct certified_run){.precision = (enum precision)p};
    strcpy(run->scheme, cell[0]);
    strcpy(run->flow_case, cell[1]);
    strcpy(run->initial, cell[3]);
    strcpy(run->final, cell[4]);
    return p < PRECISIONS;
}

/* `headed`: the line of columns has been read. */
static enum err read_line(struct certificate *c, char *line, const char *path, int number,
                          int *headed)
{
    struct certified_run run;
    line[strcspn(line, "\n")] = '\0';
    if (strncmp(line, functions_key, strlen(functions_key)) == 0 &&
        is_digest(line + strlen(functions_key)))
        strcpy(c->functions, line + strlen(functions_key));
    if (!*line || *line == '#')
        return ERR_OK;
    if (!*headed) {
        *headed = strcmp(line, columns) == 0;
        if (!*headed)
            FAIL(INPUT, "%s:%d: the first line without # must name the columns: %s", path, number,
                 columns);
        return ERR_OK;
    }
    if (!read_run(line, &run))
        FAIL(INPUT,
             "%s:%d: expected scheme, case, precision and two times %d hexadecimal digits, with a "
             "tab between them; delete the file, then `shoal certify --update` writes it again",
             path, number, DIGEST);
    if (c->count && order(&c->run[c->count - 1], &run) >= 0)
        FAIL(INPUT,
             "%s:%d: '%s %s %s' is a duplicate or out of order: lines are sorted, one for each run",
             path, number, run.scheme, run.flow_case, precision_names[run.precision]);
    return certificate_put(c, &run);
}

enum err certificate_read(struct certificate *c, const char *path)
{
    char *line = NULL;
    size_t room = 0;
    int headed = 0;
    enum err e = ERR_OK;
    *c = (struct certificate){0};
    FILE *f = fopen(path, "r");
    if (!f && errno == ENOENT)
        return ERR_OK;
    if (!f)
        FAIL(INPUT, "%s: cannot be read: %s", path, strerror(errno));
    errno = 0;
    for (int number = 1; !e && getline(&line, &room, f) >= 0; number++)
        e = read_line(c, line, path, number, &headed);
    if (!e && ferror(f))
        e = err_set(ERR_INPUT, __FILE__, __LINE__, "%s: cannot be read: %s", path, strerror(errno));
    free(line);
    fclose(f);
    if (e)
        certificate_free(c);
    return e;
}

static void print(FILE *f, const void *context)
{
    const struct certificate *c = context;
    fprintf(
        f,
        "# The bits of every scheme and case in strict mode: `make certify` compares them.\n"
        "# A run: shoal run CASE --scheme SCHEME --precision PRECISION --mode strict --nx %d "
        "--steps %d\n"
        "# final: the first %d digits of the SHA-256 of the unknowns after the last step: cells "
        "row "
        "by row from the south-west,\n"
        "# little-endian, in the run's precision. initial: of bed_corner in double, the unknowns "
        "before the "
        "first one, of what is added\n"
        "# in each cell, of kappa and the depth that counts as dry: where the formulas of a case "
        "come out otherwise with\n"
        "# another C library, a run starts from other bits.\n"
        "# A change of the code that changes a line is meant, or it is a mistake: `make certify "
        "UPDATE=1` writes the lines\n"
        "# anew, and the commit says why.\n"
        "%s%s\n%s\n",
        CERTIFICATE_NX, CERTIFICATE_STEPS, DIGEST, functions_key, c->functions, columns);
    for (int k = 0; k < c->count; k++) {
        const struct certified_run *r = &c->run[k];
        fprintf(f, "%s\t%s\t%s\t%s\t%s\n", r->scheme, r->flow_case, precision_names[r->precision],
                r->initial, r->final);
    }
}

enum err certificate_write(const struct certificate *c, const char *path)
{
    return outfile_print(path, print, c);
}
