/* Parses ELF files, as the System V ABI describes them, to hash the code that a processor executes. */
#include "core/compile/machine_code.h"

#include <elf.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/sha256.h"
#include "core/base/whole_file.h"

/* A compiled kernel has some hundred kilobytes. */
enum { LARGEST_FILE = 1 << 28 };

struct image {
    const char *path;
    char *bytes;
    size_t size;
};

static enum err refuse(const struct image *f, const char *fault)
{
    FAIL(INPUT, "%s: %s; delete it, and it will be compiled again", f->path, fault);
}

/* Are the `n` bytes from `at` on within the file? */
static int is_inside(const struct image *f, uint64_t at, uint64_t n)
{
    return at <= f->size && n <= f->size - at;
}

static enum err read_header(const struct image *f, Elf64_Ehdr *h)
{
    if (f->size < sizeof *h)
        return refuse(f, "it is too short for an ELF file");
    memcpy(h, f->bytes, sizeof *h);
    if (memcmp(h->e_ident, ELFMAG, SELFMAG) != 0 || h->e_ident[EI_CLASS] != ELFCLASS64 ||
        h->e_ident[EI_DATA] != ELFDATA2LSB)
        return refuse(f, "it is not a 64-bit little-endian ELF file");
    if (h->e_shentsize != sizeof(Elf64_Shdr) ||
        !is_inside(f, h->e_shoff, (uint64_t)h->e_shnum * sizeof(Elf64_Shdr)))
        return refuse(f, "its section table is truncated");
    return ERR_OK;
}

/* Hashes the length before the bytes, so that differently divided code differs. */
static enum err hash_sections(const struct image *f, struct sha256 *sum)
{
    Elf64_Ehdr header;
    int count = 0;
    TRY(read_header(f, &header));
    for (int k = 0; k < header.e_shnum; k++) {
        Elf64_Shdr s;
        char head[32];
        memcpy(&s, f->bytes + header.e_shoff + (size_t)k * sizeof s, sizeof s);
        if (!(s.sh_flags & SHF_EXECINSTR) || s.sh_type == SHT_NOBITS || s.sh_size == 0)
            continue;
        if (!is_inside(f, s.sh_offset, s.sh_size))
            return refuse(f, "a code section is truncated");
        const int n = snprintf(head, sizeof head, "%llu\n", (unsigned long long)s.sh_size);
        sha256_update(sum, head, (size_t)n);
        sha256_update(sum, f->bytes + s.sh_offset, s.sh_size);
        count++;
    }
    return count ? ERR_OK : refuse(f, "it has no machine code");
}

enum err machine_code_hash(const char *path, char hash[MACHINE_CODE_HASH + 1])
{
    struct image f = {.path = path};
    struct sha256 sum;
    char hex[SHA256_DIGITS + 1];
    enum err e = ERR_OK;
    TRY_OUT(whole_file_read(path, LARGEST_FILE, &f.bytes, &f.size));
    sha256_init(&sum);
    TRY_OUT(hash_sections(&f, &sum));
    sha256_final(&sum, hex);
    snprintf(hash, MACHINE_CODE_HASH + 1, "%s", hex);
out:
    free(f.bytes);
    return e;
}
