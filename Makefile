# The only build file. `make help` explains every target.
.SUFFIXES:
.DELETE_ON_ERROR:

VERSION := 0.1.0
COMMIT := $(shell git rev-parse --short=12 HEAD 2>/dev/null || echo unknown)$(shell \
            git diff --quiet HEAD 2>/dev/null || echo -dirty)
B := build
ifeq ($(origin CC),default)
CC := gcc
endif
OPT ?= -O2 -g
PYTHON ?= python3

WARN := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wdouble-promotion -Wstrict-prototypes \
        -Wmissing-prototypes -Wcast-qual -Wvla -Werror
# Messages are cut to their buffers on purpose; only gcc knows this warning.
ifeq ($(findstring clang,$(shell $(CC) --version)),)
WARN += -Wno-format-truncation
endif
CPPFLAGS += -D_GNU_SOURCE -I. -Ikernels -I$(B)
# The host's own arithmetic fixes initial states and coordinates: no contraction there either.
CFLAGS += -std=c11 $(OPT) -ffp-contract=off -fopenmp $(WARN)
LDLIBS += -ldl -lm

ifneq ($(shell pkg-config --exists netcdf 2>/dev/null && echo yes),)
CPPFLAGS += -DHAVE_NETCDF=1 $(shell pkg-config --cflags netcdf)
LDLIBS += $(shell pkg-config --libs netcdf)
endif

REGISTRY := $(B)/registry/lists.c $(B)/registry/limiters.c $(B)/registry/fluxes.c \
            $(B)/registry/reconstructions.c
SRC := $(sort $(filter-out core/main.c,$(wildcard core/*.c)) $(wildcard kernels/*.c schemes/*.c \
         schemes/*/*.c verification/cases/*.c))
OBJ := $(SRC:%.c=$(B)/obj/%.o) $(REGISTRY:$(B)/%.c=$(B)/obj/%.o)
TESTS := $(patsubst tests/%.c,%,$(sort $(wildcard tests/test_*.c)))
TEST_SUPPORT := $(patsubst %.c,$(B)/obj/%.o,$(wildcard tests/support/*.c))

all: $(B)/shoal ## build build/shoal (the default)

$(B)/shoal: $(B)/obj/core/main.o $(OBJ)
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
	@mkdir -p $(B)
	@echo '$(CC) $(CPPFLAGS) $(CFLAGS) $(LDLIBS)' | cmp -s - $@ || \
	 echo '$(CC) $(CPPFLAGS) $(CFLAGS) $(LDLIBS)' > $@
$(B)/commit: FORCE
	@mkdir -p $(B)
	@echo '$(COMMIT)' | cmp -s - $@ || echo '$(COMMIT)' > $@
$(B)/obj/core/version.o: CPPFLAGS += -DSHOAL_COMMIT='"$(COMMIT)"' -DSHOAL_VERSION='"$(VERSION)"'
$(B)/obj/core/version.o: $(B)/commit
$(B)/obj/core/cc.o: CPPFLAGS += -DSHOAL_BUILD_CC='"$(CC)"'

# The registry: what lies in a folder can be chosen by its name.
$(B)/registry/lists.c: core/make_registry $(wildcard schemes/* schemes/*/*.c verification/cases \
                       verification/cases/*.c kernels kernels/*.c)
$(B)/registry/limiters.c: core/make_registry kernels/limiters $(wildcard kernels/limiters/*.h)
$(B)/registry/fluxes.c: core/make_registry kernels/fluxes $(wildcard kernels/fluxes/*.h)
$(B)/registry/reconstructions.c: core/make_registry kernels/reconstructions \
                                 $(wildcard kernels/reconstructions/*.h)
$(REGISTRY):
	@mkdir -p $(@D)
	@core/make_registry $(basename $(@F)) > $@

$(B)/tests/%: $(B)/obj/tests/%.o $(TEST_SUPPORT) $(OBJ)
	@mkdir -p $(@D)
	@echo "  LINK $@"
	@$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS) -lcmocka

test: $(B)/shoal $(TESTS:%=$(B)/tests/%) ## unit and contract tests (under two minutes on two cores)
	@tests/run $(TESTS:%=$(B)/tests/%)

bench: $(B)/shoal ## speed of this machine, as a table with its environment
	@$(B)/shoal bench

clean: ## remove everything that was built, the kernel cache too
	rm -rf $(B)

help: ## this text
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | \
	 awk -F'\t' '{printf "  make %-10s %s\n", $$1, $$2}'

print-%:
	@echo '$* = $($*)'

FORCE:
.PHONY: all test bench clean help FORCE
.SECONDARY:

-include $(OBJ:.o=.d) $(B)/obj/core/main.d $(TESTS:%=$(B)/obj/tests/%.d) $(TEST_SUPPORT:.o=.d)
