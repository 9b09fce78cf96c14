/* The user's own database beside an installation's, whose contents it takes over. */
#include "core/db/own.h"

#include <stdlib.h>

#include "core/base/log.h"
#include "core/db/join.h"

enum err db_own(char path[PATH_LENGTH])
{
    static const char remedy[] = "set SHOAL_DB to a folder of your own";
    char shipped[PATH_LENGTH];
    const char *named = getenv("SHOAL_DB");
    int installed;
    TRY(paths_installed(&installed));
    if (!installed || (named && *named))
        return paths_database(path);
    TRY(paths_file("tuning_db", shipped));
    TRY(paths_written("tuning_db", remedy, path));
    TRY(paths_folder(path, remedy));
    if (db_join(path, shipped))
        log_warning("%s lacks some of the measurements in %s: %s", path, shipped, err_message());
    return ERR_OK;
}
