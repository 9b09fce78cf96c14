/* What the commands that verify do alike: which backends, where results go, what they were made with, and a plan
 * that workers compute while verdicts fall. */
#ifndef SHOAL_SESSION_H
#define SHOAL_SESSION_H

#include "core/device/gpu_probe.h"
#include "verification/run/result_files.h"

/* Which backends are meant by one, or by ANY_BACKEND: every one that is here. Fails with ERR_ABSENT
 * where a GPU is asked for and none can be used. */
enum err session_backends(int which, int device, int on[BACKENDS], struct gpu *g);

/* So many, 0: one for each core. */
int session_workers(int asked);

/* Where nothing was chosen: the folder build/NAME[/ENTRY] of the installation, made but for the last part. */
enum err session_output(char *output, size_t n, const char *name, const char *entry);

/* Version, commit, date, cpu, compiler, gpu, mode, options. */
void session_facts(struct fact facts[FACTS], const char *gpu, const char *mode,
                   const char *options);

/* Puts a fact behind the others, or over the one of that name. */
void fact_set(struct fact facts[FACTS], const char *name, const char *value);
const char *fact_of(const struct fact facts[FACTS], const char *name); /* "": there is none */

/* A plan being computed. */
struct session {
    struct plan plan;
    struct job_outcome *outcome; /* shared with workers; of every job of the plan */
    struct verdicts verdicts;
    int ended; /* jobs */
    double began, shown;
    int (*judges)(const void *context, const struct job *t); /* null: every job is judged */
    void (*judged)(void *context);                           /* after each that was; may be null */
    void *context;
    enum err err;
};

/* Computes the plan in worker processes, which leave what figures need in `data`. A terminal sees how far it has
 * come. Fails with ERR_STOPPED after a signal: what was done until then is there. */
enum err session_run(struct session *s, int workers, const char *data);
void session_free(struct session *s); /* zeroes it */

#endif
