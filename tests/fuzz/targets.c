/* The readers that are fuzzed. Those that take a path get one of a file in memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/commands.h"
#include "core/json.h"
#include "core/ncfile.h"
#include "core/runfile.h"
#include "core/tuning_db.h"
#include "tests/fuzz/fuzz.h"

enum { PATH = 64, MOST_WORDS = 32 };

/* A file of these bytes that is gone when it is closed. Its path keeps its form from run to run. */
static int in_memory(const uint8_t *data, size_t size, char path[PATH])
{
    const int file = memfd_create("input", 0);
    if (file < 0 || write(file, data, size) != (ssize_t)size)
        abort();
    snprintf(path, PATH, "/proc/self/fd/%d", file);
    return file;
}

/* Faults in rows are counted here, where a command would print them. */
static void count_fault(void *context, const char *path, int line, const char *fault)
{
    (void)path, (void)line;
    *(size_t *)context += strlen(fault) > 0;
}

static enum err take_rows(const uint8_t *data, size_t size)
{
    char path[PATH];
    size_t faults = 0;
    struct db_table t = {0};
    const int file = in_memory(data, size, path);
    const enum err e = db_read(path, count_fault, &faults, &t);
    if (!e)
        db_sort(&t);
    db_free(&t);
    close(file);
    return e;
}

static enum err take_cells(const uint8_t *data, size_t size)
{
    char path[PATH];
    struct db_cells t = {0};
    const int file = in_memory(data, size, path);
    const enum err e = db_cells_read(path, &t);
    db_cells_free(&t);
    close(file);
    return e;
}

static enum err take_manifest(const uint8_t *data, size_t size)
{
    char path[PATH];
    struct db_manifest m = {0};
    const int file = in_memory(data, size, path);
    const enum err e = db_manifest_read(path, &m);
    db_manifest_free(&m);
    close(file);
    return e;
}

static enum err take_json(const uint8_t *data, size_t size)
{
    struct json_tree tree = {0};
    const enum err e = json_parse("input", (const char *)data, size, &tree);
    json_free(&tree);
    return e;
}

/* Kernel Tuner's cache files, as far as reading them and counting goes: nothing is stored. */
static enum err take_import(const uint8_t *data, size_t size)
{
    char path[PATH];
    char *words[] = {path, NULL};
    const int file = in_memory(data, size, path);
    const enum err e = cmd_import(1, words);
    close(file);
    return e;
}

static enum err take_run_file(const uint8_t *data, size_t size)
{
    static struct config c;
    char path[PATH];
    const int file = in_memory(data, size, path);
    config_defaults(&c);
    const enum err e = runfile_read(&c, path);
    close(file);
    return e;
}

/* The words of `shoal run`, one a line. */
static enum err take_command_line(const uint8_t *data, size_t size)
{
    static struct config c;
    char *words[MOST_WORDS + 1], *text = malloc(size + 1);
    int count = 0;
    if (!text)
        abort();
    memcpy(text, data, size);
    text[size] = 0;
    for (char *rest = text, *word; count < MOST_WORDS && (word = strsep(&rest, "\n"));)
        words[count++] = word;
    words[count] = NULL;
    config_defaults(&c);
    const enum err e = config_read(&c, count, words);
    free(text);
    return e;
}

static enum err take_netcdf(const uint8_t *data, size_t size)
{
    char path[PATH];
    struct nc_input in = {0};
    const int file = in_memory(data, size, path);
    const enum err e = nc_read(path, &in);
    nc_input_free(&in);
    close(file);
    return e;
}

const struct fuzz_target fuzz_targets[] = {
    {"rows", take_rows},
    {"cells", take_cells},
    {"manifest", take_manifest},
    {"json", take_json},
    {"import", take_import},
    {"run-file", take_run_file},
    {"command-line", take_command_line},
    {"netcdf", take_netcdf},
    {0},
};
