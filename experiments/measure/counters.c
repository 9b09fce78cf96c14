/* Runs Nsight Compute over this program, and takes in its table. */
#include "experiments/measure/counters.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/paths.h"
#include "core/base/subprocess.h"
#include "core/options/run_config.h"

enum {
    MOST_ARGS = 128,
    MOST_TEXT = 1 << 16,
    MOST_METRICS = 10,
    MOST_FIELDS = 32,
    LAUNCHES_OF_A_STEP = 24
};

enum amount { US, BYTES, OPERATIONS, PCT_SM, PCT_DRAM, INSTRUCTIONS, AMOUNTS };

/* Several metrics add up to an amount. Units are ncu's unscaled ones: seconds and bytes. */
static const struct metric {
    const char *name;
    enum amount amount;
    double times;
} metrics[PRECISIONS][MOST_METRICS] = {
#define METRICS(letter)                                                                      \
    {                                                                                        \
        {"gpu__time_duration.sum", US, 1e6}, {"dram__bytes_read.sum", BYTES, 1},             \
            {"dram__bytes_write.sum", BYTES, 1},                                             \
            {"smsp__sass_thread_inst_executed_op_" letter "add_pred_on.sum", OPERATIONS, 1}, \
            {"smsp__sass_thread_inst_executed_op_" letter "mul_pred_on.sum", OPERATIONS, 1}, \
            {"smsp__sass_thread_inst_executed_op_" letter "fma_pred_on.sum", OPERATIONS, 2}, \
            {"sm__throughput.avg.pct_of_peak_sustained_elapsed", PCT_SM, 1},                 \
            {"dram__throughput.avg.pct_of_peak_sustained_elapsed", PCT_DRAM, 1},             \
            {"smsp__inst_executed.sum", INSTRUCTIONS, 1},                                    \
    }
    [F32] = METRICS("f"),
    [F64] = METRICS("d"),
#undef METRICS
};

/* A running command, and its output files. */
struct command {
    const char *argv[MOST_ARGS + 1];
    char text[MOST_TEXT]; /* what they point to */
    size_t used;
    int count;
    char folder[64], log[96], said[96];
};

static enum err add_word(struct command *c, const char *word)
{
    const size_t bytes = strlen(word) + 1;
    if (c->count == MOST_ARGS || bytes > MOST_TEXT - c->used)
        FAIL(USAGE, "the arguments of ncu are longer than %d characters", MOST_TEXT);
    c->argv[c->count++] = memcpy(c->text + c->used, word, bytes);
    c->used += bytes;
    return ERR_OK;
}

static void delete_output(const struct command *c)
{
    if (!*c->folder)
        return;
    unlink(c->log);
    unlink(c->said);
    rmdir(c->folder);
}

static enum err find_ncu(char path[PATH_LENGTH])
{
    char places[2 * PATH_LENGTH], *next = places, *folder;
    const char *set = getenv("PATH");
    snprintf(places, sizeof places, "%s:/usr/local/cuda/bin", set ? set : "");
    while ((folder = strsep(&next, ":")))
        if (*folder && snprintf(path, PATH_LENGTH, "%s/ncu", folder) < PATH_LENGTH &&
            access(path, X_OK) == 0)
            return ERR_OK;
    FAIL(ABSENT,
         "no ncu on the PATH or in /usr/local/cuda/bin: counters are read by Nsight Compute; "
         "install it (the package nsight-compute of NVIDIA's CUDA repository)");
}

static enum err make_folder(struct command *c)
{
    snprintf(c->folder, sizeof c->folder, "/tmp/shoal-counters-XXXXXX");
    if (!mkdtemp(c->folder)) {
        c->folder[0] = '\0';
        FAIL(MACHINE, "cannot make a folder in /tmp");
    }
    snprintf(c->log, sizeof c->log, "%s/log", c->folder);
    snprintf(c->said, sizeof c->said, "%s/said", c->folder);
    return ERR_OK;
}

