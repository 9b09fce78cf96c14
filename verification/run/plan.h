/* The jobs of a verification, their dependencies and their order. */
#ifndef SHOAL_PLAN_H
#define SHOAL_PLAN_H

#include "core/options/run_config.h"
#include "core/registry/catalog.h"
#include "verification/run/invariant.h"
#include "verification/run/measure.h"

enum effort { QUICK, USUAL, FULL };

/* A request. The lists are comma separated; "" means all. */
struct selection {
    char cases[VARIABLES_LENGTH * 4]; /* cases and invariants */
    char schemes[VARIABLES_LENGTH], limiters[VARIABLES_LENGTH];
    char fluxes[VARIABLES_LENGTH], reconstructions[VARIABLES_LENGTH];
    int positivity;        /* enum positivity */
    int precision;         /* enum precision; -1: both */
    int backend[BACKENDS]; /* which of them */
    enum mode mode;
    enum effort effort;
    int device;
    struct division division;
};

/* The cases and invariants that can be asked for. */
void plan_names(struct catalog *c);

enum job_kind { JOB_COMPILE, JOB_REFERENCE, JOB_RUN, JOB_INVARIANT, JOB_WORK };

struct job {
    enum job_kind kind;
    struct run run; /* compile: its kernels; reference: its case; invariant: its variant */
    const struct invariant *invariant;
    enum effort effort; /* of an invariant */
    int sweep;          /* of kappa: for a figure, not judged */
    int needs[2];       /* jobs that must be done before; -1: none */
    double cost;        /* estimate of its time, in arbitrary units */
    enum err (*work)(const struct job *t, void *told); /* JOB_WORK: stores its result in `told` */
    const void *of;                                    /* what that is about */
};

struct plan {
    struct selection asked;
    int count, room;
    struct job *job;
};

enum { TOLD = 4096 };

/* The result of a job. Plain data, in memory that processes share. */
enum job_state { WAITING, UNDER_WAY, DONE };
struct job_outcome {
    int state;    /* enum job_state; changed atomically */
    int worker;   /* pid of the worker that claimed it, 0: none; changed atomically */
    double began; /* s, by a clock that all processes share */
    enum err err;
    char message[400];
    double seconds;
    union {
        struct measured measured;
        struct findings findings;
        _Alignas(16) char told[TOLD];
    };
};

/* Fails with ERR_USAGE on an unknown name, and if nothing is left to do. */
enum err plan_create(struct plan *p, const struct selection *asked);
void plan_free(struct plan *p);

/* Adds a job. */
enum err plan_add(struct plan *p, const struct job *t);

/* True if `name` is in a comma separated list, or the list is empty. */
int selected(const char *list, const char *name);

/* The run of the same case, variant and kappa with another resolution or backend; -1: not planned. */
int plan_find(const struct plan *p, const struct run *r);

/* "rk2 minmod f64 cpu"; the plug-ins as by variant_plugins. */
enum { VARIANT_TEXT = PLUGINS_TEXT + 2 * NAME_LENGTH };
const char *variant_text(const struct variant *v, char text[VARIANT_TEXT]);

/* Adds a job that compiles the kernels of a run, even if one is already planned. */
enum err plan_add_kernels(struct plan *p, const struct run *r);

/* Adds a run and its prerequisites: its kernels and its case's reference. */
enum err plan_add_run(struct plan *p, const struct run *r);

#endif
