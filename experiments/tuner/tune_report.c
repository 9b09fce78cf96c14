/* What a tuning says: a line of progress, and a table of what it found. */
#include <math.h>
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

static const struct trial *find(const struct tuning *t, int subject, struct block b)
{
    for (int k = 0; k < t->trials; k++) {
        const struct block at = t->trial[k].recipe.block;
        if (t->known[k].subject == subject && at.w == b.w && at.h == b.h)
            return &t->trial[k];
    }
    return NULL;
}

static struct db_row row_of(const struct trial *trial)
{
    static const struct trial_names names = {"-", "-", "-"};
    struct db_row row;
    trial_row(trial, &names, &row);
    return row;
}

/* "1.234 (1.22 to 1.25)": how many times as long a block takes as the best, with the interval that the
 * intervals of both medians allow. */
static void compare(char *text, size_t n, const struct trial *other, const struct db_row *best)
{
    double low, high, other_low, other_high;
    snprintf(text, n, "-");
    if (!other || other->outcome != DB_OK || other->timings < LEAST_TIMINGS) {
        if (other && other->outcome != DB_OK)
            snprintf(text, n, "%s", db_outcomes[other->outcome]);
        return;
    }
    const struct db_row row = row_of(other);
    db_interval(best, &low, &high);
    db_interval(&row, &other_low, &other_high);
    snprintf(text, n, "%.3f (%.3f to %.3f)", row.number[DB_MEDIAN] / best->number[DB_MEDIAN],
             other_low / high, other_high / low);
}

/* As the database chooses: by the upper end of the interval. */
static const struct trial *winner(const struct tuning *t, int subject, int *ties)
{
    const struct trial *best = NULL;
    double least = (double)INFINITY, low, high;
    *ties = 0;
    for (int k = 0; k < t->trials; k++) {
        if (t->known[k].subject != subject || t->trial[k].outcome != DB_OK ||
            t->trial[k].timings < LEAST_TIMINGS)
            continue;
        const struct db_row one = row_of(&t->trial[k]);
        db_interval(&one, &low, &high);
        if (high < least) {
            least = high;
            best = &t->trial[k];
        }
    }
    if (!best)
        return NULL;
    const struct db_row row = row_of(best);
    for (int k = 0; k < t->trials; k++) {
        const struct trial *other = &t->trial[k];
        if (t->known[k].subject != subject || other->outcome != DB_OK ||
            other->timings < LEAST_TIMINGS)
            continue;
        const struct db_row another = row_of(other);
        *ties += db_tied(&row, &another) != 0;
    }
    return best;
}

/* False if there is no block to recommend. */
static int print_subject(const struct tuning *t, int subject)
{
    const struct subject *s = &t->subject[subject];
    const struct block standard = s->kernel->block[t->setup->backend];
    char by_default[64], by_plain[64], block[32];
    int ties;
    const struct trial *best = winner(t, subject, &ties);
    if (!best) {
        printf("%-13s %s\n", s->kernel->name,
               s->told ? "no block works" : "not tried: the budget was used up");
        return 0;
    }
    const struct db_row row = row_of(best);
    compare(by_default, sizeof by_default, find(t, subject, standard), &row);
    compare(by_plain, sizeof by_plain, find(t, subject, (struct block){16, 16}), &row);
    snprintf(block, sizeof block, "%dx%d", best->recipe.block.w, best->recipe.block.h);
    printf("%-13s %6d %5d %-9s %11.3f %5d  %-25s %s\n", s->kernel->name, s->told, best->timings,
           block, row.number[DB_MEDIAN], ties, by_default, by_plain);
    return 1;
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
        FAIL(CHECK, "%d blocks do not give the bits of the default one", wrong);
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
        works += print_subject(t, s);
    printf("tune: kernels=%d blocks=%d resumed=%d failed=%d ended=%d audited=%d false_ends=%d "
           "wall=%.1f per_s=%.1f device_idle=%.2f session=%s\n",
           t->subjects, n.told, t->reused, n.failed, n.ended, n.audited, n.false_end, wall,
           (n.told - t->reused) / wall, 1 - t->busy / wall, t->head.session);
    if (n.told > 0 && !works)
        FAIL(CHECK, "no block of any kernel works; of one of them: %s", first_reason(t));
    return ERR_OK;
}