/* The arguments for `shoal run`. */
static enum err add_run(struct command *c, const struct config *config)
{
    char self[PATH_LENGTH] = "", text[FILE_LENGTH], name[NAME_LENGTH];
    if (readlink("/proc/self/exe", self, sizeof self - 1) < 0)
        FAIL(MACHINE, "/proc/self/exe: %s", strerror(errno));
    TRY(add_word(c, self));
    TRY(add_word(c, "run"));
    TRY(add_word(c, config->input));
    for (const struct option *o = run_options; o->name; o++) {
        snprintf(name, sizeof name, "--%s", o->name);
        for (int k = 0; o->type != &option_flag && option_format(o, config, k, text); k++) {
            TRY(add_word(c, name));
            TRY(add_word(c, text));
        }
    }
    return add_word(c, "--quiet");
}

static enum err compose(struct command *c, const struct config *config)
{
    char path[PATH_LENGTH], list[1024] = "", launches[32];
    const struct metric *m = metrics[config->precision];
    TRY(find_ncu(path));
    TRY(make_folder(c));
    for (size_t n = 0; m->name && n < sizeof list; m++)
        n += (size_t)snprintf(list + n, sizeof list - n, "%s%s", n ? "," : "", m->name);
    snprintf(launches, sizeof launches, "%ld", config->steps * LAUNCHES_OF_A_STEP);
    /* The clocks stay unchanged. */
    const char *const words[] = {path,   "--clock-control", "none",       "--print-units",
                                 "base", "--csv",           "--log-file", c->log,
                                 "-c",   launches,          "--metrics",  list};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        TRY(add_word(c, words[k]));
    return add_run(c, config);
}

/* Splits a line of CSV into fields without quotes, in place; returns how many. */
static int split(char *line, char *field[MOST_FIELDS])
{
    int n = 0;
    char *from = line, *to;
    while (n < MOST_FIELDS && *from && *from != '\n') {
        const int quoted = *from == '"';
        from += quoted;
        field[n++] = to = from;
        while (*from && *from != '\n' && (quoted || *from != ',')) {
            if (*from == '"' && quoted && *++from != '"')
                break;
            *to++ = *from++;
        }
        from += *from == ',';
        *to = '\0';
    }
    return n;
}

/* The indices of the needed columns. */
struct columns {
    int id, kernel, metric, unit, value, count;
};

static int column(char *const field[], int count, const char *name)
{
    for (int k = 0; k < count; k++)
        if (strcmp(field[k], name) == 0)
            return k;
    return -1;
}

/* True for the line of names. */
static int take_names(char *const field[], int count, struct columns *c)
{
    const struct columns all = {
        column(field, count, "ID"),           column(field, count, "Kernel Name"),
        column(field, count, "Metric Name"),  column(field, count, "Metric Unit"),
        column(field, count, "Metric Value"), count};
    if (all.id < 0 || all.kernel < 0 || all.metric < 0 || all.unit < 0 || all.value < 0)
        return 0;
    *c = all;
    return 1;
}

/* A number with thousands set off by commas, and a unit with a prefix, such as "nsecond". NAN: none. */
static double number(const char *text, const char *unit)
{
    static const struct {
        char prefix;
        double times;
    } scale[] = {{'G', 1e9}, {'M', 1e6}, {'K', 1e3}, {'m', 1e-3}, {'u', 1e-6}, {'n', 1e-9}};
    char digits[64], *end;
    size_t n = 0;
    for (; *text && n + 1 < sizeof digits; text++)
        if (*text != ',')
            digits[n++] = *text;
    digits[n] = '\0';
    double x = strtod(digits, &end);
    if (end == digits || *end)
        return (double)NAN;
    for (size_t k = 0; k < sizeof scale / sizeof *scale; k++)
        if (*unit == scale[k].prefix)
            x *= scale[k].times;
    return x;
}

/* A launch, its lines read so far. */
struct launch {
    char id[32], name[COUNTED_NAME + 1];
    double amount[AMOUNTS];
    int told[AMOUNTS];
};

