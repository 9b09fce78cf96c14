/* A team: threads that do the same work side by side, meet on the way, and agree on the result. */
#ifndef SHOAL_TEAM_H
#define SHOAL_TEAM_H

#include "core/base/err.h"

struct team;

enum err team_create(struct team **out, int members);
void team_destroy(struct team *t); /* accepts NULL */

/* From now on the thread that waits in team_do makes the decisions (see team_meet): some work
 * belongs to one thread only. */
void team_decide_by_owner(struct team *t);

/* From now on the thread that waits in team_do calls this about as often, between decisions. */
void team_watch(struct team *t, void (*watch)(void *context), void *context, double every);

/* Runs `work` in every member's own thread, always the same one, and returns when all have ended:
 * with the worst error, of equally bad ones the first member's, and its message. */
typedef enum err team_work(void *context, int member);
enum err team_do(struct team *t, team_work *work, void *context);

/* For use within `work`. Waits until all members are here; then one of them runs `decide` (NULL:
 * nothing) while the others wait. Fails in all of them, with the same error, if it fails, if a
 * member's work has failed, if they meet for different decisions, or if one has ended that others
 * wait for. */
typedef enum err team_decision(void *context);
enum err team_meet(struct team *t, team_decision *decide, void *context);

#endif
