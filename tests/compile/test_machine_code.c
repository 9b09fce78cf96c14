/* The identity of compiled code: the same for the same code wherever it was compiled, and never read beyond the end
 * of a file. */
#include "tests/support/test.h"

#include <elf.h>
#include <unistd.h>

#include "core/device/backend.h"
#include "core/compile/nvrtc_api.h"
#include "core/compile/machine_code.h"
#include "core/compile/nvrtc.h"
#include "core/registry/registry.h"
#include "tests/support/kernel_copy.h"

static struct recipe recipe_of(int w, int h)
{
    const struct kernel *k = find_kernel("rk0");
    assert_non_null(k);
    return (struct recipe){.kernel = k,
                           .block = {w, h},
                           .mode = FAST_MODE,
                           .limiter = "minmod",
                           .flux = "central_upwind",
                           .reconstruction = "kp"};
}

/* An installation of its own: the kernels in a folder of the scratch folder, and an empty cache. */
static void move_to(const char *name)
{
    char path[PATH_LENGTH];
    scratch_folder(name);
    scratch_path(path, name);
    kernel_copy(path);
}

static int set_up(void **state)
{
    (void)state;
    if (kernel_home_find())
        return -1;
    unsetenv("SHOAL_CACHE");
    /* Sanitizers store the names of files beside the code, which refers to them. */
    unsetenv("SHOAL_KERNEL_CFLAGS");
    scratch_create();
    return 0;
}

typedef void compiler(const struct recipe *r, char path[PATH_LENGTH]);

static void compile_for_cpu(const struct recipe *r, char path[PATH_LENGTH])
{
    struct device *d;
    const struct device_options o = {.threads = 1, .march = "native"};
    fine(backend_cpu.open(&d, &o));
    fine(backend_cpu.compile(d, r, path));
    backend_cpu.close(d);
}

static void compile_for_gpu(const struct recipe *r, char path[PATH_LENGTH])
{
    char arch[16];
    snprintf(arch, sizeof arch, "sm_%d", nvrtc_target(90));
    fine(nvrtc_compile(r, arch, path));
}

static void hash_of(compiler *compile, int w, int h, char hash[MACHINE_CODE_HASH + 1])
{
    char path[PATH_LENGTH];
    const struct recipe r = recipe_of(w, h);
    compile(&r, path);
    fine(machine_code_hash(path, hash));
    assert_int_equal(strspn(hash, "0123456789abcdef"), MACHINE_CODE_HASH);
}

static void hashes_tell_code_and_nothing_else(compiler *compile)
{
    char here[MACHINE_CODE_HASH + 1], there[MACHINE_CODE_HASH + 1], other[MACHINE_CODE_HASH + 1];
    move_to("here");
    hash_of(compile, 32, 8, here);
    hash_of(compile, 40, 8, other);
    assert_string_not_equal(here, other);
    move_to("somewhere-else-with-a-longer-name");
    hash_of(compile, 32, 8, there);
    assert_string_equal(here, there);
}

static void code_for_the_cpu_has_one_identity_in_any_folder(void **state)
{
    (void)state;
    hashes_tell_code_and_nothing_else(compile_for_cpu);
}

static void code_for_the_gpu_has_one_identity_in_any_folder(void **state)
{
    (void)state;
    char why[2 * PATH_LENGTH];
    if (!nvrtc_api_open(why, sizeof why)) {
        print_message("skipped: %s\n", why);
        skip();
    }
    hashes_tell_code_and_nothing_else(compile_for_gpu);
}

static void write_bytes(const char *path, const unsigned char *bytes, size_t n)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

/* A compiled kernel's bytes, to be freed. */
static unsigned char *sound_file(char path[PATH_LENGTH], size_t *n)
{
    struct stat s;
    const struct recipe r = recipe_of(32, 8);
    move_to("home");
    compile_for_cpu(&r, path);
    assert_int_equal(stat(path, &s), 0);
    unsigned char *bytes = malloc((size_t)s.st_size);
    FILE *f = fopen(path, "rb");
    assert_true(bytes && f);
    *n = fread(bytes, 1, (size_t)s.st_size, f);
    fclose(f);
    assert_int_equal(*n, s.st_size);
    scratch_path(path, "file");
    return bytes;
}

static void files_that_are_cut_off_are_refused(void **state)
{
    (void)state;
    char path[PATH_LENGTH], hash[MACHINE_CODE_HASH + 1];
    size_t n;
    unsigned char *bytes = sound_file(path, &n);
    /* The table of sections is at the end. */
    for (size_t length = 0; length < n; length += 1 + length / 16) {
        write_bytes(path, bytes, length);
        if (machine_code_hash(path, hash) != ERR_INPUT)
            fail_msg("%zu bytes of %zu were accepted", length, n);
    }
    write_bytes(path, bytes, n);
    fine(machine_code_hash(path, hash));
    free(bytes);
}

static void garbage_is_refused_or_hashed_but_never_followed_out_of_the_file(void **state)
{
    (void)state;
    static const unsigned char worst[] = {0xff, 0x7f, 0x80};
    char path[PATH_LENGTH], hash[MACHINE_CODE_HASH + 1];
    size_t n;
    Elf64_Ehdr h;
    unsigned char *bytes = sound_file(path, &n), *copy = malloc(n);
    int refused = 0;
    assert_non_null(copy);
    memcpy(&h, bytes, sizeof h);
    for (size_t at = 0; at < sizeof h + h.e_shnum * sizeof(Elf64_Shdr); at++) {
        memcpy(copy, bytes, n);
        copy[at < sizeof h ? at : h.e_shoff + at - sizeof h] = worst[at % sizeof worst];
        write_bytes(path, copy, n);
        const enum err e = machine_code_hash(path, hash);
        assert_true(e == ERR_OK || e == ERR_INPUT);
        refused += e == ERR_INPUT;
    }
    assert_in_range(refused, 20, n);
    scratch_write("file", "w", "\177ELF is how it begins, and then it goes on about other things");
    assert_int_equal(machine_code_hash(path, hash), ERR_INPUT);
    scratch_write("file", "w", "");
    assert_int_equal(machine_code_hash(path, hash), ERR_INPUT);
    assert_int_equal(machine_code_hash(scratch, hash), ERR_INPUT);
    assert_int_equal(machine_code_hash("/nonexistent", hash), ERR_INPUT);
    free(copy);
    free(bytes);
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, set_up, scratch_remove)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        IN_SCRATCH(code_for_the_cpu_has_one_identity_in_any_folder),
        IN_SCRATCH(code_for_the_gpu_has_one_identity_in_any_folder),
        IN_SCRATCH(files_that_are_cut_off_are_refused),
        IN_SCRATCH(garbage_is_refused_or_hashed_but_never_followed_out_of_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
