/* `shoal judge`: compares one entry of the registry with all others of its kind. Shared by its
 * parts. */
#ifndef SHOAL_JUDGE_H
#define SHOAL_JUDGE_H

#include <math.h>

#include "core/base/paths.h"
#include "verification/contracts/contract.h"
#include "verification/report/report_parts.h"
#include "verification/run/session.h"

/* What can be judged. The rivals of a case are the schemes that compute it. */
enum subject_kind {
    SUBJECT_LIMITER,
    SUBJECT_FLUX,
    SUBJECT_RECONSTRUCTION,
    SUBJECT_SCHEME,
    SUBJECT_CASE,
    SUBJECT_KINDS
};
extern const char *const subject_words[SUBJECT_KINDS + 1]; /* "limiter", ...; then NULL */

struct subject {
    enum subject_kind kind;
    const char *name, *title, *cite;
    const struct plugin *plugin; /* whichever it is */
    const struct scheme *scheme;
    const struct flow_case *flow_case;
};

/* Fails with ERR_USAGE, suggesting the nearest, where no entry has the name. */
enum err subject_find(struct subject *s, enum subject_kind kind, const char *name);

/* Its contract (verification/contracts/contract.h). */
enum err subject_contract(const struct subject *s, struct remarks *r);

/* "limiter", "flux", ...; for a case the kind that is compared: "scheme". */
const char *subject_rivals(const struct subject *s);

/* STATED: the rung on which the default's error sets the target. */
enum { ENTRIES = 64, TRIALS = 8, RUNGS = 3, STATED = 1 };

/* A compared entry of the registry; all other choices are defaults. */
struct entry {
    const char *name;
    struct variant variant;
};

/* A flow on which the entries are compared, at the resolutions `ladder`. */
struct trial {
    const struct flow_case *flow_case;
    const struct norm *norm; /* the error; null: there is no reference */
    int at;                  /* the snapshot: see struct check */
    int ladder[RUNGS], rungs;
};

/* The result of an entry in a trial on one rung. */
struct cell {
    int job;      /* its run in the plan */
    int failed;   /* the run did not finish, or its values are not numbers */
    double error; /* NAN: none */
    double order; /* from the rung before; NAN: none */
    double wall;  /* s: its steps times the median time of one; NAN: not timed */
};

/* Over all rounds: the median seconds per step; time relative to the default's in the same round:
 * the median and both quartiles. NAN: not timed. */
struct speed {
    double step, ratio, low, high;
};

/* Plain data: a child process fills it. */
struct timings {
    enum err err;
    char message[400];
    int rounds;
    double step[TRIALS][RUNGS][ENTRIES]; /* s, median; NAN: not timed */
    struct speed speed[BACKENDS][ENTRIES];
    int cells[BACKENDS]; /* width of the problem for `speed`; 0: not measured */
};

struct judging {
    struct subject subject;
    int quick, threads, workers, device;
    int on_cuda; /* a GPU is available and requested */
    struct gpu gpu;
    char output[PATH_LENGTH], data[PATH_LENGTH];
    struct fact facts[FACTS]; /* how it was made */

    struct entry entry[ENTRIES];
    int entries, own, standard; /* own: -1 for a case; standard: the default one */
    struct trial trial[TRIALS];
    int trials;
    struct cell cell[TRIALS][ENTRIES][RUNGS];

    struct remarks remarks;
    struct session s;
    int beyond;              /* failed verdicts in cases that do not run all of this kind */
    struct timings *timings; /* shared */
    int broken;              /* it does not compile: nothing else was checked */
    struct reported reported;
    struct report report; /* its lines and figures */
};

/* The system: that of the judged scheme or case, else shallow water. */
const struct system *judged_system(const struct judging *j);

/* Entries and trials. */
enum err study_open(struct judging *j);
/* A plan that only compiles the subject. */
enum err study_plan_kernels(struct judging *j);
/* The plan of all runs of the subject and its rivals. */
enum err study_plan(struct judging *j);
/* Is the run of a job about the subject? `j` is the judgement. */
int study_is_own(const void *j, const struct job *t);
/* After the plan has run: errors and orders, and verdicts of cases that do not run all of this
 * kind. */
void study_conclude(struct judging *j);
/* The entries of a trial, by increasing error on the finest rung, then those without one. */
void study_rank(const struct judging *j, int trial, int order[ENTRIES]);
/* The entries that were timed there, fastest first; returns their number. */
int study_rank_speed(const struct judging *j, enum backend_kind on, int order[ENTRIES]);
/* Seconds until an entry reaches the default's error on the stated rung, interpolated between
 * rungs; *beyond is -1 (1) if it is below (above) that on all rungs: then the time of the coarsest
 * (finest) one. NAN: no error, or no time. */
double study_time_to_error(const struct judging *j, int trial, int entry, int *beyond);
/* In how many runs CPU and GPU gave the same bits, of how many. */
void study_gpu_runs(const struct judging *j, int *equal, int *all);
/* Is the error of every entry 0 on every rung? */
#define STUDY_EXACT "all have it exactly: the error is 0 on every grid, so there is none to compare"
int study_is_exact(const struct judging *j, int trial);
/* Does any trial have a reference, and any entry an error? */
int study_has_errors(const struct judging *j);
double study_error_to_reach(const struct judging *j, int trial);
static inline const struct measured *study_run(const struct judging *j, int trial, int entry,
                                               int rung)
{
    return &j->s.outcome[j->cell[trial][entry][rung].job].measured;
}

/* Times all entries in interleaved rounds, in a child. */
enum err timing_measure(struct judging *j);

int judging_count(const struct judging *j, enum answer which);

/* errors.tsv, checks.tsv, speed.tsv. */
enum err numbers_write(const struct judging *j);

/* Sections of the report, printed to a terminal as they become available. */
void section_head(FILE *f, const struct judging *j);
void section_contract(FILE *f, const struct judging *j);
enum err section_verification(FILE *f, const struct judging *j);
void section_glance(FILE *f, const struct judging *j); /* the rank of this one in each flow */
void section_errors(FILE *f, const struct judging *j);
void section_times(FILE *f, const struct judging *j);
void section_speed(FILE *f, const struct judging *j);

/* report.md, report.html, with figures of the compared flows. */
enum err judgement_write(struct judging *j);

#endif
