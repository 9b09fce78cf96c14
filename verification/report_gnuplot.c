/* Gnuplot as a child process, and its drawings inside a page. */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "verification/report_parts.h"

/* What a child wrote to a file, as text. */
static char *contents(FILE *f)
{
    const long size = fseek(f, 0, SEEK_END) == 0 ? ftell(f) : -1;
    char *text = size >= 0 ? malloc((size_t)size + 1) : NULL;
    rewind(f);
    if (text)
        text[fread(text, 1, (size_t)size, f)] = '\0';
    return text;
}

/* Without the user's own start-up file: a report looks the same everywhere. */
static enum err run(const char *argument, FILE *out, FILE *log, int *status)
{
    char program[] = "gnuplot", defaults[] = "-d", *copy = strdup(argument);
    char *argv[] = {program, defaults, copy, NULL};
    posix_spawn_file_actions_t io;
    pid_t pid;
    if (!copy)
        FAIL(MEMORY, "no memory to run gnuplot");
    posix_spawn_file_actions_init(&io);
    posix_spawn_file_actions_addopen(&io, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&io, fileno(out), 1);
    posix_spawn_file_actions_adddup2(&io, fileno(log), 2);
    const int rc = posix_spawnp(&pid, program, &io, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&io);
    free(copy);
    if (rc)
        FAIL(ABSENT,
             "gnuplot cannot be started (%s): on Debian or Ubuntu it is in the package "
             "gnuplot-nox",
             strerror(rc));
    while (waitpid(pid, status, 0) < 0)
        if (errno != EINTR)
            FAIL(MACHINE, "cannot wait for gnuplot: %s", strerror(errno));
    return ERR_OK;
}

int gnuplot_present(void)
{
    FILE *null = fopen("/dev/null", "w");
    int status = 1;
    const int started = null && !run("--version", null, null, &status);
    if (null)
        fclose(null);
    return started && status == 0;
}

enum err gnuplot_draw(const char *script, char **svg, char **message)
{
    FILE *out = tmpfile(), *log = tmpfile();
    int status = 0;
    enum err e = ERR_OK;
    *svg = *message = NULL;
    if (!out || !log) {
        e = err_set(ERR_MACHINE, __FILE__, __LINE__, "no temporary file for gnuplot: %s",
                    strerror(errno));
        goto out;
    }
    TRY_OUT(run(script, out, log, &status));
    *svg = contents(out);
    *message = contents(log);
    if (!*svg || !*message)
        e = err_set(ERR_MEMORY, __FILE__, __LINE__, "no memory for a figure");
    else if (status || !strstr(*svg, "</svg>"))
        e = err_set(ERR_CHECK, __FILE__, __LINE__, "gnuplot failed on '%s':\n%s", script, *message);
out:
    if (out)
        fclose(out);
    if (log)
        fclose(log);
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
