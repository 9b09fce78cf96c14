/* Tuning: kernels, stage by stage, from search, watchdog and contention to rows of the database. */
#ifndef SHOAL_TUNE_H
#define SHOAL_TUNE_H

#include "experiments/measure/environment.h"
#include "experiments/tuner/journal.h"
#include "experiments/tuner/search.h"
#include "experiments/tuner/stage.h"
#include "experiments/tuner/workers.h"

enum { MOST_SUBJECTS = 48, MOST_TRIALS = 8192, CONTENTION_REPEATS = 5 };

struct tune_setup {
    const struct kernel *kernel[MOST_SUBJECTS + 1]; /* NULL at the end */
    struct config config; /* case, size, precision, mode, plug-ins, device, threads */
    enum backend_kind backend;
    enum strategy strategy;
    double budget; /* s for searching; 0: as long as it takes */
    int resume;
    int dense;       /* every width and height, not only those of the spaces */
    int prove;       /* compare every block's answer to the bit, time nothing, write nothing */
    int compilers;   /* processes */
    double patience; /* s, see struct workers_setup */
};

/* A kernel that is tuned. */
struct subject {
    const struct kernel *kernel;
    int stage;
    struct search *search;
    char flags[DB_FLAGS + 1], source[DB_HASH + 1];
    char table[PATH_LENGTH];       /* where its rows go */
    double best;                   /* smallest median so far, us */
    int asked, told;               /* blocks */
    int ended, audited, false_end; /* by the watch-dog */
};

/* The progress of a trial. */
enum step { ASKED, COMPILED, TOLD };

/* The coordinator's state of a trial. */
struct known {
    int subject;
    enum step step;
    int ended;     /* by the watchdog, and not audited */
    int auditing;  /* its time is needed in spite of the watchdog */
    int alone;     /* the device process was lost while it was timed among others */
    int goal;      /* target number of timings in contention, 0: it is not in contention */
    int unwritten; /* the database lacks part of it */
};

/* What the device is doing. */
enum phase {
    IDLE,
    STAGING,
    ADMITTING, /* a batch: load, check */
    LOOKING,   /* time once: the watchdog's first check */
    SCREENING, /* time LEAST_TIMINGS times */
    DROPPING,
    CALLING,    /* contenders: load again */
    CONTENDING, /* rounds of all contenders, interleaved */
    LEAVING,    /* unload them */
};

struct batch {
    int count, trial[MOST_ORDERED];
};

struct tuning {
    const struct tune_setup *setup;
    struct environment environment;
    struct journal *journal;
    struct journal_head head;
    char folder[PATH_LENGTH]; /* of the environment, in the database */
    char started[DB_TIME];    /* "": it was resumed */
    int begun;                /* the session is in the manifest */
    char note[MOST_STAGES]
             [DB_VALUE + 1]; /* the session record's text on each stage; "": none yet */
    struct stage_setup stage[MOST_STAGES];
    int stages, now; /* the current stage */
    int staged;      /* it stands */
    struct subject subject[MOST_SUBJECTS];
    int subjects;
    struct trial *trial; /* shared memory, MOST_TRIALS */
    struct known *known;
    int trials;
    struct trial *restored; /* from the journal */
    int restored_count, reused;
    struct workers *workers;
    enum phase phase;
    struct batch batch;
    int level;   /* of contention, see tune_contend.c */
    int entered; /* contention has begun on this stage */
    int losses;  /* of the device's process, in a row without a result */
    unsigned random;
    double began, stage_began, merged, shown, busy_since, busy;
};

/* The defaults: the case and size of `shoal tune`, and no kernels yet. */
void tune_defaults(struct tune_setup *t, enum backend_kind backend);

/* Selects all tuned kernels, or those that match a name or a stem in the list, "flux_fgh,rk0". */
enum err tune_choose(struct tune_setup *t, const char *list);

/* Queries the device that the setup names, in a child process. */
enum err tune_environment(const struct tune_setup *setup, struct environment *e);

enum err tune_run(const struct tune_setup *setup);

/* Parts, in files of their own. */
struct subject *tune_subject(struct tuning *t, int trial);
/* Reports the result of trial k, us; INFINITY for a failure. */
void tune_settle(struct tuning *t, int k, double us, int ended);
/* The stage's share of the budget for searching is used up. */
int tune_late(const struct tuning *t);

/* tune_device.c: gives the device its next order, and handles events. */
enum err tune_employ(struct tuning *t);
enum err tune_handle(struct tuning *t, const struct event *e);

/* tune_session.c: environment, database, journal, subjects, processes. */
enum err tune_open(struct tuning *t);
void tune_close(struct tuning *t, int finished);
enum err tune_begin(struct tuning *t); /* the session's record, before its first rows are there */
enum err tune_note_stage(struct tuning *t); /* in that record */
/* The journal's state of a block when the tuning was resumed; NULL for none. */
const struct trial *tune_restored(const struct tuning *t, const struct kernel *k, struct block b);

/* tune_rows.c: adds new results to the database. */
enum err tune_merge(struct tuning *t);
/* Is a trial complete enough to be a row? */
int tune_is_row(const struct tuning *t, int trial);

/* Is it a baseline block: the default, or 16x16? */
int tune_is_plain(struct tuning *t, int trial);

/* tune_contend.c: fills `b` with the contenders to time CONTENTION_REPEATS times now, and returns
 * that; 0 at the end. */
int tune_contend(struct tuning *t, struct batch *b);

/* tune_report.c: a line on stderr now and then; the results on stdout. Fails with ERR_CHECK if answers
 * were to be proved and differ. */
void tune_progress(struct tuning *t, int last);
enum err tune_report(const struct tuning *t);

#endif
