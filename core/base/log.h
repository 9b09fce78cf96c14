/* What a person should know while a run goes on: one line each on stderr. */
#ifndef SHOAL_LOG_H
#define SHOAL_LOG_H

/* Silences log_info; 2: warnings, too (errors stay). */
void log_quiet(int quiet);
int log_is_quiet(void);

/* What this thread has to say others say, too: it stays silent. */
void log_mute_thread(void);

/* Holds lines back while something else has the terminal; with 0 prints those that were held. */
void log_hold(int hold);

void log_info(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void log_warning(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
