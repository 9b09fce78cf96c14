/* Processes that compute together: what they agree on, and how they end. Here threads act as the processes. */
#include "tests/support/test.h"

#include <pthread.h>

#include "core/base/monotonic_time.h"
#include "core/device/ranks.h"
#include "core/device/thread_ranks.h"

enum { MOST = 7, TAG = TAG_FREE + 3 };

/* One of them: what it does, and the result. */
struct member {
    struct post_address address;
    pthread_t thread;
    enum err (*play)(struct ranks *r, struct member *m);
    double patience, seconds;
    unsigned long number;
    enum err error;
    int speaks;
    char message[256];
};

static size_t most; /* bytes of a piece; 0: the transport's */

static void *run(void *context)
{
    struct member *m = context;
    struct ranks *r = NULL;
    const double began = seconds();
    struct transport by = thread_transport;
    by.most = most ? most : by.most;
    m->error = ranks_open(&r, &by, &m->address, m->patience);
    if (!m->error)
        m->error = m->play(r, m);
    snprintf(m->message, sizeof m->message, "%s", m->error ? err_message() : "");
    m->seconds = seconds() - began;
    m->speaks = ranks_speaks(r);
    ranks_close(&r, m->error);
    return NULL;
}

static double delay; /* s */

static void play(int n, double patience, enum err (*act)(struct ranks *, struct member *),
                 struct member *m)
{
    struct post_office *office = post_office_create(n, delay);
    assert_non_null(office);
    for (int k = 0; k < n; k++) {
        m[k] = (struct member){.address = {office, k}, .play = act, .patience = patience};
        assert_int_equal(pthread_create(&m[k].thread, NULL, run, &m[k]), 0);
    }
    for (int k = 0; k < n; k++)
        pthread_join(m[k].thread, NULL);
    post_office_destroy(office);
}

static enum err find_largest(struct ranks *r, struct member *m)
{
    static const unsigned long own[MOST] = {5, 17, 0, 3, ~0ul, 4, 17};
    m->number = own[(m->address.rank * 3 + 1) % MOST];
    for (int k = 0; k < 50; k++) {
        unsigned long again = m->number;
        TRY(ranks_largest(r, &again));
        if (k == 49)
            m->number = again;
    }
    return ERR_OK;
}

static void all_know_the_largest_number(void **state)
{
    (void)state;
    static const unsigned long largest[MOST + 1] = {0, 17, ~0ul, ~0ul, ~0ul, ~0ul, ~0ul, ~0ul};
    for (int n = 1; n <= MOST; n++) {
        struct member m[MOST];
        play(n, 60, find_largest, m);
        for (int k = 0; k < n; k++) {
            assert_int_equal(m[k].error, ERR_OK);
            assert_true(m[k].number == largest[n]);
            assert_int_equal(m[k].speaks, k == 0);
        }
    }
}

/* To all others and from all others, twice: messages of a pair stay in order. */
static enum err exchange(struct ranks *r, struct member *m)
{
    const int n = ranks_crew(r)->ranks, self = m->address.rank;
    int sent[2][MOST], got[2][MOST] = {{0}}, count = 0;
    struct parcel p[4 * MOST];
    for (int k = 0; k < n; k++)
        for (int turn = 0; turn < 2 && k != self; turn++) {
            sent[turn][k] = 1000 * turn + 10 * self + k;
            p[count++] = (struct parcel){k, TAG, 0, &sent[turn][k], sizeof(int)};
            p[count++] = (struct parcel){k, TAG, 1, &got[turn][k], sizeof(int)};
        }
    TRY(ranks_carry(r, p, count));
    for (int k = 0; k < n; k++)
        for (int turn = 0; turn < 2 && k != self; turn++)
            m->number += got[turn][k] != 1000 * turn + 10 * k + self;
    return ERR_OK;
}

/* A long parcel and a short one to the next process. */
static enum err pass_on(struct ranks *r, struct member *m)
{
    enum { LONG = 1234, SHORT = 7 };
    const int n = ranks_crew(r)->ranks, self = m->address.rank;
    int sent[LONG], got[LONG] = {0}, few[SHORT] = {0};
    for (int k = 0; k < LONG; k++)
        sent[k] = 10000 * self + k;
    const struct parcel p[] = {
        {(self + 1) % n, TAG, 0, sent, sizeof sent},
        {(self + 1) % n, TAG + 1, 0, sent + 5, sizeof few},
        {(self + n - 1) % n, TAG, 1, got, sizeof got},
        {(self + n - 1) % n, TAG + 1, 1, few, sizeof few},
    };
    TRY(ranks_carry(r, p, sizeof p / sizeof *p));
    for (int k = 0; k < LONG; k++)
        m->number += got[k] != 10000 * ((self + n - 1) % n) + k;
    for (int k = 0; k < SHORT; k++)
        m->number += few[k] != got[k + 5];
    return ERR_OK;
}

static void long_parcels_travel_in_pieces(void **state)
{
    static const size_t sizes[] = {500, 4 * 1234, 4 * 617, 1 << 20};
    (void)state;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        struct member m[MOST];
        most = sizes[s];
        play(3, 60, pass_on, m);
        most = 0;
        for (int k = 0; k < 3; k++) {
            assert_int_equal(m[k].error, ERR_OK);
            assert_int_equal(m[k].number, 0);
        }
    }
}

