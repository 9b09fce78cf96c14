/* Threads that work together. */
#include "tests/support/test.h"

#include <pthread.h>
#include <sched.h>

#include "core/base/team.h"

enum { MEMBERS = 5, ROUNDS = 2000 };

static struct team *new_team(int members)
{
    struct team *t;
    fine(team_create(&t, members));
    return t;
}

struct shared {
    struct team *team;
    pthread_t thread[MEMBERS];
    int written[MEMBERS], decided, wrong;
    int failing; /* which member fails, and in which round */
    int round;
};

static enum err note_thread(void *context, int member)
{
    struct shared *s = context;
    s->thread[member] = pthread_self();
    return ERR_OK;
}

static void each_member_has_a_thread_of_its_own_and_keeps_it(void **state)
{
    (void)state;
    struct shared first = {0}, again = {0};
    struct team *t = new_team(MEMBERS);
    fine(team_do(t, note_thread, &first));
    fine(team_do(t, note_thread, &again));
    team_destroy(t);
    for (int k = 0; k < MEMBERS; k++) {
        assert_true(pthread_equal(first.thread[k], again.thread[k]));
        for (int m = 0; m < k; m++)
            assert_false(pthread_equal(first.thread[k], first.thread[m]));
    }
}

static enum err add_up(void *context)
{
    struct shared *s = context;
    s->decided = 0;
    for (int k = 0; k < MEMBERS; k++)
        s->decided += s->written[k];
    return ERR_OK;
}

/* Written before a barrier, read after it: without the barrier another member's number would be an older one. */
static enum err meet_often(void *context, int member)
{
    struct shared *s = context;
    for (int round = 0; round < ROUNDS; round++) {
        s->written[member] = round;
        TRY(team_meet(s->team, add_up, s));
        if (s->decided != MEMBERS * round)
            s->wrong = 1;
        TRY(team_meet(s->team, NULL, NULL));
    }
    return ERR_OK;
}

static void whoever_meets_sees_what_all_have_done_before(void **state)
{
    (void)state;
    struct shared s = {.team = new_team(MEMBERS)};
    fine(team_do(s.team, meet_often, &s));
    team_destroy(s.team);
    assert_false(s.wrong);
}

static enum err fail_in_a_round(void *context, int member)
{
    struct shared *s = context;
    for (int round = 0; round < 10; round++) {
        if (member == s->failing && round == s->round)
            FAIL(MACHINE, "member %d has no memory left", member);
        TRY(team_meet(s->team, NULL, NULL));
    }
    return ERR_OK;
}

static void where_one_fails_nobody_waits_for_it_and_all_tell_its_error(void **state)
{
    (void)state;
    struct shared s = {.team = new_team(MEMBERS), .failing = 3, .round = 4};
    for (int again = 0; again < 50; again++) {
        assert_int_equal(team_do(s.team, fail_in_a_round, &s), ERR_MACHINE);
        assert_string_equal(err_message(), "member 3 has no memory left");
    }
    s.failing = -1;
    fine(team_do(s.team, fail_in_a_round, &s));
    team_destroy(s.team);
}

static enum err fail_all(void *context, int member)
{
    (void)context;
    if (member == 2)
        FAIL(STOPPED, "member %d was stopped", member);
    if (member == 4)
        FAIL(USAGE, "member %d was misused", member);
    return ERR_OK;
}

static void of_several_errors_the_worst_counts(void **state)
{
    (void)state;
    struct team *t = new_team(MEMBERS);
    assert_int_equal(team_do(t, fail_all, NULL), ERR_STOPPED);
    assert_string_equal(err_message(), "member 2 was stopped");
    team_destroy(t);
}

static enum err refuse(void *context)
{
    (void)context;
    FAIL(INPUT, "it cannot be decided");
}

static enum err meet_and_refuse(void *context, int member)
{
    struct shared *s = context;
    (void)member;
    return team_meet(s->team, refuse, NULL);
}

static void a_decision_that_fails_fails_for_all(void **state)
{
    (void)state;
    struct shared s = {.team = new_team(2)};
    assert_int_equal(team_do(s.team, meet_and_refuse, &s), ERR_INPUT);
    assert_string_equal(err_message(), "it cannot be decided");
    team_destroy(s.team);
}

/* Member 1 reaches one barrier less than the others. */
static enum err meet_less_often(void *context, int member)
{
    struct shared *s = context;
    for (int round = member == 1; round < 10; round++)
        TRY(team_meet(s->team, NULL, NULL));
    return ERR_OK;
}

static void who_waits_for_one_that_has_ended_waits_no_longer(void **state)
{
    (void)state;
    struct shared s = {.team = new_team(MEMBERS)};
    for (int again = 0; again < 50; again++) {
        assert_int_equal(team_do(s.team, meet_less_often, &s), ERR_MACHINE);
        assert_non_null(strstr(err_message(), "waits for one that has ended"));
    }
    fine(team_do(s.team, meet_often, &s));
    team_destroy(s.team);
}

static enum err meet_for_different_things(void *context, int member)
{
    struct shared *s = context;
    return team_meet(s->team, member == 3 ? refuse : add_up, s);
}

static void who_meets_others_for_something_else_is_noticed(void **state)
{
    (void)state;
    struct shared s = {.team = new_team(MEMBERS)};
    for (int again = 0; again < 50; again++) {
        assert_int_equal(team_do(s.team, meet_for_different_things, &s), ERR_MACHINE);
        assert_non_null(strstr(err_message(), "meet for different decisions"));
    }
    team_destroy(s.team);
}

struct watched {
    pthread_t owner;
    int looks; /* by the owner; -1: by another thread */
};

static void look(void *context)
{
    struct watched *w = context;
    const int seen = __atomic_load_n(&w->looks, __ATOMIC_RELAXED);
    const int own = pthread_equal(pthread_self(), w->owner) && seen >= 0;
    __atomic_store_n(&w->looks, own ? seen + 1 : -1, __ATOMIC_RELAXED);
}

/* Members go on only when it has been called. */
static enum err wait_for_looks(void *context, int member)
{
    const struct watched *w = context;
    int seen;
    (void)member;
    while ((seen = __atomic_load_n(&w->looks, __ATOMIC_RELAXED)) >= 0 && seen < 3)
        sched_yield();
    return ERR_OK;
}

static void the_owner_looks_around_while_members_work(void **state)
{
    struct watched w = {pthread_self(), 0};
    struct team *t = new_team(2);
    (void)state;
    team_watch(t, look, &w, 0.001);
    fine(team_do(t, wait_for_looks, &w));
    assert_true(w.looks >= 3);
    team_destroy(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_member_has_a_thread_of_its_own_and_keeps_it),
        cmocka_unit_test(whoever_meets_sees_what_all_have_done_before),
        cmocka_unit_test(where_one_fails_nobody_waits_for_it_and_all_tell_its_error),
        cmocka_unit_test(of_several_errors_the_worst_counts),
        cmocka_unit_test(a_decision_that_fails_fails_for_all),
        cmocka_unit_test(who_waits_for_one_that_has_ended_waits_no_longer),
        cmocka_unit_test(who_meets_others_for_something_else_is_noticed),
        cmocka_unit_test(the_owner_looks_around_while_members_work),
    };
    return cmocka_run_group_tests_name("team", tests, NULL, NULL);
}
