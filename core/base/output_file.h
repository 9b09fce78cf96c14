/* A file that appears at its place complete or not at all: written under another name in the same
 * folder, then renamed. */
#ifndef SHOAL_OUTPUT_FILE_H
#define SHOAL_OUTPUT_FILE_H

#include <stdio.h>
#include <sys/types.h>

#include "core/base/err.h"
#include "core/base/paths.h"

struct outfile {
    char *path, *temporary; /* `temporary` is what to write to */
};

/* Fails with ERR_USAGE where there may be no file of ours at `path`: it is a folder, a device or the like,
 * write-protected, in a folder of the system, what this process prints to, or reads (core/base/input_files.h). */
enum err outfile_check(const char *path);

/* The same, with the file that `path` stands for: of a link, what it leads to, which need not be there yet. */
enum err outfile_find_place(const char *path, char place[PATH_LENGTH]);
enum err outfile_resolve(const char *path, char place[PATH_LENGTH]); /* looks at links only */

/* Creates the temporary file, empty, beside what `path` stands for: a link is followed. Fails with ERR_USAGE
 * where the file could never be put in place: as above, or no such folder, or no permission. Ends with
 * outfile_publish or outfile_discard; both free what the struct holds. */
enum err outfile_create(struct outfile *f, const char *path);

/* Waits until the data are on the disk: some file systems report lack of space only then. */
enum err outfile_flush(const struct outfile *f);

/* The same, and moves the file to its place, over an older one. On failure the older one is untouched
 * and the temporary is deleted. */
enum err outfile_publish(struct outfile *f);

/* The same for a file that was written otherwise, which stays where it is if it fails. */
enum err outfile_move(const char *written, const char *path);

/* Deletes the temporary. Accepts a zeroed or finished struct. */
void outfile_discard(struct outfile *f);

/* The error for a write that failed with `error` (errno, 0 if unknown): if the disk is full the
 * message says so, else it gives `reason`; and what to do. */
enum err outfile_failed(const struct outfile *f, int error, const char *reason);

/* The same where `path` was to come from something that lies at, or in, `beside`. */
enum err outfile_cannot(const char *path, const char *beside, int error, const char *reason);

/* Why no more can be written, as errno, or 0: a library that could not may have lost errno. The temporary is
 * good for nothing after that. */
int outfile_refusal(const struct outfile *f);

/* As outfile_create, with a stream to write to; ends with outfile_close, which publishes what could be written
 * whole and discards all else. */
enum err outfile_open(struct outfile *f, const char *path, FILE **stream);
enum err outfile_close(struct outfile *f, FILE *stream);

/* Writes a whole file: `print` writes, and need not look for errors. */
enum err outfile_print(const char *path, void (*print)(FILE *f, const void *context),
                       const void *context);

/* Makes a file of a new name, which outfile_delete_temporaries deletes until it is forgotten: a descriptor, or
 * -1 and errno. Thread safe, as are the next two. */
int outfile_make(const char *path, mode_t mode);

/* The same for a file that was made otherwise, or will be, and for a folder, which is deleted if it is empty. */
void outfile_remember(const char *path);
void outfile_forget(const char *path);

/* Deletes all temporaries that exist now. For a signal handler that ends the process: it calls
 * nothing but unlink and rmdir, once threads that make some have made them; nobody makes another one after that. */
void outfile_delete_temporaries(void);

#endif
