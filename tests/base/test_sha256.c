/* SHA-256: the digests of the standard, however the bytes are divided, with the processor's instructions and without.
 * */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/sha256.h"
#include "core/base/sha256_blocks.h"

static void expect(const char *bytes, size_t n, const char *want)
{
    char hex[SHA256_DIGITS + 1];
    struct sha256 s;
    sha256_init(&s);
    sha256_update(&s, bytes, n);
    sha256_final(&s, hex);
    assert_string_equal(hex, want);
}

/* FIPS 180-2, appendix B; the empty message as sha256sum has it. */
static void the_digests_are_those_of_the_standard(void **state)
{
    enum { MILLION = 1000000 };
    char *many = malloc(MILLION);
    (void)state;
    assert_non_null(many);
    memset(many, 'a', MILLION);
    expect("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56,
           "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    expect("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopq"
           "rlmn"
           "opqrsmnopqrstnopqrstu",
           112, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
    expect(many, MILLION, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    free(many);
}

/* The same bytes in one piece, and in pieces that end before, at and after the ends of blocks. */
static void the_pieces_do_not_matter(void **state)
{
    enum { BYTES = 300 };
    unsigned char bytes[BYTES];
    char whole[SHA256_DIGITS + 1], cut[SHA256_DIGITS + 1];
    struct sha256 s;
    (void)state;
    for (int k = 0; k < BYTES; k++)
        bytes[k] = (unsigned char)(k * 37 + k / 7);
    for (size_t n = 0; n <= BYTES; n++) {
        sha256_init(&s);
        sha256_update(&s, bytes, n);
        sha256_final(&s, whole);
        for (size_t first = 0; first <= n; first++) {
            sha256_init(&s);
            sha256_update(&s, bytes, first);
            sha256_update(&s, bytes + first, n - first);
            sha256_final(&s, cut);
            assert_string_equal(cut, whole);
        }
    }
}

static void the_processors_instructions_give_the_same(void **state)
{
    enum { BLOCKS = 9, TRIES = 100 };
    unsigned char bytes[BLOCKS * SHA256_BLOCK];
    uint32_t want[8], have[8], seed = 1;
    (void)state;
    for (int try = 0; try < TRIES; try++) {
        for (size_t k = 0; k < sizeof bytes; k++)
            bytes[k] = (unsigned char)((seed = seed * 1664525 + 1013904223) >> 24);
        for (int k = 0; k < 8; k++)
            want[k] = have[k] = seed = seed * 1664525 + 1013904223;
        const size_t n = 1 + (size_t)try % BLOCKS;
        sha256_blocks(want, bytes, n);
        if (!sha256_blocks_x86(have, bytes, n)) {
            print_message("skipped: this processor has no instructions for SHA-256\n");
            skip();
        }
        assert_memory_equal(want, have, sizeof want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_digests_are_those_of_the_standard),
        cmocka_unit_test(the_pieces_do_not_matter),
        cmocka_unit_test(the_processors_instructions_give_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
