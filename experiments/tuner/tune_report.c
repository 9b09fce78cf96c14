/* The output of a tuning: a line of progress, and a table of results. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/log.h"
#include "core/base/monotonic_time.h"
#include "experiments/tuner/tune.h"

struct sums {
    int expected, told, failed, ended, audited, false_end;
};

static struct sums add_up(const struct tuning *t)
{
    struct sums n = {0};
    for (int s = 0; s < t->subjects; s++) {
        const struct subject *one = &t->subject[s];
        n.expected += search_expected(one->search);
        n.told += one->told;
        n.ended += one->ended;
        n.audited += one->audited;
        n.false_end += one->false_end;
    }
    for (int k = 0; k < t->trials; k++)
        n.failed += t->known[k].step == TOLD && t->trial[k].outcome != DB_OK &&
                    t->trial[k].outcome != DB_TIME_OUT;
    return n;
}

void tune_progress(struct tuning *t, int last)
{
    static const double often = 0.2, seldom = 15;
    const int terminal = isatty(STDERR_FILENO);
    const double now = seconds(), wall = now - t->began;
    const struct sums n = add_up(t);
    char eta[64] = "";
    if (!last && now - t->shown < (terminal ? often : seldom))
        return;
    if (!last && t->shown == 0 && !terminal) { /* the first line is worth waiting for */
        t->shown = now;
        return;
    }
    t->shown = now;
    const int measured = n.told - t->reused;
    if (!last && measured > 0 && !t->entered)
        snprintf(eta, sizeof eta, ", about %.0f s to go",
                 wall * (n.expected - n.told) / (double)measured);
    char line[256];
    snprintf(line, sizeof line,
             "%d of %d blocks, %d failed, %d ended early, %.1f a second, device busy %.0f %%%s%s",
             n.told, n.expected > n.told ? n.expected : n.told, n.failed, n.ended, measured / wall,
             100 * t->busy / wall, t->entered && !last ? ", contention" : "", eta);
    if (terminal)
        fprintf(stderr, "\r%s\033[K%s", line, last ? "\n" : "");
    else
        log_info("%s", line);
}

/* "1.234 (1.22 to 1.25)": a block's time over the best one's, with the interval from those of both
 * medians. */
static void compare(char *text, size_t n, const struct db_group *g, struct block b)
{
    const struct db_row *best = g->row, *other = db_group_row(g, b);
    double low, high, other_low, other_high;
    snprintf(text, n, "%s", other ? db_outcomes[other->outcome] : "-");
    if (!other || other->outcome != DB_OK)
        return;
    db_interval(best, &low, &high);
    db_interval(other, &other_low, &other_high);
    snprintf(text, n, "%.3f (%.3f to %.3f)", other->number[DB_MEDIAN] / best->number[DB_MEDIAN],
             other_low / high, other_high / low);
}

/* The rows of a kernel, from which the database will choose. */
static enum err group_of(const struct tuning *t, int subject, struct db_group *g)
{
    static const struct trial_names names = {"-", "-", "-"};
    struct db_table all = {.row = calloc((size_t)t->trials + 1, sizeof *all.row)};
    size_t next = 0;
    if (!all.row)
        FAIL(MEMORY, "no memory for what was found");
    for (int k = 0; k < t->trials; k++)
        if (t->known[k].subject == subject && tune_is_row(t, k))
            trial_row(&t->trial[k], &names, &all.row[all.count++]);
    db_sort(&all);
    const enum err e = db_group_next(&all, &next, g);
    db_free(&all);
    return e;
}

/* `works` counts kernels with a working block. */
static enum err print_subject(const struct tuning *t, int subject, int *works)
{
    const struct subject *s = &t->subject[subject];
    char by_default[64], by_plain[64], block[32];
    struct db_group g;
    int ties = 0;
    TRY(group_of(t, subject, &g));
    *works += g.ok > 0;
    if (g.ok) {
        const struct db_row *best = g.row;
        compare(by_default, sizeof by_default, &g, s->kernel->block[t->setup->backend]);
        compare(by_plain, sizeof by_plain, &g, (struct block){16, 16});
        for (size_t k = 0; k < g.ok; k++)
            ties += db_tied(best, &g.row[k]) != 0;
        snprintf(block, sizeof block, "%dx%d", best->block.w, best->block.h);
        printf("%-13s %6d %5.0f %-9s %11.3f %5d  %-25s %s\n", s->kernel->name, s->told,
               best->number[DB_KEPT] + best->number[DB_DROPPED], block, best->number[DB_MEDIAN],
               ties, by_default, by_plain);
    } else {
        printf("%-13s %s\n", s->kernel->name,
               s->told ? "no block works" : "not tried: the budget was used up");
    }
    db_group_free(&g);
    return ERR_OK;
}

/* Why the first block that might have worked does not. */
static const char *first_reason(const struct tuning *t)
{
    for (int k = 0; k < t->trials; k++)
        if (t->known[k].step == TOLD && t->trial[k].outcome != DB_OK &&
            t->trial[k].outcome != DB_CONSTRAINT)
            return t->trial[k].reason;
    return "all break a limit";
}

/* Every block's answer was compared to the bit. */
static enum err report_proof(const struct tuning *t)
{
    int all = 0, wrong = 0, unable = 0;
    for (int s = 0; s < t->subjects; s++) {
        int n[3] = {0};
        for (int k = 0; k < t->trials; k++) {
            const struct trial *trial = &t->trial[k];
            if (t->known[k].subject != s || t->known[k].step != TOLD)
                continue;
            const int differs = trial->outcome == DB_WRONG_ANSWER;
            n[trial->outcome == DB_OK ? 0 : differs ? 1 : 2]++;
            if (differs || trial->outcome == DB_LAUNCH || trial->outcome == DB_COMPILE)
                printf("%s %dx%d: %s: %s\n", t->subject[s].kernel->name, trial->recipe.block.w,
                       trial->recipe.block.h, db_outcomes[trial->outcome], trial->reason);
        }
        printf("%-13s %4d blocks: the same bits; %d differ; %d cannot run here\n",
               t->subject[s].kernel->name, n[0], n[1], n[2]);
        all += n[0];
        wrong += n[1];
        unable += n[2];
    }
    printf("prove: same=%d differ=%d cannot_run=%d wall=%.1f\n", all, wrong, unable,
           seconds() - t->began);
    if (wrong)
        FAIL(CHECK, "%d blocks give other bits than the default one", wrong);
    if (!all)
        FAIL(CHECK, "no block could be run");
    return ERR_OK;
}

enum err tune_report(const struct tuning *t)
{
    const double wall = seconds() - t->began;
    const struct sums n = add_up(t);
    int works = 0;
    if (t->setup->prove)
        return report_proof(t);
    puts("kernel        blocks     n best       median (us)  ties  default / best            16x16 "
         "/ "
         "best");
    for (int s = 0; s < t->subjects; s++)
        TRY(print_subject(t, s, &works));
    printf("tune: kernels=%d blocks=%d resumed=%d failed=%d ended=%d audited=%d false_ends=%d "
           "wall=%.1f per_s=%.1f device_idle=%.2f session=%s\n",
           t->subjects, n.told, t->reused, n.failed, n.ended, n.audited, n.false_end, wall,
           (n.told - t->reused) / wall, 1 - t->busy / wall, t->head.session);
    if (n.told > 0 && !works)
        FAIL(CHECK, "no block of any kernel works; of one of them: %s", first_reason(t));
    return ERR_OK;
}
