/* Errors: a code that decides the exit status, and a message kept per thread until main prints it. */
#ifndef SHOAL_ERR_H
#define SHOAL_ERR_H

/* name, exit status (part of the command line's contract), meaning */
#define ERR_TABLE(X)                          \
    X(OK, 0, "fine")                          \
    X(CHECK, 1, "a check failed")             \
    X(USAGE, 2, "wrong usage")                \
    X(INPUT, 2, "bad input")                  \
    X(KERNEL, 2, "a kernel does not compile") \
    X(MACHINE, 3, "the machine failed")       \
    X(MEMORY, 3, "out of memory")             \
    X(LIMIT, 3, "beyond the device's limits") \
    X(ABSENT, 3, "not available here")        \
    X(BROKEN, 4, "the solution broke down")   \
    X(STOPPED, 5, "stopped by a signal")

enum err {
#define ERR_ENUM(name, status, text) ERR_##name,
    ERR_TABLE(ERR_ENUM)
#undef ERR_ENUM
};

int err_status(enum err e);

/* Keeps the message (printf style) for this thread, with the place that failed. */
void err_keep(enum err e, const char *file, int line, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* The same; is the code itself, so that compilers and analysers see that it is not ERR_OK. */
#define err_set(e, ...) (err_keep(e, __VA_ARGS__), (enum err)(e))

/* This thread's message, "" if there is none; valid until the next err_keep. */
const char *err_message(void);
const char *err_place(void);

/* This thread's code of the last err_keep. */
enum err err_last(void);

/* Puts "context: " before this thread's message. */
void err_context(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#define FAIL(code, ...) return err_set(ERR_##code, __FILE__, __LINE__, __VA_ARGS__)
#define TRY(call)                  \
    do {                           \
        enum err try_err = (call); \
        if (try_err)               \
            return try_err;        \
    } while (0)
/* The same for functions that must release resources: jumps to `out` with the error in `e`. */
#define TRY_OUT(call) \
    do {              \
        e = (call);   \
        if (e)        \
            goto out; \
    } while (0)

#endif
