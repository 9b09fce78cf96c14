/* The program: finds the command, prints the error if there is one, decides the exit status. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/command/find_command.h"
#include "core/device/launched.h"
#include "core/base/paths.h"
#include "core/registry/table_check.h"
#include "core/base/signals.h"
#include "core/base/version.h"
#include "verification/run/case_check.h"

static void print_usage(FILE *f)
{
    fputs("usage: shoal COMMAND [arguments]\n"
          "\n"
          "Shallow-water flow on CPUs and GPUs.\n"
          "\n",
          f);
    for (const struct command *c = commands_next(commands, NULL); c; c = commands_next(commands, c))
        fprintf(f, "  shoal %-7s %-22s %s\n", c->name,
                *c->arguments || !c->options ? c->arguments : "[options]", c->title);
    fputs("\n"
          "  shoal COMMAND --help   explains a command, with examples\n"
          "  shoal --version        says which Shoal this is and how to cite it\n",
          f);
}

static void print_version(void)
{
    const char *home;
    printf("shoal %s (commit %s)\n", shoal_version, shoal_commit);
    if (paths_home(&home))
        puts("To cite it, use CITATION.cff from its source.");
    else
        printf("To cite it, use %s/CITATION.cff.\n", home);
}

static enum err check_and_run(int argc, char **argv)
{
    const struct command *c = commands_find(commands, argv[0]);
    struct catalog known;
    TRY(registry_check());
    TRY(verification_check());
    if (c)
        return commands_run(c, "", argc - 1, argv + 1);
    commands_names(commands, &known);
    catalog_add(&known, "--help");
    catalog_add(&known, "--version");
    return catalog_unknown(&known, "command", argv[0], "`shoal --help` lists the commands");
}

static void ignore(int signal_number)
{
    (void)signal_number;
}

/* A closed pipe must cause a failed write, not a signal that ends the program. A handler, unlike
 * SIG_IGN, is not inherited by the compilers that it starts. */
static void survive_closed_pipes(void)
{
    const struct sigaction action = {.sa_handler = ignore, .sa_flags = SA_RESTART};
    sigaction(SIGPIPE, &action, NULL);
    sigaction(SIGXFSZ, &action, NULL); /* exceeding the file size limit is an error of the write */
}

/* By default libgomp's threads spin for milliseconds at a barrier. If other programs use the
 * processors that makes a run ten times slower; tens of microseconds suffice to bridge the gap
 * between two kernels. The library reads this before main, hence the second start. */
static void spin_briefly(char **argv)
{
    if (getenv("OMP_WAIT_POLICY") || getenv("GOMP_SPINCOUNT"))
        return;
    if (setenv("GOMP_SPINCOUNT", "10000", 1) == 0)
        execv("/proc/self/exe", argv); /* on failure the program continues with the default */
}

/* If stdin, stdout or stderr is closed at the start, the next file opened would take its place and
 * receive the output. A descriptor that cannot be written to keeps the place. */
static void hold_standard_files(void)
{
    for (int fd = 0; fd <= 2; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY) < 0)
            return;
    }
}

/* Output may not have arrived: only flushing shows that. */
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
    if (!launched_speaks())
        return;
    fflush(stdout); /* earlier output comes first if both go to one place */
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
    /* Shoal locks outputs itself; HDF5 refuses to open any file on file systems without locks. */
    setenv("HDF5_USE_FILE_LOCKING", "FALSE", 0);
    survive_closed_pipes();
    signals_catch(NULL, 0);
    if (argc < 2) {
        print_usage(stderr);
        return err_status(ERR_USAGE);
    }
    if (commands_want_help(1, argv + 1))
        print_usage(stdout);
    else if (strcmp(argv[1], "--version") == 0)
        print_version();
    else
        e = check_and_run(argc - 1, argv + 1);
    if (e)
        print_error();
    const enum err written = finish_output();
    if (!e && written)
        print_error();
    e = e ? e : written;
    launched_leave(e);
    return err_status(e);
}
