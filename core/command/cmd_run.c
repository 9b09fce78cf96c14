/* `shoal run`: one simulation from the command line to the summary line. */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/device/launched.h"
#include "core/sim/breakdown.h"
#include "core/sim/input_once.h"
#include "core/run/checkpoint.h"
#include "core/registry/command.h"
#include "core/command/run_summary.h"
#include "core/problem/initial_state.h"
#include "core/options/gauge_option.h"
#include "core/run/live_view.h"
#include "core/base/log.h"
#include "core/netcdf/netcdf_file.h"
#include "core/base/output_lock.h"
#include "core/base/paths.h"
#include "core/base/input_files.h"
#include "core/run/result.h"
#include "core/run/output_schedule.h"
#include "core/picture/terminal_picture.h"
#include "core/base/monotonic_time.h"
#include "core/base/sha256.h"
#include "core/base/signals.h"
#include "core/base/version.h"
#include "core/run/time_step_drop.h"

static const double EXCHANGE_TIMEOUT = 60; /* s, until the option is read */

static volatile sig_atomic_t signalled;
static struct live *live;   /* null: without --live */
static struct sim *watched; /* the run's, while it steps */

/* The first signal asks the run to stop; a second one, of any kind, ends it at once, unless it is a
 * periodic one. */
static void on_signal(int number)
{
    if (signalled && signals_repeats(number))
        return;
    if (signalled) {
        screen_restore();
        signals_end(number);
    }
    signalled = number;
}

/* The completed share of the run, by time or by steps. */
static double share_done(const struct sim *s)
{
    double by_time = s->t_end > 0 ? s->now.t / s->t_end : 1;
    double by_steps = (double)s->now.steps / (double)s->now.step_limit;
    return fmax(by_time, by_steps);
}

enum { STATUS = 160 };

/* The run's progress and recent speed. */
static void write_status(const struct sim *s, char text[STATUS])
{
    static double began, asked, steps;
    const double now = seconds(), done = share_done(s);
    if (began == 0)
        began = asked = now;
    snprintf(text, STATUS, "t %.5g of %.5g s  step %lu  dt %.3g s  %.1f Mcells/s  ETA %.0f s",
             s->now.t, s->t_end, s->now.steps, s->now.dt,
             now > asked ? sim_cells(s) * ((double)s->now.steps - steps) / (now - asked) / 1e6 : 0,
             done > 0 ? (now - began) * (1 - done) / done : 0);
    asked = now;
    steps = (double)s->now.steps;
}

/* Called between batches of steps. */
static int progress(const struct sim *s)
{
    static double shown;
    static char status[STATUS];
    static struct slowdown slowdown;
    slowdown_look(&slowdown, watched);
    const double now = seconds();
    const int due = now - shown > 0.2 && !log_is_quiet() && isatty(STDERR_FILENO);
    if (due) {
        write_status(s, status);
        if (shown > 0 && !live)
            fprintf(stderr, "\r%s \033[K", status);
        shown = now;
    }
    live_update(live, status);
    return signalled != 0;
}

/* For a process that does not lead. */
static int look_for_signal(const struct sim *s)
{
    (void)s;
    return signalled != 0;
}

static void clear_progress(void)
{
    if (!log_is_quiet() && isatty(STDERR_FILENO) && !live)
        fprintf(stderr, "\r\033[K");
}

/* The outputs of a run; each is null if the run has none. */
struct writing {
    struct schedule due;
    struct job_queue *background;
    struct result *result;
    struct checkpoint *checkpoint;
    int told; /* an error's message names the checkpoint */
};

/* Starting from the sim's present time. */
static void make_schedule(struct writing *w, const struct sim *s)
{
    const struct config *c = s->config;
    const int again = *c->restart != 0;
    schedule_clear(&w->due);
    schedule_set(&w->due, DUE_MAP, c->every, again ? schedule_after(c->every, s->now.t) : 0);
    schedule_set(&w->due, DUE_BALANCE, c->balance_every,
                 again ? schedule_after(c->balance_every, s->now.t) : 0);
    const double every = s->gauge_every, from = again ? schedule_after(every, s->now.t) : 0;
    schedule_set(&w->due, DUE_SECTIONS, c->sections.count > 0 ? every : (double)NAN, from);
    schedule_set(&w->due, DUE_CHECKPOINT, c->checkpoint, schedule_after(c->checkpoint, s->now.t));
}

