/* Plain numbers in transit between this process and GDAL's programs. */
#include "core/raster/gdal_folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/output_file.h"

enum err gdal_folder_make(const char *path, struct gdal_folder *t)
{
    static const char *const names[GDAL_FILES] = {"numbers", "numbers.hdr", "numbers.aux.xml"};
    const char *set = getenv("TMPDIR"), *place = set && *set ? set : "/tmp";
    char folder[GDAL_FOLDER];
    const int n = /* cannot be read as a program's option either */
        snprintf(folder, GDAL_FOLDER, "%s%s/shoal-XXXXXX", *place == '/' ? "" : "./", place);
    if (n >= GDAL_FOLDER || !mkdtemp(folder))
        FAIL(MACHINE, "%s: cannot create the temporary folder %s: %s: TMPDIR names another place",
             path, folder, strerror(errno));
    for (int k = 0; k < GDAL_FILES; k++) {
        snprintf(t->file[k], PATH_LENGTH, "%s/%s", folder, names[k]);
        outfile_remember(t->file[k]);
    }
    outfile_remember(folder);
    memcpy(t->folder, folder, sizeof folder);
    return ERR_OK;
}

void gdal_folder_remove(const struct gdal_folder *t)
{
    for (int k = 0; k < GDAL_FILES; k++) {
        unlink(t->file[k]);
        outfile_forget(t->file[k]);
    }
    rmdir(t->folder);
    outfile_forget(t->folder);
}
