/* The program: finds the command, prints the error if there is one, decides the exit status. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/registry/catalog.h"
#include "core/command/commands.h"
#include "core/options/run_config.h"
#include "core/base/paths.h"
#include "core/registry/table_check.h"
#include "core/base/signals.h"
#include "core/base/version.h"
#include "verification/run/case_check.h"

struct command {
    const char *name, *arguments, *title;
    enum err (*run)(int argc, char **argv);
    void (*help)(void); /* null: it explains itself */
};

static const struct command commands[] = {
    {"list", "[KIND]", "what can be chosen by name", cmd_list, cmd_list_help},
    {"info", "", "what this machine offers", cmd_info, cmd_info_help},
    {"run", "CASE|FILE.nc|FILE.ini", "computes a flow", cmd_run, config_help},
    {"verify", "[options]", "compares schemes with known solutions", cmd_verify, cmd_verify_help},
    {"judge", "--limiter NAME, ...", "a report on one limiter, flux, scheme or case", cmd_judge,
     cmd_judge_help},
    {"certify", "[options]", "says what is the same to the last bit", cmd_certify,
     cmd_certify_help},
    {"tune", "[options]", "finds the best blocks and scheme for this machine", cmd_tune,
     cmd_tune_help},
    {"measure", "EXPERIMENT...", "fills the database with whole runs", cmd_measure,
     cmd_measure_help},
    {"plot", "EXPERIMENT...", "draws figures from the database", cmd_plot, cmd_plot_help},
    {"bench", "[cpu|cuda] [options]", "measures how fast this machine is", cmd_bench,
     cmd_bench_help},
    {"render", "FILE.nc", "draws pictures and films of a result", cmd_render, cmd_render_help},
    {"db", "check|show|...", "the database of measurements", cmd_db, NULL},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void print_usage(FILE *f)
{
    fputs("usage: shoal COMMAND [arguments]\n"
          "\n"
          "Shallow-water flow on CPUs and GPUs.\n"
          "\n",
          f);
    for (int k = 0; k < COMMANDS; k++)
        fprintf(f, "  shoal %-7s %-22s %s\n", commands[k].name, commands[k].arguments,
                commands[k].title);
    fputs("\n"
          "  shoal COMMAND --help   explains a command, with examples\n"
          "  shoal --version        says which Shoal this is and how to cite it\n",
          f);
}

static void print_version(void)
{
    const char *home;
    printf("shoal %s (commit %s)\n", shoal_version, shoal_commit);
    if (place_home(&home))
        puts("To cite it, use CITATION.cff from its source.");
    else
        printf("To cite it, use %s/CITATION.cff.\n", home);
}

static int is_help(const char *argument)
{
    return strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0;
}

static enum err run_command(const char *name, int argc, char **argv)
{
    struct catalog known = {0};
    TRY(registry_check());
    TRY(verification_check());
    for (int k = 0; k < COMMANDS; k++) {
        catalog_add(&known, commands[k].name);
        if (strcmp(name, commands[k].name) != 0)
            continue;
        for (int i = 0; i < argc; i++) {
            if (commands[k].help && is_help(argv[i])) {
                commands[k].help();
                return ERR_OK;
            }
        }
        return commands[k].run(argc, argv);
    }
    catalog_add(&known, "--help");
    catalog_add(&known, "--version");
    return catalog_unknown(&known, "command", name, "`shoal --help` lists the commands");
}

static void ignore(int signal_number)
{
    (void)signal_number;
}

/* A closed pipe must come back as a failed write, not as a signal that ends the program. A handler,
 * unlike SIG_IGN, is not passed on to the compilers it starts. */
static void survive_closed_pipes(void)
{
    const struct sigaction action = {.sa_handler = ignore, .sa_flags = SA_RESTART};
    sigaction(SIGPIPE, &action, NULL);
    sigaction(SIGXFSZ, &action, NULL); /* a file that may not grow is an error of the write */
}

/* By default libgomp's threads spin for milliseconds at a barrier. Where other programs use the
 * processors that makes a run ten times slower; tens of microseconds are enough to bridge the gap
 * between two kernels. The library reads this before main, hence the second start. */
static void spin_briefly(char **argv)
{
    if (getenv("OMP_WAIT_POLICY") || getenv("GOMP_SPINCOUNT"))
        return;
    if (setenv("GOMP_SPINCOUNT", "10000", 1) == 0)
        execv("/proc/self/exe", argv); /* where that fails the program goes on as it is */
}

/* Where stdin, stdout or stderr came closed, the next file opened would take its place and get
 * what is printed. A descriptor that refuses to be written to keeps the place. */
static void hold_standard_files(void)
{
    for (int fd = 0; fd <= 2; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY) < 0)
            return;
    }
}

/* What was printed may not have arrived: that is only known once it is flushed. */
static enum err finish_output(void)
{
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout))
        FAIL(MACHINE, "cannot write to standard output: %s",
             errno ? strerror(errno) : "an earlier write failed");
    return ERR_OK;
}

static void print_error(void)
{
    fflush(stdout); /* what was printed before comes first, where both go to one place */
    if (getenv("SHOAL_DEBUG"))
        fprintf(stderr, "shoal: error: %s (%s)\n", err_message(), err_place());
    else
        fprintf(stderr, "shoal: error: %s\n", err_message());
}

int main(int argc, char **argv)
{
    enum err e = ERR_OK;
    spin_briefly(argv);
    hold_standard_files();
    /* Outputs are locked by Shoal; HDF5 refuses to open any file where there are no locks. */
    setenv("HDF5_USE_FILE_LOCKING", "FALSE", 0);
    survive_closed_pipes();
    signals_catch(NULL, 0);
    if (argc < 2) {
        print_usage(stderr);
        return err_status(ERR_USAGE);
    }
    if (is_help(argv[1]))
        print_usage(stdout);
    else if (strcmp(argv[1], "--version") == 0)
        print_version();
    else
        e = run_command(argv[1], argc - 2, argv + 2);
    if (e)
        print_error();
    const enum err written = finish_output();
    if (!written)
        return err_status(e);
    if (e)
        return err_status(e);
    print_error();
    return err_status(written);
}
