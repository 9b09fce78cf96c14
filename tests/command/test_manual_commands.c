/* Every block of code in README.md and the manual: its commands run and print what the pages show, or it is listed here with
 * the reason why not. A few pages take long. */
#include "tests/support/test.h"

#include <fnmatch.h>

#include "core/base/whole_file.h"
#include "tests/support/everything.h"
#include "tests/support/readme.h"
#include "tests/support/tree.h"

enum { BLOCKS = 64, LINE = 1024 };

/* In the order in which a folder is filled: pages use what earlier ones leave. */
static const char *const pages[] = {
    "README.md",         "manual/running.md",  "manual/terrain.md",   "manual/edges.md",
    "manual/water.md",   "manual/tracer.md",   "manual/sediment.md",  "manual/output.md",
    "manual/python.md",  "manual/pictures.md", "manual/long-runs.md", "manual/gpu.md",
    "manual/parts.md",   "manual/sparse.md",   "manual/speed.md",     "manual/tuning.md",
    "manual/figures.md", "manual/accuracy.md", "manual/choices.md",   "manual/lesson.md",
    "manual/install.md", "manual/exit.md",     "manual/README.md",    "manual/troubleshooting.md",
};

/* What their commands compute takes half a minute: followed with SHOAL_TEST_FULL only. */
static const char *const longest[] = {"manual/water.md",    "manual/sediment.md",
                                      "manual/pictures.md", "manual/long-runs.md",
                                      "manual/tuning.md",   "manual/lesson.md"};

enum treatment {
    SKIPPED, /* why */
    WITH,    /* runs with this at its end */
    NEEDS,   /* runs where this command succeeds */
    SHAPE    /* printed by the last command, but for numbers and the machine's words */
};

