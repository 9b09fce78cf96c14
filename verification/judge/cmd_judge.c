/* `shoal judge`: checks one limiter, flux, reconstruction, scheme or case, and compares it with all
 * others of its kind. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/options/options.h"
#include "core/base/forked_child.h"
#include "core/registry/command.h"
#include "core/base/log.h"
#include "core/base/output_file.h"
#include "core/base/paths.h"
#include "core/base/monotonic_time.h"
#include "core/base/signals.h"
#include "verification/run/result_folder.h"
#include "core/picture/markdown.h"
#include "verification/judge/judge.h"

struct settings {
    char name[SUBJECT_KINDS][NAME_LENGTH];
    char output[FILE_LENGTH];
    int backend, quick, threads, workers, device;
};

static const char *const own_backends[] = {"auto", "cpu", NULL};

static const struct option options[] = {
    {"limiter", "NAME", "judges a limiter", TEXT_IN(struct settings, name[SUBJECT_LIMITER])},
    {"flux", "NAME", "judges a numerical flux", TEXT_IN(struct settings, name[SUBJECT_FLUX])},
    {"reconstruction", "NAME", "judges a reconstruction of wet/dry fronts",
     TEXT_IN(struct settings, name[SUBJECT_RECONSTRUCTION])},
    {"scheme", "NAME", "judges a scheme", TEXT_IN(struct settings, name[SUBJECT_SCHEME])},
    {"case", "NAME", "judges a case: every scheme runs it",
     TEXT_IN(struct settings, name[SUBJECT_CASE])},
    {"quick", NULL, "fewer cases and grids", FLAG_IN(struct settings, quick)},
    {"backend", "NAME", "auto: the CPU, and a GPU if there is one; or cpu",
     CHOICE_IN(struct settings, backend, own_backends), .initial = "auto"},
    {"device", "N", "which GPU", COUNT_IN(struct settings, device, 0, 4096), .initial = "0"},
    {"threads", "N", "of the comparison of speeds; 1 has the least noise",
     COUNT_IN(struct settings, threads, 1, 4096), .initial = "1"},
    {"workers", "N", "processes that compute", COUNT_IN(struct settings, workers, 0, 4096),
     .unset = "one per core"},
    {"output", "FOLDER", "folder for the report", PATH_IN(struct settings, output),
     .unset = "build/judge/NAME"},
    {.name = NULL},
};

/* Ends the program; deletes partial files. */
static void on_signal(int number)
{
    static const char text[] = "shoal: error: stopped by a signal; there is no report\n";
    outfile_delete_temporaries();
    const ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
    (void)number, (void)written;
    _exit(err_status(ERR_STOPPED));
}

/* Exactly one kind, and an entry of the registry. */
static enum err choose_subject(const struct settings *s, struct subject *subject)
{
    int kind = -1;
    for (int k = 0; k < SUBJECT_KINDS; k++) {
        if (!*s->name[k])
            continue;
        if (kind >= 0)
            FAIL(USAGE,
                 "judge takes one of --limiter, --flux, --reconstruction, --scheme and "
                 "--case, not both --%s and --%s",
                 subject_words[kind], subject_words[k]);
        kind = k;
    }
    if (kind < 0)
        FAIL(USAGE, "judge needs one of --limiter, --flux, --reconstruction, --scheme and --case, "
                    "with a name; `shoal list` has the names");
    return subject_find(subject, (enum subject_kind)kind, s->name[kind]);
}

static enum err resolve(struct judging *j, const struct settings *s)
{
    TRY(choose_subject(s, &j->subject));
    TRY(gpu_find(s->device, &j->gpu));
    j->on_cuda = s->backend == 0 && j->gpu.here;
    j->device = s->device;
    j->quick = s->quick;
    j->threads = s->threads;
    j->workers = session_workers(s->workers);
    return ERR_OK;
}

/* build/judge/NAME unless chosen. environment.tsv also marks the folder as one that may be
 * overwritten. */
static enum err make_output(struct judging *j, const struct settings *s, const char *line)
{
    static const char *const results[] = {"errors.tsv", "checks.tsv", "speed.tsv"};
    char path[PATH_LENGTH + 64];
    snprintf(j->output, sizeof j->output, "%.4000s", s->output);
    TRY(session_output(j->output, sizeof j->output, "judge", j->subject.name));
    TRY(folder_prepare(j->output, j->data));
    for (size_t k = 0; k < sizeof results / sizeof *results; k++) {
        snprintf(path, sizeof path, "%.4000s/%s", j->output, results[k]);
        unlink(path);
    }
    session_facts(j->facts, j->on_cuda ? j->gpu.name : "none", mode_names[STRICT], line);
    return files_environment(j->output, j->facts);
}

/* Tests a contract in a child process: wrong code may crash. */
struct asking {
    const struct subject *subject;
    int parent;
    struct remarks remarks;
    enum err err;
    char message[400];
};

static int ask(void *context)
{
    struct asking *a = context;
    forked_child_begin(a->parent);
    log_quiet(2);
    a->err = subject_contract(a->subject, &a->remarks);
    if (a->err)
        snprintf(a->message, sizeof a->message, "%s", err_message());
    return 0;
}

/* A compiler's message may have several lines. */
static void make_one_line(struct remark *r)
{
    char *const text[] = {r->check, r->sentence, r->example};
    for (size_t k = 0; k < sizeof text / sizeof *text; k++)
        for (char *s = text[k]; *s; s++)
            if ((unsigned char)*s < ' ')
                *s = ' ';
}

