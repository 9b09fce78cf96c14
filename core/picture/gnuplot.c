/* Runs gnuplot, several at a time, and collects its drawings and messages. */
#include "core/picture/gnuplot.h"

#include <errno.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/base/paths.h"
#include "core/base/subprocess.h"
#include "core/base/whole_file.h"

/* What a child wrote to a file, as text; the caller frees it; null if it cannot be read. */
static char *contents(int fd, size_t *size)
{
    char *text = NULL;
    if (lseek(fd, 0, SEEK_SET) == 0)
        (void)whole_file_read_on(fd, "gnuplot", WHOLE_DATA, &text, size);
    return text;
}

/* Without the user's own start-up file: figures look the same everywhere. */
static enum err start(struct gnuplot_run *r, const char *script)
{
    r->out_file = memfd_create("drawing", MFD_CLOEXEC);
    r->log = memfd_create("messages", MFD_CLOEXEC);
    if (r->out_file < 0 || r->log < 0)
        FAIL(MACHINE, "no temporary file for gnuplot: %s", strerror(errno));
    const char *const with[] = {"gnuplot", "-d", "-e", r->before, script, NULL},
                      *const without[] = {"gnuplot", "-d", script, NULL};
    const struct program_ends ends = {.out = r->out_file, .err = r->log, .folder = r->folder};
    const int rc = program_spawn(r->before ? with : without, &ends, &r->pid);
    if (!rc)
        return ERR_OK;
    r->pid = 0;
    FAIL(ABSENT,
         "gnuplot cannot be started (%s): on Debian or Ubuntu, install the package gnuplot-nox",
         strerror(rc));
}

static int wait_for(struct gnuplot_run *r)
{
    const pid_t pid = r->pid;
    r->pid = 0;
    return program_wait(pid);
}

static void end(struct gnuplot_run *r)
{
    if (r->pid)
        (void)wait_for(r);
    if (r->out_file > 0)
        close(r->out_file);
    if (r->log > 0)
        close(r->log);
    r->out_file = r->log = 0;
}

int gnuplot_present(void)
{
    struct gnuplot_run r = {.script = NULL};
    const int present = !start(&r, "--version") && wait_for(&r) == 0;
    end(&r);
    return present;
}

static enum err finish(struct gnuplot_run *r)
{
    size_t said;
    enum err e = ERR_OK;
    const int status = wait_for(r);
    r->out = contents(r->out_file, &r->size);
    r->message = contents(r->log, &said);
    if (!r->out || !r->message)
        e = err_set(ERR_MEMORY, __FILE__, __LINE__, "no memory for a figure");
    else if (status || !r->size)
        r->err = ERR_CHECK;
    end(r);
    return e;
}

/* A name that begins with a dash would be an option, one with '<' a command line for the shell. */
static enum err start_drawing(struct gnuplot_run *r)
{
    char script[PATH_LENGTH + 2];
    const int n = snprintf(script, sizeof script, "%s%s", *r->script == '/' ? "" : "./", r->script);
    if (n >= (int)sizeof script)
        FAIL(USAGE, "'%.80s...' is too long for the name of a script", r->script);
    return start(r, script);
}

/* Waits for them in order: most take about the same time. */
enum err gnuplot_draw(struct gnuplot_run *const runs[], int count)
{
    const int room = omp_get_num_procs();
    enum err e = ERR_OK;
    for (int k = 0; k < count + room && !e; k++) {
        if (k >= room && runs[k - room]->pid)
            e = finish(runs[k - room]);
        if (k < count && !e)
            e = start_drawing(runs[k]);
    }
    for (int k = 0; k < count; k++)
        end(runs[k]);
    return e;
}

void gnuplot_free(struct gnuplot_run *run)
{
    free(run->out);
    free(run->message);
    run->out = run->message = NULL;
}

/* gnuplot 5.4 does not always read a doubled quote inside single quotes as one (not at the
 * beginning, not beside another): each gets double quotes of its own. */
void gnuplot_text(FILE *script, const char *text)
{
    fputc('\'', script);
    for (; *text; text++)
        if (*text == '\'')
            fputs("'.\"'\".'", script);
        else
            fputc(*text == '\n' ? ' ' : *text, script);
    fputc('\'', script);
}

/* gnuplot takes a name that begins with '<' or '|' for a shell command. */
void gnuplot_file(FILE *script, const char *path)
{
    if (*path && *path != '/')
        fputs("'./'.", script);
    gnuplot_text(script, path);
}
