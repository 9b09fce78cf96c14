/* The table of devices, for the paper. */
#include <stdlib.h>
#include <string.h>

#include "core/base/output_file.h"
#include "plots/gallery/paper.h"
#include "plots/gallery/tex.h"

static const char *known(const struct plot_device *d, const char *name)
{
    const char *value = db_manifest_get(&d->manifest, "environment", name);
    return value ? value : "?";
}

static void put_hardware(const struct plot_device *d, FILE *f)
{
    const int gpus = plot_device_count(d);
    if (d->backend == CPU)
        fprintf(f, "%s threads", known(d, "threads"));
    else if (gpus > 1)
        fprintf(f, "%d GPUs of %s multiprocessors", gpus, known(d, "sm_count"));
    else
        fprintf(f, "%s multiprocessors", known(d, "sm_count"));
}

static void put_software(const struct plot_device *d, FILE *f)
{
    if (d->backend == CPU) {
        tex_text(f, known(d, "compiler"));
        return;
    }
    fputs("driver ", f);
    tex_text(f, known(d, "driver"));
    fputs(", NVRTC ", f);
    tex_text(f, known(d, "nvrtc"));
}

static void put_device(const struct gallery *g, const struct plot_device *d, FILE *f)
{
    int verdicts[VERDICTS];
    const int judged = paper_verdicts_on(g, d->device, verdicts);
    tex_text(f, plot_device_title(d));
    fputs(" & ", f);
    put_hardware(d, f);
    fputs(" & ", f);
    put_software(d, f);
    fprintf(f, " & %d & %d & %d \\\\\n", judged, verdicts[VERDICT_UNDECIDED],
            verdicts[VERDICT_UNKNOWN]);
}

static void write_devices(FILE *f, const void *context)
{
    const struct gallery *g = context;
    fputs("% Written by `shoal plot --all`.\n"
          "\\begin{tabular}{@{}>{\\raggedright\\arraybackslash}p{.24\\linewidth}"
          ">{\\raggedright\\arraybackslash}p{.18\\linewidth}"
          ">{\\raggedright\\arraybackslash}p{.2\\linewidth}rrr@{}}\n\\toprule\n"
          "Device & & Software & Verdicts & Undecided & Not measured \\\\\n\\midrule\n",
          f);
    for (int k = 0; k < g->devices.count; k++)
        if (g->devices.at[k].rank == 1)
            put_device(g, &g->devices.at[k], f);
    fputs("\\bottomrule\n\\end{tabular}\n", f);
}

enum err paper_devices(const struct gallery *g)
{
    char path[PATH_LENGTH];
    snprintf(path, sizeof path, "%.*s/paper/devices.tex", PATH_LENGTH - 300, g->folder);
    return outfile_print(path, write_devices, g);
}