static void parcels_reach_whom_they_are_for(void **state)
{
    (void)state;
    struct member m[MOST];
    play(4, 60, exchange, m);
    for (int k = 0; k < 4; k++) {
        assert_int_equal(m[k].error, ERR_OK);
        assert_int_equal(m[k].number, 0);
    }
}

/* Finding the largest number of all takes at least as long as one message. */
static void a_slow_network_takes_its_time(void **state)
{
    (void)state;
    struct member m[2];
    delay = 0.02;
    play(2, 60, exchange, m);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(m[k].error, ERR_OK);
        assert_int_equal(m[k].number, 0);
        assert_true(m[k].seconds >= delay);
    }
    delay = 0;
}

static enum err fail_in_the_second(struct ranks *r, struct member *m)
{
    unsigned long nothing = 0;
    if (m->address.rank == 1)
        FAIL(MEMORY, "no memory in process 1");
    for (;;)
        TRY(ranks_largest(r, &nothing));
}

static void an_error_of_one_is_that_of_all(void **state)
{
    (void)state;
    struct member m[MOST];
    play(5, 60, fail_in_the_second, m);
    for (int k = 0; k < 5; k++) {
        assert_int_equal(m[k].error, ERR_MEMORY);
        assert_string_equal(m[k].message, "no memory in process 1");
        assert_int_equal(m[k].speaks, k == 0);
        assert_true(m[k].seconds < 30);
    }
}

static enum err sleep_in_the_first(struct ranks *r, struct member *m)
{
    unsigned long nothing = 0;
    const double began = seconds();
    ranks_unhurried(r, 0);
    if (m->address.rank > 0)
        return ranks_largest(r, &nothing);
    while (seconds() - began < 0.6)
        ;
    return ERR_OK;
}

/* It counts as dead, so that another one reports the error. */
static void who_does_not_answer_is_named(void **state)
{
    (void)state;
    struct member m[MOST];
    play(3, 0.2, sleep_in_the_first, m);
    for (int k = 1; k < 3; k++) {
        assert_int_equal(m[k].error, ERR_MACHINE);
        assert_non_null(strstr(m[k].message, "process 0 of 3 has not answered for 0.2 s"));
        assert_int_equal(m[k].speaks, k == 1);
    }
}

/* The first waits for the second, which waits for the third, and loses patience first. */
static enum err wait_in_a_row(struct ranks *r, struct member *m)
{
    int bytes = 0;
    const int self = m->address.rank;
    const struct parcel comes = {self + 1, TAG, 1, &bytes, sizeof bytes};
    const double began = seconds();
    ranks_unhurried(r, 0);
    while (self > 0 && seconds() - began < (self == 1 ? 0.1 : 2))
        ;
    return self < 2 ? ranks_carry(r, &comes, 1) : ERR_OK;
}

static void who_waits_as_well_is_not_blamed(void **state)
{
    (void)state;
    struct member m[MOST];
    play(3, 1, wait_in_a_row, m);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(m[k].error, ERR_MACHINE);
        assert_non_null(strstr(m[k].message, "process 2 of 3 has not answered for 1 s"));
        assert_int_equal(m[k].speaks, k == 0);
    }
}

static enum err come_late_to_the_second(struct ranks *r, struct member *m)
{
    unsigned long nothing = 0;
    const double began = seconds();
    ranks_unhurried(r, 0);
    while (m->address.rank == 1 && seconds() - began < 0.6)
        ;
    return ranks_largest(r, &nothing);
}

static void who_is_only_late_learns_the_error(void **state)
{
    (void)state;
    struct member m[MOST];
    play(3, 0.2, come_late_to_the_second, m);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(m[k].error, ERR_MACHINE);
        assert_non_null(strstr(m[k].message, "process 1 of 3 has not answered for 0.2 s"));
        assert_int_equal(m[k].speaks, k == 0);
    }
}

static enum err wait_unhurried(struct ranks *r, struct member *m)
{
    unsigned long nothing = 0;
    const double began = seconds();
    while (m->address.rank == 0 && seconds() - began < 0.4)
        ;
    return ranks_largest(r, &nothing);
}

static void a_compiler_may_take_its_time(void **state)
{
    (void)state;
    struct member m[MOST];
    play(2, 0.1, wait_unhurried, m);
    assert_int_equal(m[0].error, ERR_OK);
    assert_int_equal(m[1].error, ERR_OK);
}

static enum err compare(struct ranks *r, struct member *m)
{
    char digest[65] = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
    TRY(ranks_same(r, digest, "files"));
    digest[63] = m->address.rank == 2 ? '0' : 'f';
    return ranks_same(r, digest, "options");
}

static void a_difference_is_seen_by_all(void **state)
{
    (void)state;
    struct member m[MOST];
    play(3, 60, compare, m);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(m[k].error, ERR_USAGE);
        assert_non_null(strstr(m[k].message, "have different options"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_know_the_largest_number),
        cmocka_unit_test(parcels_reach_whom_they_are_for),
        cmocka_unit_test(long_parcels_travel_in_pieces),
        cmocka_unit_test(a_slow_network_takes_its_time),
        cmocka_unit_test(an_error_of_one_is_that_of_all),
        cmocka_unit_test(who_does_not_answer_is_named),
        cmocka_unit_test(who_waits_as_well_is_not_blamed),
        cmocka_unit_test(who_is_only_late_learns_the_error),
        cmocka_unit_test(a_compiler_may_take_its_time),
        cmocka_unit_test(a_difference_is_seen_by_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
