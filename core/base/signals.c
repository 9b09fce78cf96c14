/* One list for all who handle signals. */
#include "core/base/signals.h"

#include <signal.h>
#include <stddef.h>

#include "core/base/output_file.h"
#include "core/base/subprocess.h"

#define ALL(first, other)                                                               \
    first(HUP) other(INT) other(TERM) other(ALRM) other(VTALRM) other(PROF) other(XCPU) \
        other(USR1) other(USR2)
#define NUMBER(name) SIG##name,
#define NAME(name)   #name
#define NEXT(name)   ", " #name
static const int numbers[] = {ALL(NUMBER, NUMBER)};
enum { NUMBERS = sizeof numbers / sizeof *numbers };
const char signals_names[] = ALL(NAME, NEXT);

void signals_end(int number)
{
    program_interrupt(); /* or it would keep writing */
    outfile_delete_temporaries();
    signal(number, SIG_DFL);
    raise(number);
}

static void set_handlers(void (*handler)(int), int flags)
{
    const struct sigaction wanted = {.sa_handler = handler, .sa_flags = flags};
    struct sigaction now;
    for (int k = 0; k < NUMBERS; k++)
        if (sigaction(numbers[k], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
            sigaction(numbers[k], &wanted, NULL);
}

void signals_catch(void (*handler)(int), int flags)
{
    set_handlers(handler ? handler : signals_end, flags);
}

void signals_release(void)
{
    set_handlers(SIG_DFL, 0);
}

void signals_hold(int how)
{
    sigset_t all;
    sigemptyset(&all);
    for (int k = 0; k < NUMBERS; k++)
        sigaddset(&all, numbers[k]);
    sigprocmask(how, &all, NULL);
}

int signals_repeats(int number)
{
    return number == SIGXCPU || number == SIGALRM || number == SIGVTALRM || number == SIGPROF;
}
