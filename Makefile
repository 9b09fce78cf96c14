# The only build file. `make help` explains every target.
.SUFFIXES:
.DELETE_ON_ERROR:

VERSION := 0.1.0
# An archive of `make dist` has in COMMIT what a clone asks git for.
COMMIT := $(shell sed -n 1p COMMIT 2>/dev/null || git describe --always --dirty --abbrev=12 --exclude='*' 2>/dev/null || echo unknown)
COMMITTED := $(shell sed -n 2p COMMIT 2>/dev/null || \
               TZ=UTC git show -s --format=%cd --date=format-local:%Y-%m-%dT%H:%M:%SZ HEAD 2>/dev/null || echo unknown)
B := build
# As many jobs as there are cores, unless -j says otherwise.
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(shell nproc 2>/dev/null || echo 1)
endif
ifeq ($(origin CC),default)
CC := gcc
endif
OPT ?= -O2 -g
PYTHON ?= python3

WARN := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wdouble-promotion -Wstrict-prototypes \
        -Wmissing-prototypes -Wcast-qual -Wvla -Werror
# Messages are truncated to their buffers on purpose; only gcc knows this warning.
ifeq ($(findstring clang,$(shell $(CC) --version)),)
WARN += -Wno-format-truncation
endif
CPPFLAGS += -D_GNU_SOURCE -I. -Ikernels -I$(B)
# The host's own arithmetic fixes initial states and coordinates: no contraction there either.
CFLAGS += -std=c11 $(OPT) -ffp-contract=off -fopenmp $(WARN)
LDLIBS += -ldl -lm
# Expanded once, not for each compiled file: pkg-config runs once.
CPPFLAGS := $(CPPFLAGS)
LDLIBS := $(LDLIBS)

PKG_CONFIG ?= pkg-config
ifneq ($(shell $(PKG_CONFIG) --exists netcdf 2>/dev/null && echo yes),)
CPPFLAGS += -DHAVE_NETCDF=1 $(shell $(PKG_CONFIG) --cflags netcdf)
NETCDF_LIBS := $(shell $(PKG_CONFIG) --libs netcdf)
# Opened at run time, by the name that a link would store.
NETCDF_FILE := $(shell $(CC) $(filter -L%,$(NETCDF_LIBS)) -print-file-name=libnetcdf.so)
endif

# Linked statically if there is a static library, so that other machines do not need it.
ifneq ($(shell $(PKG_CONFIG) --exists sqlite3 2>/dev/null && echo yes),)
SQLITE := $(filter /%,$(shell $(CC) -print-file-name=libsqlite3.a))
SQLITE_LIBS := $(or $(SQLITE),$(shell $(PKG_CONFIG) --libs sqlite3))
CPPFLAGS += -DHAVE_SQLITE=1 $(shell $(PKG_CONFIG) --cflags sqlite3)
LDLIBS += $(SQLITE_LIBS)
endif
# jansson is linked statically where its archive is at hand: machines with a GPU often lack libraries.
JANSSON := $(shell $(CC) -print-file-name=libjansson.a)
LDLIBS += $(or $(filter /%,$(JANSSON)),-ljansson)
NO_JANSSON := $(shell printf '\043include <jansson.h>\n' | $(CC) $(CPPFLAGS) -E - >/dev/null 2>&1 || echo yes)

REGISTRY := $(B)/registry/lists.c $(B)/registry/commands.c $(B)/registry/limiters.c $(B)/registry/fluxes.c \
            $(B)/registry/reconstructions.c $(B)/registry/observers.c
