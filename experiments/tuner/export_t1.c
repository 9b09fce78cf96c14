/* Tuning problems in the T1 format (doi 10.1145/3629527.3651429): the space of a kernel that was
 * tuned, for others to search. */
#include "experiments/tuner/export_parts.h"

#include <string.h>

#include "experiments/tuner/search.h"

enum { LARGEST_SIDE = 1024, MOST_THREADS = 1024 };

/* The blocks of a space that can run, and the sides they have. */
struct sides {
    char width[LARGEST_SIDE + 1], height[LARGEST_SIDE + 1];
    int count;
};

static int runs(const struct kernel *kernel, struct block b)
{
    char why[SPACE_WHY];
    return !space_breaks(kernel, CUDA, b, why, sizeof why);
}

static void find_sides(const struct kernel *kernel, const struct blocks *all, struct sides *s)
{
    for (int k = 0; k < all->count; k++) {
        if (!runs(kernel, all->at[k]))
            continue;
        s->width[all->at[k].w] = 1;
        s->height[all->at[k].h] = 1;
        s->count++;
    }
}

static void print_parameter(FILE *f, const char *name, const char seen[LARGEST_SIDE + 1])
{
    const char *comma = "";
    fprintf(f, "{\"Name\": \"%s\", \"Type\": \"int\", \"Values\": \"[", name);
    for (int side = 1; side <= LARGEST_SIDE; side++) {
        if (!seen[side])
            continue;
        fprintf(f, "%s%d", comma, side);
        comma = ", ";
    }
    fputs("]\"}", f);
}

#define BOTH "{\"Parameters\": [\"block_size_x\", \"block_size_y\"], \"Expression\": \""

/* True if every combination of the sides that has few enough threads is in the space. */
static int is_product(const struct kernel *kernel, const struct sides *s)
{
    int n = 0;
    for (int w = 1; w <= LARGEST_SIDE; w++)
        for (int h = 1; s->width[w] && h <= LARGEST_SIDE; h++)
            n += s->height[h] && block_threads(kernel, (struct block){w, h}) <= MOST_THREADS;
    return n == s->count;
}

static void print_conditions(FILE *f, const struct kernel *kernel, const struct blocks *all,
                             const struct sides *s)
{
    const char *comma = "";
    fputs(" \"Conditions\": [", f);
    if (!kernel->threads) {
        fprintf(f, "\n  " BOTH "block_size_x * block_size_y <= %d\"}", MOST_THREADS);
        comma = ",";
    }
    if (!is_product(kernel, s)) {
        fprintf(f, "%s\n  " BOTH "(block_size_x, block_size_y) in [", comma);
        comma = "";
        for (int k = 0; k < all->count; k++) {
            if (!runs(kernel, all->at[k]))
                continue;
            fprintf(f, "%s(%d, %d)", comma, all->at[k].w, all->at[k].h);
            comma = ", ";
        }
        fputs("]\"}", f);
    }
    fputs("]", f);
}

static void print_options(FILE *f, const struct exported *x)
{
    const char *own = x->kernel->defines;
    fprintf(f,
            "\"CompilerOptions\": [\"-Ikernels\", \"-DKERNEL_NAME=%s\", \"-DBW=block_size_x\", "
            "\"-DBH=block_size_y\", \"-DPRECISION=%d\"",
            x->kernel->name, x->place->precision == F64 ? 64 : 32);
    while (*(own += strspn(own, " "))) {
        const int n = (int)strcspn(own, " ");
        fprintf(f, ", \"-D%.*s\"", n, own);
        own += n;
    }
    fputs("]", f);
}

static void print_threads(FILE *f, const struct kernel *k, int nx, int ny)
{
    if (k->threads)
        fprintf(f,
                "\"GlobalSize\": {\"X\": \"(%d + block_size_x - 1) // block_size_x * %d\", \"Y\": "
                "\"(%d + block_size_y - 1) // block_size_y\"}, "
                "\"LocalSize\": {\"X\": \"%d\", \"Y\": \"1\"},\n ",
                nx, k->threads, ny, k->threads);
    else
        fprintf(f,
                "\"GlobalSize\": {\"X\": \"%d\", \"Y\": \"%d\"}, "
                "\"LocalSize\": {\"X\": \"block_size_x\", \"Y\": \"block_size_y\"},\n ",
                nx, ny);
}

static void print_kernel(FILE *f, const struct exported *x)
{
    fprintf(f,
            "\"KernelSpecification\": {\"Language\": \"CUDA\", \"KernelName\": \"%s\", "
            "\"KernelFile\": \"kernels/%s\",\n \"Device\": {\"Name\": ",
            x->kernel->name, x->kernel->file);
    export_text(f, x->device);
    fprintf(f, "}, \"ProblemSize\": [%d, %d],\n ", x->place->nx, x->place->ny);
    print_threads(f, x->kernel, x->place->nx, x->place->ny);
    print_options(f, x);
    /* It takes one struct by value, which the format cannot describe. */
    fputs(",\n \"Arguments\": []},\n", f);
}

enum err export_t1(FILE *f, const struct exported *x)
{
    struct blocks all;
    struct sides sides = {.count = 0};
    TRY(space_list(x->kernel, x->backend, &all));
    find_sides(x->kernel, &all, &sides);
    fputs("{\"ConfigurationSpace\": {\"TuningParameters\": [\n  ", f);
    print_parameter(f, "block_size_x", sides.width);
    fputs(",\n  ", f);
    print_parameter(f, "block_size_y", sides.height);
    fputs("],\n", f);
    print_conditions(f, x->kernel, &all, &sides);
    fputs("},\n", f);
    print_kernel(f, x);
    fputs("\"Search\": {\"Name\": \"brute_force\"},\n\"General\": {\"FormatVersion\": 1, "
          "\"TimeUnit\": \"Milliseconds\"},\n",
          f);
    export_provenance(f, x);
    fputs("}\n", f);
    blocks_free(&all);
    return ERR_OK;
}
