/* The temporary folder, the film that ffmpeg makes in it, and the move to the final place. */
#include "plots/render/delivery.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/subprocess.h"
#include "plots/render/file_complete.h"

static const char film_name[] = "film.mp4";

void delivery_name(int k, char name[DELIVERY_NAME])
{
    snprintf(name, DELIVERY_NAME, "%06d.png", k);
}

static enum err join(char path[PATH_LENGTH], const char *folder, const char *name)
{
    if (snprintf(path, PATH_LENGTH, "%s/%s", folder, name) >= PATH_LENGTH)
        FAIL(USAGE, "'%.200s...' is too long a name", folder);
    return ERR_OK;
}

/* The folder that a file is in. */
static void folder_of(const char *path, char folder[PATH_LENGTH])
{
    const char *slash = strrchr(path, '/');
    const int n = slash == path ? 1 : slash ? (int)(slash - path) : 0;
    snprintf(folder, PATH_LENGTH, "%.*s", n ? n : 1, n ? path : ".");
}

/* Beside the final place: on the same file system. */
static enum err make_temporary(struct delivery *d, const char *beside)
{
    char name[64];
    for (int k = 0; k < 100; k++) {
        snprintf(name, sizeof name, "shoal-render-%ld-%d.tmp", (long)getpid(), k);
        TRY(join(d->temporary, beside, name));
        if (mkdir(d->temporary, 0700) == 0)
            return ERR_OK;
        if (errno != EEXIST)
            break;
    }
    const int error = errno;
    d->temporary[0] = '\0';
    if (error != EACCES && error != EPERM && error != EROFS)
        return outfile_cannot(beside, beside, error, "cannot create a temporary folder in it");
    FAIL(USAGE, "cannot write pictures into the folder '%s': %s: choose another one", beside,
         strerror(error));
}

static enum err make_folder(struct delivery *d, const char *path)
{
    struct stat s;
    if (snprintf(d->folder, sizeof d->folder, "%s", path) >= PATH_LENGTH)
        FAIL(USAGE, "'%.200s...' is too long a name", path);
    if (mkdir(path, 0777) == 0) {
        d->made = 1;
        return ERR_OK;
    }
    const int error = errno;
    if (error == ENOENT || error == ENOTDIR)
        FAIL(USAGE, "the folder of output '%s' does not exist: create it first", path);
    if (error != EEXIST)
        FAIL(USAGE, "cannot create the folder '%s': %s", path, strerror(error));
    if (stat(path, &s) != 0 || !S_ISDIR(s.st_mode))
        FAIL(USAGE, "'%s' is not a folder: several pictures need one", path);
    return ERR_OK;
}

static enum err ffmpeg_is_here(void)
{
    static const char *const argv[] = {"ffmpeg", "-hide_banner", "-version", NULL};
    struct program p;
    enum err e = program_start(&p, argv, NULL, 0, "ffmpeg");
    if (!e)
        e = program_end(&p);
    if (e)
        err_context("a film needs ffmpeg");
    return e;
}

enum err delivery_open(struct delivery *d, const struct wanted *w)
{
    enum err e = ERR_OK;
    char beside[PATH_LENGTH];
    *d = (struct delivery){0};
    snprintf(d->stem, sizeof d->stem, "%.240s", w->stem);
    if (*w->film) {
        TRY_OUT(ffmpeg_is_here());
        TRY_OUT(outfile_create(&d->film, w->film));
    }
    if (*w->picture)
        TRY_OUT(outfile_create(&d->picture, w->picture));
    if (*w->folder)
        TRY_OUT(make_folder(d, w->folder));
    folder_of(*w->picture ? w->picture : w->film, beside);
    TRY_OUT(make_temporary(d, *w->folder ? w->folder : beside));
    return ERR_OK;
out:
    delivery_discard(d);
    return e;
}