static enum err ask_contract(struct judging *j)
{
    struct asking *a = forked_child_share(sizeof *a);
    enum err e = ERR_OK;
    if (!a)
        FAIL(MEMORY, "no shared memory for testing %s", j->subject.name);
    a->subject = &j->subject;
    a->parent = (int)getpid();
    const int ended = forked_child_ask(ask, a);
    j->remarks = a->remarks;
    if (ended < 0)
        remark(&j->remarks, FAILS, "ends", "whatever was tested after the last line above",
               "The process that tested it died: %s reads or writes outside its arrays, or never "
               "returns.",
               j->subject.name);
    for (int k = 0; k < j->remarks.count; k++)
        make_one_line(&j->remarks.remark[k]);
    if (ended >= 0 && a->err)
        e = err_set(a->err, __FILE__, __LINE__, "%s", a->message);
    forked_child_unshare(a, sizeof *a);
    return e;
}

static enum err compute(struct judging *j)
{
    j->s.judges = study_is_own;
    j->s.context = j;
    TRY(session_run(&j->s, j->workers, j->data));
    signals_catch(on_signal, 0); /* the pool had its own handlers */
    return ERR_OK;
}

/* Signals wait while a file is written. */
static enum err write_report(struct judging *j)
{
    signals_hold(SIG_BLOCK);
    const enum err e = numbers_write(j);
    signals_hold(SIG_UNBLOCK);
    return e ? e : judgement_write(j);
}

/* What the verdicts say is known. */
static enum err open_report(struct judging *j)
{
    j->reported = (struct reported){j->output, &j->s.plan, j->s.outcome, &j->s.verdicts, j->facts};
    j->report =
        (struct report){.of = &j->reported, .own = j->own < 0 ? NULL : &j->entry[j->own].variant};
    return report_open(&j->report);
}

/* Prints the result; fails if a check did. */
static enum err conclude(const struct judging *j)
{
    const int held = judging_count(j, HOLDS), failed = judging_count(j, FAILS);
    printf("\nreport: %s/report.html, and as text: %s/report.md\n", j->output, j->output);
    printf("judge: %s=%s held=%d failed=%d noted=%d wall=%.1f\n", subject_words[j->subject.kind],
           j->subject.name, held, failed, judging_count(j, NOTED), seconds() - j->s.began);
    if (failed)
        FAIL(CHECK, "%d of %d checks failed", failed, held + failed);
    return ERR_OK;
}

/* Reports code that does not compile at once, and checks nothing else. */
static enum err try_to_compile(struct judging *j)
{
    if (remark_fails(&j->remarks, "compiles")) { /* one mistake, one message */
        j->broken = 1;
        j->trials = 0;
        return ERR_OK;
    }
    if (j->own < 0 || !j->trials)
        return ERR_OK;
    TRY(study_plan_kernels(j));
    TRY(compute(j));
    j->broken = j->s.outcome[0].err != ERR_OK;
    if (j->broken) {
        j->trials = 0;
        return ERR_OK;
    }
    session_free(&j->s);
    return ERR_OK;
}

static enum err compare(struct judging *j)
{
    TRY(study_plan(j));
    j->timings = forked_child_share(sizeof *j->timings);
    if (!j->timings)
        FAIL(MEMORY, "no memory for the times of %d entries", j->entries);
    TRY(compute(j));
    study_conclude(j);
    TRY(open_report(j));
    TRY(section_verification(stdout, j));
    fflush(stdout);
    TRY(timing_measure(j));
    section_errors(stdout, j);
    section_times(stdout, j);
    section_speed(stdout, j);
    return ERR_OK;
}

static enum err judge(struct judging *j)
{
    section_head(stdout, j);
    markdown_print(stdout, "On %s, kernels by %s.\n\n", fact_of(j->facts, "cpu"),
                   fact_of(j->facts, "compiler"));
    TRY(ask_contract(j));
    section_contract(stdout, j);
    fflush(stdout);
    TRY(study_open(j));
    TRY(try_to_compile(j));
    if (!j->broken)
        TRY(compare(j));
    else
        TRY(open_report(j));
    if (j->broken && !remark_fails(&j->remarks, "compiles"))
        TRY(section_verification(stdout, j));
    TRY(write_report(j));
    return conclude(j);
}

static enum err cmd_judge(const struct call *call)
{
    const struct settings *s = call->settings;
    static struct judging j;
    enum err e = ERR_OK;
    j.s.began = seconds();
    TRY_OUT(resolve(&j, s));
    TRY_OUT(make_output(&j, s, call->line));
    signals_catch(on_signal, 0);
    log_quiet(1);
    e = judge(&j);
out:
    forked_child_unshare(j.timings, sizeof *j.timings);
    report_close(&j.report);
    session_free(&j.s);
    return e;
}

const struct command command_judge = {
    .name = "judge",
    .arguments = "--limiter NAME",
    .title = "a report on one limiter, flux, scheme or case",
    .place = 5,
    .about = "Tests one limiter, flux, reconstruction, scheme or case, and shows the input on\n"
             "which a property fails; compares its errors, orders and speed with those of every\n"
             "other of its kind on the same flows; and draws them. Prints a page; writes the\n"
             "same with figures to build/judge/NAME/report.html (and .md), and the numbers to\n"
             "errors.tsv, checks.tsv and speed.tsv. Ends with status 1 if a check failed. Needs\n"
             "no GPU; if there is one, it must give the same bits, and is timed, too.",
    .examples = "  shoal judge --limiter van_leer\n"
                "  shoal judge --flux hll --quick\n"
                "  shoal judge --scheme euler\n"
                "  shoal judge --case vortex --output /tmp/vortex",
    .options = options,
    .settings = sizeof(struct settings),
    .instead = "--limiter",
    .run = cmd_judge,
};