/* Writes what is due at the present time. */
static enum err write_what_is_due(struct writing *w, struct sim *s)
{
    const int map = schedule_due(&w->due, DUE_MAP, s->now.t);
    if (map)
        TRY(result_record(w->result));
    if (schedule_due(&w->due, DUE_BALANCE, s->now.t) || (map && isnan(s->config->balance_every)))
        TRY(result_balance(w->result));
    if (schedule_due(&w->due, DUE_SECTIONS, s->now.t))
        TRY(result_sections(w->result));
    if (schedule_due(&w->due, DUE_CHECKPOINT, s->now.t))
        TRY(checkpoint_write(w->checkpoint));
    return ERR_OK;
}

/* Saves the state after a signal. */
static enum err stop_run(struct writing *w, struct sim *s)
{
    clear_progress();
    if (!w->checkpoint)
        FAIL(STOPPED,
             "stopped by a signal after step %lu at t = %.9g s, without a checkpoint: --output "
             "FILE.nc would keep one",
             s->now.steps, s->now.t);
    TRY(checkpoint_write(w->checkpoint));
    FAIL(STOPPED,
         "stopped by a signal after step %lu at t = %.9g s: to resume, give the same command with "
         "--restart %s",
         s->now.steps, s->now.t, checkpoint_path(w->checkpoint));
}

/* The water needs more tiles than fit into memory: saves the state that needs them. */
static enum err keep_what_fits(struct writing *w)
{
    char message[1024];
    snprintf(message, sizeof message, "%s", err_message());
    if (!w->checkpoint)
        FAIL(MEMORY, "%s; without a checkpoint: --output FILE.nc would keep one", message);
    if (checkpoint_write(w->checkpoint)) {
        char reason[512];
        snprintf(reason, sizeof reason, "%s", err_message());
        FAIL(MEMORY, "%s; without a checkpoint: %s", message, reason);
    }
    w->told = 1;
    FAIL(MEMORY, "%s; to resume, give the command with --restart %s", message,
         checkpoint_path(w->checkpoint));
}

/* Steps to the end, pausing for output. */
static enum err step_to_end(struct sim *s, struct writing *w)
{
    make_schedule(w, s);
    watched = s;
    while (s->now.halt != AT_END) {
        const double next = schedule_next(&w->due);
        enum err e = ERR_OK;
        if (s->now.t < next || next >= s->t_end)
            e = sim_run(s, next < s->t_end ? next : (double)INFINITY, progress);
        if (e == ERR_MEMORY && s->forest)
            return keep_what_fits(w);
        if (e && e != ERR_STOPPED)
            return e;
        if (s->now.halt == AT_END)
            break;
        TRY(write_what_is_due(w, s));
        /* Between two batches nothing else calls it. Another process may have received a signal. */
        if (progress(s) || e == ERR_STOPPED)
            return stop_run(w, s);
    }
    return result_record(w->result);
}

/* The outputs, and the run's starting point. */
static enum err open_all(struct writing *w, struct sim *s, const struct problem *p,
                         const char *command_line)
{
    const struct config *c = s->config;
    size_t rows[SERIES] = {0};
    if (*c->restart)
        TRY(checkpoint_restore(s, p, c->restart, rows));
    if (c->live)
        TRY(live_begin(&live, s, p->name));
    if (*c->output)
        TRY(job_queue_create(&w->background, ncfile_quiet_thread));
    TRY(result_open(&w->result, s, p, w->background, command_line));
    const struct checkpoint_setup setup = {s, p, w->background, w->result, command_line};
    TRY(checkpoint_open(&w->checkpoint, &setup));
    return checkpoint_restore_rows(w->result, w->checkpoint, c->restart, rows);
}

