/* The version and the commit, from the build. */
#include "core/base/version.h"

const char shoal_version[] = SHOAL_VERSION;
const char shoal_commit[] = SHOAL_COMMIT;
const char shoal_committed[] = SHOAL_COMMITTED;