/* Blocks that only show something, and lines of commands, by their beginnings. */
static const struct listed {
    const char *page, *begins;
    enum treatment treatment;
    const char *text;
} listed[] = {
    {"README.md", "./bootstrap make", SKIPPED, "takes minutes, may install packages"},
    {"README.md", "build/shoal run circular-dam", WITH, " --steps 20"},
    {"README.md", "build/shoal run valley.asc", WITH, " --steps 20"}, /* terrain.md's, whole */
    {"README.md", "run: case=circular-dam", SKIPPED, "running.md shows the same"},
    {"README.md", "make new-limiter", SKIPPED, "test_recipes_new does"},
    {"README.md", "make judge", SKIPPED, "takes a minute"},
    {"README.md", "make", SKIPPED, "the program is built"},
    {"manual/running.md", "make", SKIPPED, "the program is built"},
    {"manual/running.md", "build/shoal run circular-dam", WITH, " --steps 40"},
    {"manual/running.md", "shoal: reconstruction kp", SHAPE, NULL},
    {"manual/edges.md", "build/shoal run beach.nc", NEEDS, "[ -e beach.nc ]"},
    {"manual/terrain.md", "build/shoal run beach.nc", NEEDS, "[ -e beach.nc ]"},
    {"manual/water.md", "build/shoal run street.asc", WITH, " --steps 100"},
    {"manual/sediment.md", "h_t ", SKIPPED, "equations"},
    {"manual/sediment.md", "--bc-west sand", SKIPPED, "options: test_basin_runs"},
    {"manual/sediment.md", "build/shoal measure", SKIPPED, "needs a GPU"},
    {"manual/sediment.md", "build/shoal plot", SKIPPED, "needs measurements of a GPU"},
    {"manual/python.md", "python3 -m venv", SKIPPED, "test_python installs the module"},
    {"manual/python.md", "import shoal", SKIPPED, "test_python runs the page"},
    {"manual/python.md", "flood = shoal.run", SKIPPED, "test_python runs the page"},
    {"manual/python.md", "try:", SKIPPED, "test_python runs the page"},
    {"manual/python.md", "jupyter notebook", SKIPPED, "test_python runs the notebooks"},
    {"manual/pictures.md", "build/shoal render humps.nc --film", NEEDS, "command -v ffmpeg"},
    {"manual/pictures.md", "build/shoal run three-humps --nx 600 --live", WITH, " --steps 2"},
    {"manual/gpu.md", "shoal: backend cuda", SKIPPED, "needs a GPU"},
    {"manual/parts.md", "build/shoal run valley --devices", SKIPPED, "needs GPUs"},
    {"manual/parts.md", "build/shoal run valley --nx 240", WITH, " --steps 4"},
    {"manual/parts.md", "build/shoal verify --devices", SKIPPED, "needs GPUs"},
    {"manual/parts.md", "build/shoal certify --parts", SKIPPED, "takes minutes: test_certificate"},
    {"manual/parts.md", "build/shoal bench cuda", SKIPPED, "needs GPUs"},
    {"manual/parts.md", "./bootstrap --mpi make", SKIPPED, "installs packages"},
    {"manual/parts.md", "mpirun", SKIPPED, "needs MPI: test_mpi"},
    {"manual/sparse.md", "build/shoal run valley", WITH, " --steps 20"},
    {"manual/speed.md", "make bench", SKIPPED, "takes minutes, stores measurements"},
    {"manual/speed.md", "build/shoal bench", SKIPPED, "takes minutes, stores measurements"},
    {"manual/tuning.md", "make tune", SKIPPED, "takes minutes, stores measurements"},
    {"manual/tuning.md", "kernel        blocks", SKIPPED, "printed by tune"},
    {"manual/tuning.md", "shoal: blocks:", SKIPPED, "says what is tuned on the machine"},
    {"manual/tuning.md", "build/shoal measure", SKIPPED, "takes minutes, stores measurements"},
    {"manual/tuning.md", "build/shoal db sql --tables", SKIPPED, "takes seconds: test_sql"},
    {"manual/tuning.md", "build/shoal db replay", SKIPPED, "takes minutes: test_replay"},
    {"manual/figures.md", "make figures", SKIPPED, "takes half a minute: test_gallery"},
    {"manual/figures.md", "build/shoal plot dt-factor ", WITH, " --output figures"},
    {"manual/figures.md", "build/shoal measure", SKIPPED, "takes minutes, stores measurements"},
    {"manual/accuracy.md", "make verify", SKIPPED, "takes minutes"},
    {"manual/accuracy.md", "case           prec", SKIPPED, "printed by verify: test_verify"},
    {"manual/accuracy.md", "make certify", SKIPPED, "takes minutes"},
    {"manual/accuracy.md", "| every scheme and case", SKIPPED,
     "printed by certify: test_manual compares"},
    {"manual/choices.md", "make new-limiter", SKIPPED, "test_recipes_new does"},
    {"manual/choices.md", "make judge", SKIPPED, "takes minutes"},
    {"manual/lesson.md", "make new-limiter", SKIPPED, "test_recipes_new does"},
    {"manual/lesson.md", "make judge", SKIPPED, "takes a minute"},
    {"manual/install.md", "make install", SKIPPED, "test_install does"},
    {"manual/install.md", "make uninstall", SKIPPED, "test_install does"},
    {"manual/install.md", "source <(", SKIPPED, "test_install completes"},
    {"manual/install.md", "podman", SKIPPED, "needs an image"},
    {"manual/troubleshooting.md", "", SKIPPED, "test_manual finds the messages"},
};
enum { LISTED = sizeof listed / sizeof *listed };
static int used[LISTED]; /* which of them the pages have */
static int gnuplot, python;

static int begin(void **state)
{
    char database[PATH_LENGTH + 16];
    (void)state;
    if (tree_begin())
        return -1;
    setenv("PROGRAM", program, 1);
    snprintf(database, sizeof database, "%s/tuning_db", home);
    setenv("SHOAL_DB", database, 1); /* read only */
    expect_shell("mkdir build && ln -s \"$PROGRAM\" build/shoal && ln -s \"$HERE/manual\" manual");
    shell("python3 -c 'import xarray, netCDF4, pandas'");
    python = result.status == 0;
    shell("command -v gnuplot");
    gnuplot = result.status == 0;
    return 0;
}

static int begins(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

static const struct listed *find_listed(const char *page, const char *text)
{
    for (int k = 0; k < LISTED; k++)
        if (strcmp(listed[k].page, page) == 0 && begins(text, listed[k].begins)) {
            used[k] = 1;
            return &listed[k];
        }
    return NULL;
}

/* As a terminal shows it: runs of blanks count as one. */
static void squeeze(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++)
        if (*from != ' ' || (to > text && to[-1] != ' ' && to[-1] != '\n'))
            *to++ = *from;
    *to = '\0';
}