static void add_metric(struct launch *l, enum precision p, const char *name, double x)
{
    for (const struct metric *m = metrics[p]; m->name; m++)
        if (strcmp(m->name, name) == 0) {
            l->amount[m->amount] += m->times * x;
            l->told[m->amount] = 1;
        }
}

static void keep_longest(struct counted *all, const struct launch *l)
{
    int k = 0;
    double amount[AMOUNTS];
    while (k < all->count && strcmp(all->at[k].name, l->name) != 0)
        k++;
    if (!*l->name || k == COUNTED_KERNELS || (k < all->count && !(l->amount[US] > all->at[k].us)))
        return;
    for (int a = 0; a < AMOUNTS; a++)
        amount[a] = l->told[a] ? l->amount[a] : (double)NAN;
    struct counted_kernel *to = &all->at[k];
    snprintf(to->name, sizeof to->name, "%s", l->name);
    to->us = amount[US];
    to->dram_bytes = amount[BYTES];
    to->operations = amount[OPERATIONS];
    to->pct_sm = amount[PCT_SM];
    to->pct_dram = amount[PCT_DRAM];
    to->instructions = amount[INSTRUCTIONS];
    all->count += k == all->count;
}

/* A line for each metric of each launch; lines before the names are messages of ncu. */
static void read_lines(FILE *f, enum precision p, struct counted *all)
{
    char line[8192], *field[MOST_FIELDS];
    struct columns c = {.count = 0};
    struct launch l = {.id = ""};
    while (fgets(line, sizeof line, f)) {
        const int n = split(line, field);
        if (!c.count) {
            take_names(field, n, &c);
            continue;
        }
        if (n != c.count)
            continue;
        if (strcmp(field[c.id], l.id) != 0) {
            keep_longest(all, &l);
            l = (struct launch){.id = ""};
            snprintf(l.id, sizeof l.id, "%s", field[c.id]);
            snprintf(l.name, sizeof l.name, "%.*s", (int)strcspn(field[c.kernel], "("),
                     field[c.kernel]);
        }
        add_metric(&l, p, field[c.metric], number(field[c.value], field[c.unit]));
    }
    keep_longest(all, &l);
}

/* ncu's complaint, or else the last line there is. */
static void complaint(const char *path, char *text, size_t n)
{
    char line[1024];
    FILE *f = fopen(path, "r");
    int found = 0;
    while (f && !found && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = '\0';
        found = strncmp(line, "==ERROR==", 9) == 0;
        if (*line)
            snprintf(text, n, "%s", line);
    }
    if (f)
        fclose(f);
}

/* Runs it to its end. `status` is its exit status, or 128 plus the number of the signal that ended
 * it. */
static enum err run_to_end(const struct command *c, int *status)
{
    pid_t pid;
    const int file = open(c->said, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    const int error =
        program_spawn(c->argv, &(struct program_ends){.out = file, .err = file}, &pid);
    if (file >= 0)
        close(file);
    if (error)
        FAIL(MACHINE, "no process for %s: %s", c->argv[0], strerror(error));
    const int how = program_wait(pid);
    *status = WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
    return ERR_OK;
}

static enum err run(struct command *c, const struct config *config, struct counted *all)
{
    char why[1024] = "it said nothing";
    int status;
    TRY(compose(c, config));
    TRY(run_to_end(c, &status));
    FILE *f = fopen(c->log, "r");
    if (f) {
        read_lines(f, (enum precision)config->precision, all);
        fclose(f);
    }
    if (status == 0 && all->count > 0)
        return ERR_OK;
    complaint(c->said, why, sizeof why);
    complaint(c->log, why, sizeof why);
    FAIL(ABSENT,
         "ncu ended with status %d, and %d kernels counted: %s; the administrator of this machine "
         "can permit reading counters",
         status, all->count, why);
}

enum err counters_read(const struct config *c, struct counted *all)
{
    struct command *command = calloc(1, sizeof *command);
    *all = (struct counted){.count = 0};
    if (!command)
        FAIL(MEMORY, "no memory to run ncu");
    const enum err e = run(command, c, all);
    delete_output(command);
    free(command);
    return e;
}