/* For a run that the machine stopped; one that broke down would break down again. */
static void tell_of_checkpoint(const struct checkpoint *c, enum err e)
{
    const double t = checkpoint_kept(c);
    if (!isnan(t) && err_status(e) == err_status(ERR_MACHINE))
        log_warning("the checkpoint at t = %.9g s is kept: to resume, give the same command with "
                    "--restart %s",
                    t, checkpoint_path(c));
}

static enum err simulate(const struct setup *setup, const struct problem *p,
                         const char *command_line)
{
    struct sim *s = NULL;
    struct writing w = {0};
    struct balance b;
    enum err e = ERR_OK;
    TRY_OUT(sim_create(&s, setup));
    signals_catch(on_signal, 0);
    if (!sim_leads(s)) {
        e = sim_obey(s, look_for_signal);
        goto out;
    }
    TRY_OUT(open_all(&w, s, p, command_line));
    TRY_OUT(step_to_end(s, &w));
    TRY_OUT(sim_balance(s, &b));
    TRY_OUT(result_finish(w.result, &b));
    checkpoint_drop_records(w.checkpoint);
    live_end(&live, 1);
    clear_progress();
    TRY_OUT(run_summary_print(s, p, &b));
    e = sim_check_edges(s, setup);
out:
    live_end(&live, 0);
    if (e)
        clear_progress();
    if (e == ERR_BROKEN && sim_leads(s))
        breakdown_print(s, stderr);
    if (s && sim_leads(s))
        e = sim_dismiss(s, e);
    tell_of_checkpoint(w.told ? NULL : w.checkpoint, e);
    result_discard(&w.result);
    checkpoint_close(&w.checkpoint);
    job_queue_destroy(&w.background);
    sim_destroy(s);
    return e;
}

/* The files of a run with --output FILE begin with its name, and end with: */
enum { OUTPUTS = 3 };
static const char *const endings[OUTPUTS] = {"", CHECKPOINT_ENDING, RECORDS_ENDING};

/* No output may be an input, by whatever name. */
static enum err check_outputs(const struct config *c)
{
    char path[PATH_LENGTH];
    TRY(paths_file("kernels", path));
    input_files_note(path);
    TRY(paths_database(path));
    input_files_note(path);
    for (int k = 0; *c->output && k < OUTPUTS; k++) {
        snprintf(path, sizeof path, "%s%s", c->output, endings[k]);
        TRY(outfile_check(path));
    }
    return config_check_ending(c->output);
}

static enum err simulate_locked(const struct setup *setup, const struct problem *p,
                                const char *command_line)
{
    const struct config *c = p->setup.config;
    struct outlock lock = {0};
    if (setup->ranks && ranks_crew(setup->ranks)->rank > 0)
        return simulate(setup, p, command_line);
    TRY(check_outputs(c));
    if (*c->output)
        TRY(outlock_take(&lock, c->output));
    outlock_clear(&lock, endings, OUTPUTS);
    const enum err e = simulate(setup, p, command_line);
    outlock_release(&lock);
    return e;
}

/* Gauges have as many rows as there are maps, or a thousand. */
static enum err simulate_with_gauges(const struct problem *p, const char *command_line)
{
    const struct config *c = p->setup.config;
    struct setup setup = p->setup;
    struct gauge_list gauges;
    setup.gauges = &gauges;
    setup.gauge_every = !isnan(c->gauge_every) ? c->gauge_every
                        : !isnan(c->every)     ? c->every
                                               : p->setup.t_end / 1000;
    enum err e = gauges_read(c, &p->setup.grid, &gauges);
    if (!e)
        e = simulate_locked(&setup, p, command_line);
    gauges_free(&gauges);
    return e;
}

/* Without a terminal, or with --quiet, the run continues without pictures. */
static void check_live(struct config *c)
{
    char why[128];
    if (c->live && !c->quiet && !live_possible(why, sizeof why))
        log_warning("--live: %s; the run continues without pictures", why);
    c->live = c->live && !c->quiet && live_possible(why, sizeof why);
}

