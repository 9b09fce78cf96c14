/* Tables that cannot work, found before anything is done with them. */
#ifndef SHOAL_TABLE_CHECK_H
#define SHOAL_TABLE_CHECK_H

#include "core/base/err.h"
#include "core/registry/registry.h"

/* Fails with ERR_INPUT, naming file, line, member and remedy, where a table lacks a member or has one
 * that nothing can work with. Lists end and files are there: make_registry has looked at that. */
enum err registry_check(void);

/* The same of one table: of the scheme in schemes/FOLDER/, the case in verification/cases/FILE.c, a
 * system in kernels/systems/FILE.c, a kernel in kernels/FILE.c. */
enum err registry_check_scheme(const struct scheme *s, const char *folder);
enum err registry_check_case(const struct flow_case *c, const char *file);
enum err registry_check_system(const struct system *s, const char *file);
enum err registry_check_kernel(const struct kernel *k, const char *file);

/* What the files of `cases` are called, without their endings. */
extern const char *const case_files[];

/* The error for who looks into more of a case's table: fails as above, and `what` says of the member what
 * stands there now. */
enum err registry_wrong_case(const char *file, const char *member, const char *what,
                             const char *remedy);

#endif
