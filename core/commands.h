/* The commands of the program. Each gets the arguments after its name and prints results to stdout. */
#ifndef SHOAL_COMMANDS_H
#define SHOAL_COMMANDS_H

#include "core/err.h"

enum err cmd_list(int argc, char **argv);
enum err cmd_info(int argc, char **argv);
enum err cmd_run(int argc, char **argv);
enum err cmd_bench(int argc, char **argv);
enum err cmd_db(int argc, char **argv);
enum err cmd_verify(int argc, char **argv); /* verification/cmd_verify.c */

/* What `shoal COMMAND --help` prints; for run it is config_help. */
void cmd_list_help(void);
void cmd_info_help(void);
void cmd_bench_help(void);
void cmd_db_help(void);
void cmd_verify_help(void);

#endif
