/* Finds tables that cannot work, before anything uses them. */
#ifndef SHOAL_TABLE_CHECK_H
#define SHOAL_TABLE_CHECK_H

#include "core/base/err.h"
#include "core/registry/registry.h"

/* Fails with ERR_INPUT, naming file, line, member and remedy, if a table lacks a member or has an
 * impossible one. make_registry has already checked that lists end and files exist. */
enum err registry_check(void);

/* The same for one table: of the scheme in schemes/FOLDER/, the case in verification/cases/FILE.c,
 * a system in kernels/systems/FILE.c, a kernel in kernels/FILE.c. */
enum err registry_check_scheme(const struct scheme *s, const char *folder);
enum err registry_check_case(const struct flow_case *c, const char *file);
enum err registry_check_system(const struct system *s, const char *file);
enum err registry_check_kernel(const struct kernel *k, const char *file);

/* The names of `cases`' files, without their endings. */
extern const char *const case_files[];

/* The error for code that checks more of a case's table: fails as above; `what` describes the
 * member's present value. */
enum err registry_wrong_case(const char *file, const char *member, const char *what,
                             const char *remedy);

#endif