/* The destination of the k-th picture; for a film without pictures, that of the film. */
static void place_of(const struct delivery *d, int k, const size_t *record, char place[PATH_LENGTH])
{
    if (d->folder[0])
        snprintf(place, PATH_LENGTH, "%.*s/%s-%04zu.png", PATH_LENGTH - 300, d->folder, d->stem,
                 record[k]);
    else
        snprintf(place, PATH_LENGTH, "%s", d->picture.path ? d->picture.path : d->film.path);
}

enum err delivery_check(const struct delivery *d, const size_t *record)
{
    char name[DELIVERY_NAME], from[PATH_LENGTH], place[PATH_LENGTH];
    for (int k = 0; k < d->count; k++) {
        delivery_name(k, name);
        place_of(d, k, record, place);
        TRY(join(from, d->temporary, name));
        if (!whole_picture(from))
            return outfile_cannot(place, d->temporary, 0, "gnuplot did not write all of a picture");
    }
    return ERR_OK;
}

/* yuv420p is what players know; it needs even sizes, which pages have. */
enum err delivery_film(struct delivery *d, double per_second)
{
    char rate[32], from[PATH_LENGTH];
    const char *const argv[] = {
        "ffmpeg", "-hide_banner", "-loglevel", "error",     "-nostdin",   "-framerate", rate,
        "-i",     "%06d.png",     "-c:v",      "libx264",   "-pix_fmt",   "yuv420p",    "-crf",
        "18",     "-preset",      "medium",    "-movflags", "+faststart", film_name,    NULL};
    struct program p;
    snprintf(rate, sizeof rate, "%.6g", per_second);
    TRY(program_start(&p, argv, d->temporary, 0, "ffmpeg"));
    TRY(program_end(&p));
    TRY(join(from, d->temporary, film_name));
    if (!whole_film(from))
        return outfile_failed(&d->film, 0, "ffmpeg did not write all of it");
    return ERR_OK;
}

/* Moves a file of the temporary folder to an outfile's place. */
static enum err publish(const struct delivery *d, const char *name, struct outfile *to)
{
    char from[PATH_LENGTH];
    TRY(join(from, d->temporary, name));
    TRY(outfile_move(from, to->path));
    puts(to->path);
    outfile_discard(to);
    return ERR_OK;
}

static enum err publish_all(const struct delivery *d, const size_t *record)
{
    char name[DELIVERY_NAME], from[PATH_LENGTH], to[PATH_LENGTH];
    for (int k = 0; k < d->count; k++) {
        delivery_name(k, name);
        place_of(d, k, record, to);
        TRY(join(from, d->temporary, name));
        TRY(outfile_move(from, to));
        if (k == 0 || k == d->count - 1)
            printf("%s%s", k == 0 ? "" : "... ", to);
        if (k == d->count - 1)
            putchar('\n');
        else if (k == 0)
            putchar(' ');
    }
    return ERR_OK;
}

enum err delivery_publish(struct delivery *d, const size_t *record)
{
    enum err e = ERR_OK;
    if (d->film.path)
        TRY_OUT(publish(d, film_name, &d->film));
    if (d->picture.path) {
        char name[DELIVERY_NAME];
        delivery_name(0, name);
        TRY_OUT(publish(d, name, &d->picture));
    }
    if (d->folder[0])
        TRY_OUT(publish_all(d, record));
    d->made = 0;
out:
    delivery_discard(d);
    return e;
}

void delivery_discard(struct delivery *d)
{
    char name[DELIVERY_NAME], path[PATH_LENGTH];
    for (int k = 0; d->temporary[0] && k <= d->count; k++) {
        delivery_name(k, name);
        if (!join(path, d->temporary, name))
            unlink(path);
    }
    if (d->temporary[0] && !join(path, d->temporary, film_name))
        unlink(path);
    if (d->temporary[0])
        rmdir(d->temporary);
    if (d->made)
        rmdir(d->folder);
    if (d->picture.path)
        outfile_discard(&d->picture);
    if (d->film.path)
        outfile_discard(&d->film);
    *d = (struct delivery){0};
}