/* What the processes of a run must share. */
static enum err compare(struct ranks *ranks, const struct config *c)
{
    char hex[SHA256_DIGITS + 1];
    struct sha256 s;
    sha256_init(&s);
    sha256_update(&s, shoal_version, strlen(shoal_version));
    sha256_update(&s, shoal_commit, strlen(shoal_commit));
    sha256_final(&s, hex);
    TRY(ranks_same(ranks, hex, "builds of Shoal"));
    config_digest(c, hex);
    return ranks_same(ranks, hex, "options");
}

/* Several processes of a launcher compute together; the first one logs and writes. */
static enum err agree_with_others(struct ranks *ranks, struct config *c)
{
    if (c->ranks > 1)
        FAIL(USAGE, "--ranks %d: a launcher has already started several processes: omit it",
             c->ranks);
    ranks_wait(ranks, c->exchange_timeout);
    TRY(compare(ranks, c));
    if (ranks_crew(ranks)->rank > 0)
        log_quiet(2);
    return ERR_OK;
}

/* The first one's answer applies to all. */
static enum err show_together(struct ranks *ranks, struct config *c)
{
    unsigned long shown = ranks && ranks_crew(ranks)->rank > 0 ? 0 : (unsigned long)c->live;
    if (ranks)
        TRY(ranks_largest(ranks, &shown));
    c->live = (int)shown;
    return ERR_OK;
}

static enum err run(struct config *c, struct ranks *ranks, const char *command_line)
{
    struct problem p;
    check_live(c);
    TRY(show_together(ranks, c));
    if (c->output[0] && !ncfile_available()) {
        err_context("--output");
        return err_last();
    }
    if (c->restart[0] && access(c->restart, R_OK) != 0)
        FAIL(INPUT, "--restart %s: %s", c->restart, strerror(errno));
    TRY(checkpoint_settle_scheme(c));
    struct input_once once = {.ranks = ranks};
    const struct input_reader reader = input_once(&once);
    enum err e = problem_open_together(&p, c, ranks ? &reader : NULL);
    p.setup.ranks = ranks;
    if (!e)
        e = simulate_with_gauges(&p, command_line);
    problem_close(&p);
    return e;
}

static enum err cmd_run(const struct call *call)
{
    static struct config c;
    struct ranks *ranks = NULL;
    if (launched_count() > 1) /* main leaves them */
        TRY(launched_join(&ranks, EXCHANGE_TIMEOUT));
    TRY(config_read(&c, call->argc, call->argv));
    if (c.print_config) {
        if (launched_speaks())
            config_print(&c);
        return ERR_OK;
    }
    log_quiet(c.quiet);
    if (ranks)
        TRY(agree_with_others(ranks, &c));
    return run(&c, ranks, call->line);
}

const struct command command_run = {
    .name = "run",
    .arguments = "CASE|FILE.nc|FILE.ini",
    .title = "computes a flow",
    .place = 3,
    .about =
        "Computes the flow of a case (`shoal list cases`), of the state in a netCDF file, or over\n"
        "the terrain in a FILE: netCDF, an ESRI ASCII grid, or what GDAL reads, such as\n"
        "GeoTIFF. The last line on stdout is a summary, `run: case=... scheme=...`; everything "
        "else\n"
        "goes to stderr. Defaults are in parentheses.",
    .options = run_options,
    .details = config_help,
    .examples =
        "  shoal run circular-dam\n"
        "  shoal run circular-dam --nx 1024 --ny 1024 --backend cuda --output dam.nc --every 0.5\n"
        "  shoal run gauss --scheme euler --limiter mc --precision f64 --mode strict\n"
        "  shoal run dam.nc --t-end 20 --bc-east open --output later.nc\n"
        "  shoal run valley.nc --t-end 7200 --bc-west inflow:river.txt@120..180 --bc-east "
        "level:3.2\n"
        "  shoal run valley.tif --level 431.5 --manning 0.035 --t-end 3600 --output flood.nc\n"
        "  shoal run lake --print-config > lake.ini; shoal run lake.ini --nx 400",
    .run = cmd_run,
    .together = 1,
};
