/* The commands of the program. Each gets the arguments after its name and prints results to stdout. */
#ifndef SHOAL_COMMANDS_H
#define SHOAL_COMMANDS_H

#include "core/base/err.h"

enum err cmd_list(int argc, char **argv);
enum err cmd_info(int argc, char **argv);
enum err cmd_run(int argc, char **argv);
enum err cmd_db(int argc, char **argv);
enum err cmd_verify(int argc, char **argv);  /* verification/run/cmd_verify.c */
enum err cmd_judge(int argc, char **argv);   /* verification/judge/cmd_judge.c */
enum err cmd_certify(int argc, char **argv); /* verification/certify/cmd_certify.c */
enum err cmd_tune(int argc, char **argv);    /* experiments/cmd_tune.c */
enum err cmd_measure(int argc, char **argv); /* experiments/cmd_measure.c */
enum err cmd_bench(int argc, char **argv);   /* experiments/measure/cmd_bench.c */
enum err cmd_plot(int argc, char **argv);    /* plots/cmd_plot.c */
enum err cmd_render(int argc, char **argv);  /* plots/render/cmd_render.c */

/* Actions of `shoal db`: the arguments after the action's name. core/command/cmd_db_records.c: */
enum err cmd_seal(int argc, char **argv);
enum err cmd_retire(int argc, char **argv);
enum err cmd_disown(int argc, char **argv);
enum err cmd_remark(int argc, char **argv);
enum err cmd_join(int argc, char **argv);
/* In experiments/: */
enum err cmd_replay(int argc, char **argv);
enum err cmd_export(int argc, char **argv);
enum err cmd_import(int argc, char **argv);

/* `shoal list experiments`, each line after `indent`: experiments/cmd_list_experiments.c. One that cannot
 * be read is named on stderr; the others are listed, then it fails with ERR_INPUT. */
enum err cmd_list_experiments(const char *indent);

/* What `shoal COMMAND --help` prints; for run it is config_help; db, whose actions have
 * help of their own, prints it itself. */
void cmd_list_help(void);
void cmd_info_help(void);
void cmd_bench_help(void);
void cmd_verify_help(void);
void cmd_judge_help(void);
void cmd_certify_help(void);
void cmd_tune_help(void);
void cmd_measure_help(void);
void cmd_plot_help(void);
void cmd_render_help(void);
void cmd_seal_help(void);
void cmd_retire_help(void);
void cmd_disown_help(void);
void cmd_remark_help(void);
void cmd_join_help(void);
void cmd_replay_help(void);
void cmd_export_help(void);
void cmd_import_help(void);

#endif