/* The first line of a block that matches no line of the output; "..." in it matches anything. */
static const char *not_printed(const struct readme_block *b)
{
    static char wanted[sizeof b->text], printed[MOST_TEXT];
    strcpy(wanted, b->text);
    squeeze(wanted);
    for (char *rest = wanted, *line; (line = strsep(&rest, "\n"));) {
        char pattern[LINE] = "*", *to = pattern + 1;
        int found = 0;
        for (const char *c = line; *c && to < pattern + LINE - 3; c++) {
            const int dots = strncmp(c, "...", 3) == 0;
            if (!dots && strchr("[]*?\\", *c))
                *to++ = '\\';
            *to++ = (char)(dots ? '*' : *c);
            c += dots ? 2 : 0;
        }
        strcpy(to, "*");
        strcpy(printed, result.out);
        squeeze(printed);
        for (char *lines = printed, *one; !found && (one = strsep(&lines, "\n"));)
            found = fnmatch(pattern, one, 0) == 0;
        if (!found)
            return line;
    }
    return NULL;
}

/* A word of a block that the output lacks, numbers and what the machine has left out: "shoal: blocks:", "steps=". */
static const char *not_in_shape(const struct readme_block *b)
{
    static char text[sizeof b->text], all[2 * MOST_TEXT];
    snprintf(all, sizeof all, "%s%s", result.err, result.out);
    strcpy(text, b->text);
    for (char *rest = text, *line; (line = strsep(&rest, "\n"));) {
        const int logged = begins(line, "shoal: ");
        for (char *words = line, *word; (word = strsep(&words, logged ? "" : " "));) {
            char *const end = logged ? word + strcspn(word + 7, " ") + 7 : strchr(word, '=');
            if (!end)
                continue;
            end[!logged] = '\0';
            if (!strstr(all, word))
                return word;
        }
    }
    return NULL;
}

/* Cuts off an explanation, which begins after two blanks. */
static void cut_note(char *line)
{
    char *const note = strstr(line + strspn(line, " "), "  ");
    if (note)
        *note = '\0';
}

/* Whether a line of commands runs here, and what is added to it. */
static int runs(const char *page, const char *line, const char **added)
{
    const struct listed *l = find_listed(page, line);
    *added = l && l->treatment == WITH ? l->text : "";
    if (!gnuplot && (begins(line, "build/shoal render") || begins(line, "build/shoal plot")))
        return 0;
    if (l && l->treatment == NEEDS) {
        shell(l->text);
        return result.status == 0;
    }
    return !l || l->treatment != SKIPPED;
}

/* The commands of a block that run here. A line that ends with \ continues. */
static void script_of(const char *page, struct readme_block *b, char *script, size_t room)
{
    const char *added = "";
    size_t n = (size_t)snprintf(script, room, "set -e\n");
    int continues = 0, kept = 1;
    for (char *rest = b->text, *line; (line = strsep(&rest, "\n"));) {
        const size_t length = strlen(line);
        const int ends = !length || line[length - 1] != '\\';
        if (!continues)
            kept = runs(page, line, &added);
        if (!begins(line, "awk"))
            cut_note(line);
        if (kept)
            n += (size_t)snprintf(script + n, room - n, "%s%s\n", line, ends ? added : "");
        continues = !ends;
    }
}

static int is_command(const struct readme_block *b)
{
    static const char *const first[] = {"awk ", "./bootstrap ", "mpirun ", "podman ", "source "};
    int is = b->kind == README_COMMANDS;
    for (size_t k = 0; k < sizeof first / sizeof *first; k++)
        is |= begins(b->text, first[k]);
    return is;
}

static void run_block(const char *page, struct readme_block *b)
{
    static char script[MOST_TEXT];
    script_of(page, b, script, sizeof script);
    shell(script);
    if (result.status != 0)
        fail_msg("%s, line %d: status %d:\n%s%s%s", page, b->line, result.status, script,
                 result.out, result.err);
}

/* A script is run at once. */
static void write_block(const struct readme_block *b)
{
    char path[PATH_LENGTH], line[256];
    snprintf(path, sizeof path, "tree/%.100s", b->path);
    scratch_write(path, "w", b->text);
    snprintf(line, sizeof line, "python3 '%s'", b->path);
    if (strstr(b->path, ".py") && python)
        expect_shell(line);
}