SRC := $(sort $(filter-out core/command/main.c,$(wildcard core/*/*.c)) $(wildcard kernels/*.c kernels/systems/*.c schemes/*.c \
         schemes/*/*.c verification/*/*.c experiments/*.c experiments/*/*.c plots/*.c \
         plots/*/*.c))
OBJ := $(SRC:%.c=$(B)/obj/%.o) $(REGISTRY:$(B)/%.c=$(B)/obj/%.o)
TEST_C := $(sort $(wildcard tests/*/test_*.c))
ifdef TEST
TEST_C := $(or $(filter $(patsubst %,\%/test_%.c,$(TEST)),$(TEST_C)),$(error TEST=$(TEST): no tests/*/test_$(TEST).c))
endif
TESTS := $(basename $(notdir $(TEST_C)))
TEST_SUPPORT := $(patsubst %.c,$(B)/obj/%.o,$(filter-out %/faults.c tests/support/stand_in_%.c,$(wildcard tests/support/*.c)) \
                  tests/fuzz/targets.c)

# MPI is in a module of its own, built if its compiler is installed. Warnings in its headers are not ours to fix.
MPICC ?= mpicc
MPI_MODULE := $(if $(shell command -v $(MPICC) 2>/dev/null),$(B)/shoal-mpi.so)

all: $(B)/shoal $(MPI_MODULE) ## build build/shoal (the default), and build/shoal-mpi.so if there is mpicc (MPICC=)

$(B)/shoal-mpi.so: core/device/mpi/module.c core/device/transport.h $(B)/flags
	@echo "  MPI  $@"
	@$(MPICC) -D_GNU_SOURCE -I. -std=c11 -O2 -g $(filter-out -Wcast-qual,$(WARN)) -fPIC -shared -o $@ $<

$(B)/shoal: $(B)/obj/core/command/main.o $(OBJ)
	@echo "  LINK $@"
	@$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(B)/obj/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	@echo "  CC   $<"
	@$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(B)/obj/registry/%.o: $(B)/registry/%.c $(B)/flags
	@mkdir -p $(@D)
	@$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

# Recompile when the compiler, its flags or the commit that --version names change.
$(B)/flags: FORCE
	@[ -z "$(NO_JANSSON)" ] || { echo "make: jansson.h is missing: apt-get install libjansson-dev, or ./bootstrap" >&2; exit 1; }
	@mkdir -p $(B)
	@echo '$(CC) $(CPPFLAGS) $(CFLAGS) $(LDLIBS)' | cmp -s - $@ || \
	 echo '$(CC) $(CPPFLAGS) $(CFLAGS) $(LDLIBS)' > $@
$(B)/commit: FORCE
	@mkdir -p $(B)
	@echo '$(COMMIT)' | cmp -s - $@ || echo '$(COMMIT)' > $@
VERSION_UNITS := $(addprefix $(B)/,obj/core/base/version.o lint/core/base/version.o lint/core/base/version.tidy)
$(VERSION_UNITS): private CPPFLAGS += -DSHOAL_COMMIT='"$(COMMIT)"' -DSHOAL_COMMITTED='"$(COMMITTED)"' \
                                      -DSHOAL_VERSION='"$(VERSION)"'
$(VERSION_UNITS): $(B)/commit
$(B)/obj/core/netcdf/library.o $(B)/lint/core/netcdf/library.o $(B)/lint/core/netcdf/library.tidy: private CPPFLAGS += \
    -DNETCDF_LIBRARY='"$(or $(shell readelf -d $(NETCDF_FILE) 2>/dev/null | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p'),libnetcdf.so)"'
$(B)/obj/core/compile/c_compiler.o: private CPPFLAGS += -DSHOAL_BUILD_CC='"$(CC)"'

# The registry: users choose a folder's files by name. Make cannot handle names with blanks.
BLANK := $(shell find schemes verification/cases kernels -name '* *' | head -n 1)
ifneq ($(BLANK),)
$(error '$(BLANK)': a name has lower-case letters, digits and _ only: rename it without the blank)
endif
$(B)/registry/lists.c: $(wildcard schemes/* schemes/*/*.c verification/cases \
                       verification/cases/*.c verification/invariants \
                       verification/invariants/*.c kernels kernels/*.c kernels/*.cu \
                       kernels/systems kernels/systems/*.c)
COMMAND_FILES := $(foreach f,$(SRC),$(if $(filter cmd_%,$(notdir $f)),$f))
$(B)/registry/commands.c: $(COMMAND_FILES) $(sort $(patsubst %/,%,$(dir $(COMMAND_FILES))))
$(B)/registry/observers.c: core/sim $(wildcard core/sim/observe_*.c)
$(B)/registry/limiters.c: kernels/limiters $(wildcard kernels/limiters/*.h)
$(B)/registry/fluxes.c: kernels/fluxes $(wildcard kernels/fluxes/*.h)
$(B)/registry/reconstructions.c: kernels/reconstructions $(wildcard kernels/reconstructions/*.h)
$(REGISTRY): core/registry/make_registry core/registry/make_registry.awk core/registry/plugin.h
$(REGISTRY):
	@mkdir -p $(@D)
	@core/registry/make_registry $(basename $(@F)) > $@

# A test links what it needs of all this; a thin archive refers to the objects in place.
$(B)/tests.a: $(TEST_SUPPORT) $(OBJ)
	@rm -f $@
	@$(AR) rcsT $@ $^

# Tests' own code takes less time to run than to optimise, above all where it runs once.
$(B)/obj/tests/%.o: private CFLAGS := $(CFLAGS:-O2=-O0)
$(B)/obj/tests/support/%.o: private CFLAGS := $(CFLAGS:-O2=-O1)

# A linker that takes a third of the time, if installed. Without an OPT of your own nobody debugs tests: leaving out what
# a debugger reads takes half of the time, and a third of the 700 MB.
TEST_LINKER := $(if $(shell command -v ld.gold 2>/dev/null),-fuse-ld=gold) $(if $(filter file,$(origin OPT)),-Xlinker --strip-debug)

# Programs lie side by side, whatever folder a test is in.
$(foreach t,$(wildcard tests/*/test_*.c),$(eval $(B)/tests/$(basename $(notdir $t)): $(B)/obj/$(t:.c=.o)))
$(B)/tests/%: $(B)/tests.a
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) $(TEST_LINKER) $(LDFLAGS) -o $@ $(filter %.o,$^) $(B)/tests.a -Wl,--as-needed $(NETCDF_LIBS) $(LDLIBS) -lcmocka

# Loaded by the tool, the first even before a sanitizer: they are built without one.
$(B)/tests/libfaults.so: tests/support/faults.h
$(B)/tests/libstand_in_gpu.so: tests/support/stand_in_nvrtc.c tests/support/stand_in_ipc.c tests/support/stand_in_memory.h
$(B)/tests/libstand_in_gpu.so $(B)/tests/libstand_in_nccl.so: tests/support/stand_in_stream.h tests/support/stand_in_setting.h
TEST_LIBRARIES := $(patsubst %,$(B)/tests/lib%.so,faults stand_in_gpu stand_in_nccl)
$(TEST_LIBRARIES): $(B)/tests/lib%.so: tests/support/%.c $(B)/flags
	@mkdir -p $(@D)
	@$(CC) $(CPPFLAGS) -std=c11 -O1 -g $(WARN) -fPIC -shared -o $@ $(filter %.c,$^) -ldl

# The tool as a machine without netCDF and SQLite builds it: most objects are the same.
WITH_LIBRARIES := $(shell grep -lE 'HAVE_NETCDF|HAVE_SQLITE' $(SRC))
$(B)/obj/plain/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	@$(CC) $(filter-out -DHAVE_NETCDF=1 -DHAVE_SQLITE=1,$(CPPFLAGS)) $(CFLAGS) -MMD -MP -c -o $@ $<
$(B)/shoal-without-libraries: $(WITH_LIBRARIES:%.c=$(B)/obj/plain/%.o) \
                              $(filter-out $(WITH_LIBRARIES:%.c=$(B)/obj/%.o),$(B)/obj/core/command/main.o $(OBJ))
	@$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(filter-out $(SQLITE_LIBS),$(LDLIBS))

RUN_TESTS = TEST_TIMES=$(B)/test-times tests/runner
test: test-begins $(B)/shoal $(MPI_MODULE) $(B)/shoal-without-libraries $(TESTS:%=$(B)/tests/%) $(TEST_LIBRARIES) ## unit and contract tests; one with TEST=cli
	@MAKEFLAGS= SHOAL_BIN=$(abspath $(B)/shoal) $(RUN_TESTS) $(TESTS:%=$(B)/tests/%)

test-begins:
	@echo "make test: $$($(RUN_TESTS) --estimate $(TESTS)), once everything is built"

test-kills: $(B)/shoal $(MPI_MODULE) $(B)/tests/test_kills $(B)/tests/test_mpi ## kills runs of every scheme at random, restarts them, compares (KILLS=100 of each)
	@OMP_WAIT_POLICY=passive SHOAL_TEST_KILLS=$(or $(KILLS),100) SHOAL_BIN=$(abspath $(B)/shoal) \
	 sh -c '$(B)/tests/test_kills && $(B)/tests/test_mpi'

# protect_shadow_gap: the CUDA driver wants addresses that ASan would otherwise close.
# __SANITIZE_ADDRESS__, by which tests know ASan, is gcc's own: clang 14 does not define it.
SANITIZE := -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all
check: check-gcc check-clang ## the tests under ASan and UBSan, the kernels compiled at run time too; by gcc, then by clang
check-clang: | check-gcc
check-gcc check-clang: check-%:
	@command -v $* >/dev/null || { echo "make check: skipped with $*: it is missing: apt-get install $* libomp-dev" >&2; exit 0; }; \
	 SHOAL_KERNEL_CFLAGS='-O1 -g $(SANITIZE)' SHOAL_CACHE=$(abspath $(B)/check-$*/cache) \
	 ASAN_OPTIONS=protect_shadow_gap=0 UBSAN_OPTIONS=print_stacktrace=1 TEST_SECONDS=1800 \
	 LSAN_OPTIONS=suppressions=$(CURDIR)/tests/leaks.supp:print_suppressions=0 \
	 $(MAKE) --no-print-directory B=$(B)/check-$* CC=$* \
	 OPT='-O1 -g $(SANITIZE) $(if $(filter clang,$*),-Wno-pass-failed -D__SANITIZE_ADDRESS__=1)' test

# Emulated, and without netCDF, as Debian has no netCDF to cross-compile with. jansson and OpenMP are those of
# arm64, and so are loader and libc: with the cross compiler's loader (qemu-aarch64 -L) a first thread never begins.
ARM := aarch64-linux-gnu
portable: ## compiles everything for aarch64, and has certify compare the bits there, emulated
	@for tool in $(ARM)-gcc qemu-aarch64; do command -v $$tool >/dev/null || \
	 { echo "make portable: skipped: there is no $$tool: dpkg --add-architecture arm64 && apt-get update && apt-get install gcc-$(ARM) qemu-user libjansson-dev:arm64 libgomp1:arm64" >&2; exit 0; }; done; \
	 $(MAKE) --no-print-directory B=$(B)/portable CC=$(ARM)-gcc PKG_CONFIG=false MPICC= TEST= all && \
	 GOMP_SPINCOUNT=10000 SHOAL_CC='$(CURDIR)/tests/cross $(ARM)-gcc' SHOAL_CACHE=$(abspath $(B)/portable/cache) qemu-aarch64 \
	 $(B)/portable/shoal certify $(CERTIFY) --backend cpu --output $(B)/portable/certify

valgrind: $(B)/shoal ## runs of every kind under valgrind's memcheck, about a minute; needs valgrind
	@SHOAL_BUILD=$(B) tests/under valgrind

# By clang: unlike gcc's, its OpenMP reports its barriers to ThreadSanitizer.
TSAN_TESTS := job_queue team ranks exchange cache compiler
tsan: ## the same under ThreadSanitizer, kernels too, and two processes with one cache; needs clang
	@command -v clang >/dev/null || { echo "make tsan needs clang: apt-get install clang libomp-dev" >&2; exit 3; }
	@$(MAKE) --no-print-directory B=$(B)/tsan CC=clang TEST= \
	 OPT='-O1 -g -fsanitize=thread -Wno-pass-failed' \
	 $(B)/tsan/shoal $(TSAN_TESTS:%=$(B)/tsan/tests/test_%)
	@SHOAL_BUILD=$(B)/tsan tests/under tsan $(TSAN_TESTS)

FUZZ_NAMES := $(or $(TARGET),$(notdir $(wildcard tests/fuzz/seeds/*)))
fuzz: ## arbitrary bytes for every reader: SECONDS=60 each, one with TARGET=manifest; needs clang
	@command -v clang >/dev/null || { echo "make fuzz needs clang: apt-get install clang libomp-dev" >&2; exit 3; }
	@$(MAKE) --no-print-directory B=$(B)/fuzz CC=clang TARGET='$(TARGET)' \
	 OPT='-O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -Wno-pass-failed' \
	 $(FUZZ_NAMES:%=$(B)/fuzz/targets/%)
	@SHOAL_BUILD=$(B) tests/fuzz/run '$(or $(SECONDS),60)' $(FUZZ_NAMES)
$(B)/targets/%: $(B)/obj/tests/fuzz/libfuzzer.o $(B)/obj/tests/fuzz/targets.o $(OBJ)
	@mkdir -p $(@D)
	@echo "  LINK $@"
	@$(CC) $(CFLAGS) -fsanitize=fuzzer $(LDFLAGS) -o $@ $^ $(LDLIBS)

gpu-test: $(B)/shoal $(TESTS:%=$(B)/tests/%) ## tests that need a GPU, and compute-sanitizer
	@SHOAL_BUILD=$(B) tests/gpu

LINT_C := core/command/main.c $(SRC) $(wildcard tests/*/test_*.c tests/support/*.c tests/heat/*.c)
LINT_H := $(wildcard $(addsuffix /*.h,core/* kernels kernels/* schemes schemes/* verification/* experiments experiments/* plots plots/* \
            tests/support))
LINT_TOOLS := clang-format clang-tidy cppcheck gcc
# Not reported: e = ERR_OK where each way out sets e; locals named like a function elsewhere or
# declared where that reads better; 0.01 and 0.01f taken for the same value; names that hide others, which
# gcc's -Wshadow finds without taking later declarations for earlier ones; what a test's function that stands
# in for a backend's, with its type, could have const; a sign spread over all bits by a shift, as all compilers used here do.
CPPCHECK := --quiet --std=c11 --enable=warning,style,performance,portability --error-exitcode=1 \
            --suppress=unreadVariable --suppress=shadowFunction --suppress=variableScope \
            --suppress=duplicateValueTernary --suppress=shadowVariable --suppress='constParameter:tests/*' \
            --suppress='shiftTooManyBitsSigned:kernels/real.h'

VERIFY = $(if $(CASE),--case $(CASE)) $(if $(SCHEME),--scheme $(SCHEME)) \
         $(if $(LIMITER),--limiter $(LIMITER)) $(if $(FLUX),--flux $(FLUX)) \
         $(if $(RECONSTRUCTION),--reconstruction $(RECONSTRUCTION)) $(if $(BACKEND),--backend $(BACKEND)) \
         $(if $(POSITIVITY),--positivity $(POSITIVITY)) \
         $(if $(PRECISION),--precision $(PRECISION)) $(if $(QUICK),--quick) $(if $(FULL),--full)
verify: $(B)/shoal ## compares every scheme with known solutions (CASE= SCHEME= LIMITER= FLUX= RECONSTRUCTION= POSITIVITY= BACKEND= PRECISION= QUICK=1 FULL=1)
	@$(B)/shoal verify $(VERIFY) --output $(B)/verify

JUDGE = $(if $(LIMITER),--limiter $(LIMITER)) $(if $(FLUX),--flux $(FLUX)) \
        $(if $(RECONSTRUCTION),--reconstruction $(RECONSTRUCTION)) \
        $(if $(SCHEME),--scheme $(SCHEME)) $(if $(CASE),--case $(CASE)) $(if $(QUICK),--quick) \
        $(if $(BACKEND),--backend $(BACKEND)) $(if $(THREADS),--threads $(THREADS))
judge: $(B)/shoal ## judges one entry beside all others, in a report (LIMITER= or FLUX= RECONSTRUCTION= SCHEME= CASE=; QUICK=1 THREADS=)
	@$(B)/shoal judge $(JUDGE)

CERTIFY = $(if $(SCHEME),--scheme $(SCHEME)) $(if $(CASE),--case $(CASE)) \
          $(if $(BACKEND),--backend $(BACKEND)) $(if $(UPDATE),--update) $(if $(RECORD),--record)
certify: $(B)/shoal ## checks that results agree to the last bit, with each other and with stored bits (SCHEME= CASE= BACKEND= UPDATE=1 RECORD=1)
	@$(B)/shoal certify $(CERTIFY) --output $(B)/certify

TUNE = $(if $(KERNEL),--kernel $(KERNEL)) $(if $(STRATEGY),--strategy $(STRATEGY)) \
       $(if $(BUDGET),--budget $(BUDGET)) $(if $(BACKEND),--backend $(BACKEND)) \
       $(if $(PRECISION),--precision $(PRECISION)) $(if $(RESUME),--resume)
tune: $(B)/shoal ## finds the best block of every kernel and the best scheme (KERNEL= STRATEGY= BUDGET= RESUME=1)
	@$(B)/shoal tune $(TUNE)

prove: $(B)/shoal ## checks that all blocks of a kernel give the same bits in strict mode (KERNEL= BACKEND= PRECISION=)
	@$(B)/shoal tune --prove $(TUNE)

new-limiter: ## begins a limiter: a skeleton that works, with comments (NAME=)
new-flux: ## begins a numerical flux (NAME=)
new-scheme: ## begins a scheme, as a copy of one (NAME= FROM=rk2)
new-case: ## begins a case (NAME=)
new-system: ## begins a system of other equations, with a scheme of its own, as a copy of tests/heat (NAME=)
new-limiter new-flux new-scheme new-case new-system:
	@core/registry/new $(@:new-%=%)
.PHONY: new-limiter new-flux new-scheme new-case new-system

test-faults: $(B)/shoal $(B)/tests/test_faults $(B)/tests/libfaults.so ## kills or fails every writer at each call by which it changes files
	@OMP_WAIT_POLICY=passive SHOAL_TEST_FAULTS=1 SHOAL_BIN=$(abspath $(B)/shoal) \
	 $(B)/tests/test_faults

mutants: $(B)/shoal $(B)/tests/test_mutants mutants-core ## plants mistakes in the kernels, and in core's files for results, checkpoints, cache and output; shows which checks catch them
	@SHOAL_TEST_FULL=1 SHOAL_BIN=$(abspath $(B)/shoal) $(B)/tests/test_mutants

# Every OF-th, from the PART-th on: 0 1 is all, more than a thousand.
mutants-core: $(B)/shoal $(TESTS:%=$(B)/tests/%) $(TEST_LIBRARIES) ## the latter alone (PART=0 OF=4, VERBOSE=1)
	@VERBOSE=$(VERBOSE) tests/mutants/run $(B) $(or $(PART),0) $(or $(OF),1)

lint: lint-rooms lint-format lint-cppcheck lint-tidy ## includes (core/rooms), clang-format, clang-tidy, cppcheck, gcc -fanalyzer

ROOM_FILES := $(filter-out tests/%,$(LINT_C) $(LINT_H)) $(wildcard kernels/*.cu)
lint-rooms:
	@awk -f core/rooms.awk core/rooms $(ROOM_FILES)

house: ## lists which source folder includes which, and draws build/house.svg (by Graphviz, else by gnuplot)
	@mkdir -p $(B)
	@house() { awk -v form=$$1 -f core/rooms.awk -f core/house.awk core/rooms $(ROOM_FILES); }; house text && \
	 if command -v dot >/dev/null; then house dot | dot -Tsvg -o $(B)/house.svg; \
	 elif command -v gnuplot >/dev/null; then house gnuplot | gnuplot >$(B)/house.svg; \
	 else echo "make house: no picture: there is neither dot (apt-get install graphviz) nor gnuplot" >&2; fi

lint-tools:
	@missing=; for tool in $(LINT_TOOLS); do \
	 command -v $$tool >/dev/null || missing="$$missing $$tool"; done; \
	 [ -z "$$missing" ] || { echo "lint: missing:$$missing; on Debian or Ubuntu, apt-get install" \
	 "$(LINT_TOOLS) libomp-dev" >&2; exit 1; }

LAID_OUT := $(LINT_C) $(LINT_H) core/device/mpi/module.c
lint-format: lint-tools
	@clang-format --dry-run -Werror $(LAID_OUT)

lint-cppcheck: lint-tools
	@mkdir -p $(B)/lint/cppcheck
	@cppcheck $(CPPCHECK) --cppcheck-build-dir=$(B)/lint/cppcheck $(CPPFLAGS) $(LINT_C)

# gcc cannot see that cmocka's assert_non_null does not return.
$(B)/lint/tests/%.o: private CFLAGS += -Wno-analyzer-possible-null-dereference \
                                       -Wno-analyzer-possible-null-argument

lint-tidy: $(LINT_C:%.c=$(B)/lint/%.tidy)

# gcc 12 takes memory for lost once its address is in a caller's structure; clang's analyzer, `make check` and `make
# valgrind` look for leaks.
$(B)/lint/%.o: %.c $(B)/flags | lint-tools
	@mkdir -p $(@D)
	@echo "  LINT $<"
	@gcc $(CPPFLAGS) $(CFLAGS) -Wno-format-truncation -fanalyzer -Wno-analyzer-malloc-leak -MMD -MP -c -o $@ $<

$(B)/lint/%.tidy: %.c $(B)/lint/%.o .clang-tidy tests/.clang-tidy
	@clang-tidy --quiet $< -- $(CPPFLAGS) $(filter-out -Wno-format-truncation,$(CFLAGS)) \
	 2>$@.log || { cat $@.log; exit 1; }
	@touch $@

format: ## formats the C files by .clang-format; kernels (.cu) by hand
	clang-format -i $(LAID_OUT)

bench: $(B)/shoal ## measures the speed of all schemes on this machine, beside its ceilings, into the database
	@$(B)/shoal bench

profile: $(B)/shoal ## counts the bytes that each GPU kernel moves, by Nsight Compute (SCHEME=rk2 for one)
	@tests/profile $(SCHEME)

counters: $(B)/shoal ## shows what limits each GPU kernel, by Nsight Compute
	@SHOAL_BIN=$(B)/shoal tests/counters

README_FIGURES := blocks-fgh roofline
picture: $(B)/shoal ## draws the pictures of README and manual (needs ncdump and gnuplot)
	@plots/dam-break.sh --quiet
	@mkdir -p $(B)/picture
	@$(B)/shoal run three-humps --nx 450 --t-end 14 --quiet --output $(B)/picture/humps.nc >/dev/null
	@$(B)/shoal render $(B)/picture/humps.nc --view 3d --azimuth 150 --elevation 30 --size 1280x560 \
	 --output plots/three-humps.png >/dev/null
	@$(B)/shoal run valley --nx 240 --domain sparse --tile 10 --t-end 400 --quiet --output $(B)/picture/valley.nc >/dev/null
	@$(B)/shoal render $(B)/picture/valley.nc --tiles --times last --output plots/stored-tiles.png >/dev/null
	@$(B)/shoal plot $(README_FIGURES) --device nvidia-h200 --format png --output $(B)/picture >/dev/null
	@for name in $(README_FIGURES); do cp $(B)/picture/$$name-nvidia-h200.png plots/$$name.png; done
	@$(B)/shoal plot gpu-scaling --device 4-x-nvidia-h200-4-parts --format png --output $(B)/picture >/dev/null
	@cp $(B)/picture/gpu-scaling-4-x-nvidia-h200-4-parts.png plots/gpu-scaling.png

manual: $(B)/shoal ## the manual as HTML pages, build/manual/index.html, and a man page, shoal.1
	@$(B)/shoal help --output $(B)/manual
	@[ ! -e $(B)/manual/index.html ] || echo $(B)/manual/index.html

PREFIX ?= /usr/local
install: $(B)/shoal $(MPI_MODULE) ## installs program, kernels, database, man page, completion into PREFIX=/usr/local (DESTDIR=)
	@DESTDIR='$(DESTDIR)' packaging/install '$(abspath $<)' '$(PREFIX)'

uninstall: ## removes them again (PREFIX= DESTDIR=)
	@DESTDIR='$(DESTDIR)' packaging/install --remove '$(PREFIX)'

dist: ## a source archive of the last commit, build/dist/shoal-VERSION.tar.gz, that builds without git
	@packaging/dist $(VERSION) $(B)/dist

deb: $(B)/shoal ## a Debian package, build/dist/shoal_VERSION_ARCHITECTURE.deb; needs dpkg-dev
	@packaging/deb '$(abspath $<)' $(VERSION) $(B)/dist

ENGINE = $(or $(shell command -v podman || command -v docker),$(error make container: there is neither podman nor docker))
container: ## an image `shoal` by podman or docker, see packaging/Containerfile (CUDA=1: with NVRTC)
	@packaging/dist $(VERSION) $(B)/dist
	@$(ENGINE) build -f packaging/Containerfile -t shoal $(if $(CUDA),--target cuda) $(B)/dist

figures: $(B)/shoal ## every figure and table from the database, build/figures/index.html (DEVICE=)
	@$(B)/shoal plot --all $(if $(DEVICE),--device $(DEVICE)) --output $(B)/figures

# TeX runs in the folder of what it writes; sources and generated files are found by its paths.
PAPER := $(abspath $(B))/paper
PAPER_INPUTS := $(CURDIR)/paper:$(abspath $(B))/figures/paper:$(abspath $(B))/figures:
paper: paper-check ## the report from figures, tables, facts and the results of `make verify`, build/paper/paper.pdf
	@$(MAKE) --no-print-directory figures DEVICE=
	@paper/verdicts $(B)/figures/paper/facts.tex
	@[ -e $(B)/verify/results.tsv ] || $(B)/shoal verify --quick --output $(B)/verify >/dev/null
	@mkdir -p $(PAPER)
	@paper/verification $(B)/verify >$(PAPER)/verification.tex
	@cd $(PAPER) && TEXINPUTS='$(PAPER_INPUTS)' BIBINPUTS='$(CURDIR)/paper:' \
	 max_print_line=1000 latexmk -norc -pdf -interaction=nonstopmode -halt-on-error \
	 -file-line-error -Werror -silent \
	 $(CURDIR)/paper/paper.tex > $(PAPER)/latexmk.log 2>&1 || \
	 { grep -hA3 -E '^!|^[^ ]+:[0-9]+:|undefined' paper.log >&2; \
	 echo "paper: LaTeX failed; all it said is in $(PAPER)/paper.log" >&2; exit 1; }
	@echo "paper: $(B)/paper/paper.pdf"

paper-check:
	@command -v latexmk >/dev/null && command -v pdflatex >/dev/null || \
	 { echo "paper: there is no LaTeX here: ./bootstrap --paper installs it" >&2; exit 3; }
	@paper/check

clean: ## remove everything that was built, the kernel cache too
	rm -rf $(B)

help: ## this text
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | \
	 awk -F'\t' '{printf "  make %-11s %s\n", $$1, $$2}'

print-%:
	@echo '$* = $($*)'

FORCE:
.PHONY: all test test-begins test-kills test-faults check check-gcc check-clang portable valgrind tsan fuzz gpu-test verify judge certify tune prove mutants mutants-core lint lint-tools lint-rooms house lint-format lint-cppcheck lint-tidy format bench profile counters picture \
        manual figures install uninstall dist deb container paper paper-check clean help FORCE
.SECONDARY:

-include $(OBJ:.o=.d) $(B)/obj/core/command/main.d $(TEST_C:%.c=$(B)/obj/%.d) $(TEST_SUPPORT:.o=.d) \
         $(LINT_C:%.c=$(B)/lint/%.d) $(WITH_LIBRARIES:%.c=$(B)/obj/plain/%.d)
