/* `shoal db seal`, `retire`, `disown`, `remark`: records that people add to measurements; `join`. */
#include <stdio.h>
#include <string.h>

#include "core/options/options.h"
#include "core/registry/command.h"
#include "core/db/join.h"
#include "core/db/own.h"
#include "core/db/add_record.h"

enum { MOST = 256 };

struct saying {
    char why[DB_VALUE + 1];
    int all;
};

#define WHY                                                                                    \
    {                                                                                          \
        "why", "TEXT", "the reason, one line, kept in the record", TEXT_IN(struct saying, why) \
    }
static const struct option options[] = {WHY, {.name = NULL}};
static const struct option seal_options[] = {
    WHY,
    {"all", NULL, "every unfinished session", FLAG_IN(struct saying, all)},
    {.name = NULL},
};

static const char no_session[] = "name a session, such as 5f3a90c1: rows name theirs";

/* Sessions to process one after the other. */
struct round {
    const char *folder, *why;
    enum db_record_kind kind;
    int count;
};

static enum err settle_one(void *context, const char *session)
{
    struct round *r = context;
    TRY(db_settle(r->folder, session, r->kind, r->why));
    printf("%s: %s\n", session, db_record_kinds[r->kind]);
    r->count++;
    return ERR_OK;
}

static enum err settle_all(const char *action, enum db_record_kind kind, const struct call *call)
{
    const struct saying *s = call->settings;
    char folder[PATH_LENGTH];
    struct round r = {.folder = folder, .why = s->why, .kind = kind};
    if (!*s->why)
        FAIL(USAGE, "db %s needs a reason for the record: --why TEXT", action);
    if (call->words == 0 && !s->all)
        FAIL(USAGE, "%s", no_session);
    TRY(db_own(folder));
    for (int k = 0; k < call->words; k++)
        TRY(settle_one(&r, call->word[k]));
    return s->all ? db_unsettled(folder, settle_one, &r) : ERR_OK;
}

static enum err cmd_seal(const struct call *call)
{
    return settle_all("seal", DB_RECORD_FOUND, call);
}

static enum err cmd_retire(const struct call *call)
{
    return settle_all("retire", DB_RECORD_RETIRED, call);
}

static enum err cmd_disown(const struct call *call)
{
    return settle_all("disown", DB_RECORD_DISOWNED, call);
}

static enum err cmd_remark(const struct call *call)
{
    return settle_all("remark", DB_RECORD_REMARK, call);
}

static enum err cmd_join(const struct call *call)
{
    char folder[PATH_LENGTH];
    TRY(db_own(folder));
    TRY(db_join(folder, call->word[0]));
    printf("%s: joined\n", call->word[0]);
    return ERR_OK;
}

const struct command db_action_seal = {
    .name = "seal",
    .arguments = "SESSION... --why TEXT",
    .title = "ends an unfinished measurement",
    .place = 3,
    .about = "Ends an unfinished measurement with the rows that it has: its record holds their\n"
             "digest and says that it was made later, and why. Nothing can be added afterwards.",
    .examples = "  shoal db seal 5f3a90c1 --why 'stopped after 20 of 30 points, which stand'",
    .options = seal_options,
    .settings = sizeof(struct saying),
    .most = MOST,
    .run = cmd_seal,
};

const struct command db_action_retire = {
    .name = "retire",
    .arguments = "SESSION... --why TEXT",
    .title = "takes a measurement out, with the reason",
    .place = 4,
    .about = "Takes the rows of a measurement out of the tables. Its members, their digest and\n"
             "the reason stay in the manifest, and git keeps the rows. If the rows are already\n"
             "gone the record refers to those in git.",
    .examples = "  shoal db retire 5f3a90c1 --why 'another program used the GPU at the time'",
    .options = options,
    .settings = sizeof(struct saying),
    .least = 1,
    .most = MOST,
    .missing = no_session,
    .run = cmd_retire,
};

const struct command db_action_disown = {
    .name = "disown",
    .arguments = "SESSION... --why TEXT",
    .title = "rows that were never the measurement's own",
    .place = 5,
    .about = "Records that rows which git has under a measurement's name, and which the tables\n"
             "lack, were never its own. Rows in the tables stay.",
    .examples = "  shoal db disown 5f3a90c1 --why 'another program measured them, two days later'",
    .options = options,
    .settings = sizeof(struct saying),
    .least = 1,
    .most = MOST,
    .missing = no_session,
    .run = cmd_disown,
};

const struct command db_action_remark = {
    .name = "remark",
    .arguments = "SESSION... --why TEXT",
    .title = "adds a note to a measurement",
    .place = 6,
    .about = "Adds a record with a note about a measurement, an audit for example.",
    .examples = "  shoal db remark 5f3a90c1 --why 'measured again by hand: within 0.3 percent'",
    .options = options,
    .settings = sizeof(struct saying),
    .least = 1,
    .most = MOST,
    .missing = no_session,
    .run = cmd_remark,
};

const struct command db_action_join = {
    .name = "join",
    .arguments = "FOLDER",
    .title = "merges another database",
    .place = 7,
    .about = "Merges the database in FOLDER, another clone's for example, into this one, in any\n"
             "order. If git cannot merge a manifest, take one side's whole database and join the\n"
             "other's.",
    .examples = "  git worktree add theirs other-branch && shoal db join theirs/tuning_db",
    .least = 1,
    .most = 1,
    .missing = "db join needs one folder, that of the other database",
    .run = cmd_join,
};
