/* What verify, judge and certify share: which backends, where results go, how they were made, and a
 * plan that workers run while verdicts are given. */
#ifndef SHOAL_SESSION_H
#define SHOAL_SESSION_H

#include "core/device/gpu_probe.h"
#include "verification/run/result_files.h"

/* The backends that a name selects; ANY_BACKEND selects every available one. Fails with ERR_ABSENT
 * if a GPU is requested and none can be used. */
enum err session_backends(int which, int device, int on[BACKENDS], struct gpu *g);

/* Number of workers; 0: one for each core. */
int session_workers(int asked);

/* The default: the folder build/NAME[/ENTRY] of the installation, created except for the last
 * part. */
enum err session_output(char *output, size_t n, const char *name, const char *entry);

/* Version, commit, date, cpu, compiler, gpu, mode, options. */
void session_facts(struct fact facts[FACTS], const char *gpu, const char *mode,
                   const char *options);

/* Appends a fact, or replaces the one of that name. */
void fact_set(struct fact facts[FACTS], const char *name, const char *value);
const char *fact_of(const struct fact facts[FACTS], const char *name); /* "": there is none */

/* A running plan. */
struct session {
    struct plan plan;
    struct job_outcome *outcome; /* shared with workers; one for every job of the plan */
    struct verdicts verdicts;
    int ended; /* jobs */
    double began, shown;
    int (*judges)(const void *context, const struct job *t); /* null: every job is judged */
    void (*judged)(void *context);                           /* after each that was; may be null */
    void *context;
    enum err err;
};

/* Runs the plan in worker processes, which store data for figures in `data`. Shows progress on a
 * terminal. Fails with ERR_STOPPED after a signal: finished results remain. */
enum err session_run(struct session *s, int workers, const char *data);
void session_free(struct session *s); /* zeroes it */

#endif