/* The output of a command, or of a script, or something that is listed. */
static void compare_block(const char *page, const struct readme_block *b, int of_script)
{
    const struct listed *l = find_listed(page, b->text);
    const char *wrong = NULL;
    if (l && l->treatment == SHAPE)
        wrong = not_in_shape(b);
    else if (b->kind == README_PRINTED && (python || !of_script))
        wrong = not_printed(b);
    else if (b->kind == README_SHOWN && !l)
        fail_msg("%s, line %d: this block is neither a command nor listed in %s", page, b->line,
                 __FILE__);
    if (wrong)
        fail_msg("%s, line %d: '%s' is not printed, but:\n%s%s", page, b->line, wrong, result.out,
                 result.err);
}

static int is_followed(const char *page)
{
    int is_long = 0;
    for (size_t k = 0; k < sizeof longest / sizeof *longest; k++)
        is_long |= strcmp(longest[k], page) == 0;
    return !is_long || everything();
}

/* Follows all blocks of a page. Returns how many there are. */
static int follow(const char *page)
{
    static struct readme_block block[BLOCKS];
    char path[PATH_LENGTH + 64], *text;
    int of_script = 0;
    snprintf(path, sizeof path, "%s/%s", home, page);
    fine(whole_file_read(path, WHOLE_TEXT, &text, NULL));
    const int n = readme_blocks(text, "", block, BLOCKS);
    free(text);
    if (n < 0)
        fail_msg("%s has more than %d blocks, or a long one", page, BLOCKS);
    for (int k = 0; k < n && is_followed(page); k++) {
        struct readme_block *b = &block[k];
        if (is_command(b))
            run_block(page, b);
        else if (b->kind == README_FILE)
            write_block(b);
        else
            compare_block(page, b, of_script);
        of_script = b->kind == README_FILE && strstr(b->path, ".py");
    }
    return n;
}

static void every_block_of_the_pages_is_followed_or_listed(void **state)
{
    int blocks = 0;
    (void)state;
#ifndef HAVE_NETCDF
    skip();
#endif
    for (size_t k = 0; k < sizeof pages / sizeof *pages; k++)
        blocks += follow(pages[k]);
    assert_true(blocks > 100);
    for (int k = 0; k < LISTED; k++)
        if (!used[k] && is_followed(listed[k].page))
            fail_msg("%s has no block or command '%s' any more", listed[k].page, listed[k].begins);
}

static void every_page_is_among_them(void **state)
{
    char names[LINE] = "";
    (void)state;
    for (size_t k = 0; k < sizeof pages / sizeof *pages; k++)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s\n", pages[k]);
    scratch_write("tree/pages", "w", names);
    expect_shell("{ echo README.md; ls manual/*.md; } | sort >there && sort pages | cmp - there");
}

/* Of step 5, from what its command has left. */
static void the_table_of_the_lesson_has_the_errors_of_its_command(void **state)
{
    (void)state;
    shell("[ -e lesson/results.tsv ]");
    if (result.status != 0)
        skip();
    expect_shell(
        "sed -n 's/^| `\\([a-z_]*\\)`.* | \\([0-9.]*\\) | \\([0-9.]*\\) |$/\\1 \\2 \\3/p' "
        "manual/lesson.md >table && [ $(wc -l <table) = 4 ] || exit 1\n"
        "value() { awk -F'\\t' -v limiter=$1 -v flow=$2 -v n=$3 -v norm=\"$4\" '\n"
        "    NR == 1 { for (k = 1; k <= NF; k++) at[$k] = k }\n"
        "    $at[\"case\"] == flow && $at[\"limiter\"] == limiter && $at[\"n\"] == n && "
        "$at[\"norm\"] == norm { printf \"%.4g\\n\", $at[\"value\"] }' lesson/results.tsv; }\n"
        "while read -r limiter vortex stoker; do\n"
        "    [ \"$(value $limiter vortex 100 'mean w')\" = $vortex ] &&\n"
        "    [ \"$(value $limiter stoker 200 'L1 h')\" = $stoker ] || { echo $limiter; exit 1; }\n"
        "done <table");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_page_is_among_them),
        cmocka_unit_test(every_block_of_the_pages_is_followed_or_listed),
        cmocka_unit_test(the_table_of_the_lesson_has_the_errors_of_its_command),
    };
    return cmocka_run_group_tests_name("manual_commands", tests, begin, scratch_remove);
}
