/* A team: threads that do the same work side by side, wait for each other on the way, and agree on how it ended. */
#ifndef SHOAL_TEAM_H
#define SHOAL_TEAM_H

#include "core/base/err.h"

struct team;

enum err team_create(struct team **out, int members);
void team_destroy(struct team *t); /* accepts NULL */

/* From now on decisions (see team_meet) are made by the thread that waits in team_do: some things are to be done by one
 * thread only. */
void team_decide_by_owner(struct team *t);

/* Runs `work` in every member's own thread, the same one each time, and returns when all have ended: with the worst
 * error met, of equally bad ones the first member's, and its message. */
typedef enum err team_work(void *context, int member);
enum err team_do(struct team *t, team_work *work, void *context);

/* Within such work. Waits until all members are here; then one of them runs `decide` (NULL: nothing) while the others
 * wait on. Fails in all of them, with the same error, where it does or where a member's work has failed; and where
 * they meet for different decisions, or one has ended that others wait for. */
typedef enum err team_decision(void *context);
enum err team_meet(struct team *t, team_decision *decide, void *context);

#endif
