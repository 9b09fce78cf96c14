/* Prepares the folder for results. */
#include "verification/run/result_folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static enum err make_folder(const char *path)
{
    TRY(paths_folder(path, "choose another with --output"));
    if (access(path, W_OK | X_OK) != 0)
        FAIL(USAGE, "cannot write into the folder %s: %s; choose another with --output", path,
             strerror(errno));
    return ERR_OK;
}

static int ends_with(const char *text, const char *end)
{
    const size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

static void delete_data(const char *folder)
{
    static const char *const ours[] = {".profile.tsv", ".series.tsv", ".cells.tsv", "kappa.tsv"};
    DIR *d = opendir(folder);
    for (struct dirent *f; d && (f = readdir(d));) {
        char path[PATH_LENGTH + 256];
        snprintf(path, sizeof path, "%s/%s", folder, f->d_name);
        for (size_t k = 0; k < sizeof ours / sizeof *ours; k++)
            if (ends_with(f->d_name, ours[k]))
                unlink(path);
    }
    if (d)
        closedir(d);
}

enum err folder_prepare(const char *output, char data[PATH_LENGTH])
{
    static const char *const results[] = {"results.tsv", "runs.tsv", "junit.xml", "report.md",
                                          "report.html"};
    char path[PATH_LENGTH];
    TRY(make_folder(output));
    snprintf(data, PATH_LENGTH, "%.4000s/data", output);
    snprintf(path, sizeof path, "%.4000s/environment.tsv", output);
    if (access(data, F_OK) == 0 && access(path, F_OK) != 0)
        FAIL(USAGE, "%s is not a folder of a verification; choose another with --output", data);
    TRY(make_folder(data));
    for (size_t k = 0; k < sizeof results / sizeof *results; k++) {
        snprintf(path, sizeof path, "%.4000s/%s", output, results[k]);
        unlink(path);
    }
    delete_data(data);
    return ERR_OK;
}
