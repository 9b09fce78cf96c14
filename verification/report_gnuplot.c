/* Gnuplot as a child process, and its drawings inside a page. */
#include <errno.h>
#include <fcntl.h>
#include <omp.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "verification/report_parts.h"

/* What a child wrote to a file, as text. */
static char *contents(int fd)
{
    const off_t size = lseek(fd, 0, SEEK_END);
    char *text = size >= 0 ? malloc((size_t)size + 1) : NULL;
    const ssize_t got = text ? pread(fd, text, (size_t)size, 0) : -1;
    if (text)
        text[got > 0 ? got : 0] = '\0';
    return text;
}

/* Without the user's own start-up file: a report looks the same everywhere. */
static enum err start(struct drawing *d)
{
    char program[] = "gnuplot", defaults[] = "-d";
    char *argv[] = {program, defaults, d->script, NULL};
    posix_spawn_file_actions_t io;
    d->out = memfd_create("drawing", MFD_CLOEXEC);
    d->log = memfd_create("messages", MFD_CLOEXEC);
    if (d->out < 0 || d->log < 0)
        FAIL(MACHINE, "no temporary file for gnuplot: %s", strerror(errno));
    posix_spawn_file_actions_init(&io);
    posix_spawn_file_actions_addopen(&io, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&io, d->out, 1);
    posix_spawn_file_actions_adddup2(&io, d->log, 2);
    const int rc = posix_spawnp(&d->pid, program, &io, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&io);
    if (!rc)
        return ERR_OK;
    d->pid = 0;
    FAIL(ABSENT,
         "gnuplot cannot be started (%s): on Debian or Ubuntu it is in the package gnuplot-nox",
         strerror(rc));
}

static enum err wait_for(struct drawing *d, int *status)
{
    const pid_t pid = d->pid;
    d->pid = 0;
    while (waitpid(pid, status, 0) < 0)
        if (errno != EINTR)
            FAIL(MACHINE, "cannot wait for gnuplot: %s", strerror(errno));
    return ERR_OK;
}

static void end(struct drawing *d)
{
    int status;
    if (d->pid)
        (void)wait_for(d, &status);
    if (d->out > 0)
        close(d->out);
    if (d->log > 0)
        close(d->log);
    d->out = d->log = 0;
}

int gnuplot_present(void)
{
    struct drawing d = {.script = "--version"};
    int status = 1;
    const int present = !start(&d) && !wait_for(&d, &status) && status == 0;
    end(&d);
    return present;
}

static enum err finish(struct drawing *d)
{
    int status = 0;
    enum err e = wait_for(d, &status);
    if (!e) {
        d->svg = contents(d->out);
        d->message = contents(d->log);
        if (!d->svg || !d->message)
            e = err_set(ERR_MEMORY, __FILE__, __LINE__, "no memory for a figure");
        else if (status || !strstr(d->svg, "</svg>"))
            d->err = ERR_CHECK;
    }
    end(d);
    return e;
}

/* They are waited for in turn: most take much the same time. */
enum err gnuplot_draw(struct drawing *drawing, int count)
{
    const int room = omp_get_num_procs();
    enum err e = ERR_OK;
    for (int k = 0; k < count + room && !e; k++) {
        if (k >= room && drawing[k - room].pid)
            e = finish(&drawing[k - room]);
        if (k < count && !e)
            e = start(&drawing[k]);
    }
    for (int k = 0; k < count; k++)
        end(&drawing[k]);
    return e;
}

/* Length of the text at s after which an id or a reference to one follows; 0: none. */
static size_t before_id(const char *s)
{
    static const char *const marks[] = {" id='", " id=\"", "href='#", "href=\"#", "url(#"};
    for (size_t k = 0; k < sizeof marks / sizeof *marks; k++)
        if (strncmp(s, marks[k], strlen(marks[k])) == 0)
            return strlen(marks[k]);
    return 0;
}

void gnuplot_embed(FILE *out, const char *svg, int number)
{
    const char *s = strstr(svg, "<svg");
    while (s && *s) {
        /* Browsers would show the title wherever the pointer rests on the drawing. */
        const char *title = strncmp(s, "<title>", 7) == 0 ? strstr(s, "</title>") : NULL;
        const size_t n = before_id(s);
        if (title) {
            s = title + strlen("</title>");
        } else if (n) {
            fprintf(out, "%.*sf%d-", (int)n, s, number);
            s += n;
        } else {
            /* Up to where an id may begin, at once: drawings are long. */
            const size_t plain = 1 + strcspn(s + 1, " hu<");
            fwrite(s, 1, plain, out);
            s += plain;
        }
    }
}
