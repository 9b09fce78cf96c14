/* `shoal db seal`, `retire`, `disown`, `remark`: what people add to the records of measurements; `join`. */
#include <stdio.h>
#include <string.h>

#include "core/options/arguments.h"
#include "core/registry/command.h"
#include "core/db/join.h"
#include "core/db/add_record.h"

enum { MOST = 256 };

struct saying {
    char why[DB_VALUE + 1];
    int all;
};

static const struct argument choices[] = {
    {"why", "TEXT", "the reason, one line, which stays in the record", WORD_IN(struct saying, why)},
    {"all", NULL, "every session that did not end (seal)", FLAG_IN(struct saying, all)},
};
enum { CHOICES = sizeof choices / sizeof *choices };

/* Sessions to be settled one after the other. */
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

static enum err say(const char *action, enum db_record_kind kind, int argc, char **argv)
{
    struct saying s = {.all = 0};
    const char *word[MOST];
    char folder[PATH_LENGTH];
    struct arguments a = {
        .command = "db", .table = choices, .count = CHOICES, .word = word, .most = MOST};
    TRY(arguments_read(&a, argc, argv, &s));
    struct round r = {.folder = folder, .why = s.why, .kind = kind};
    if (!*s.why)
        FAIL(USAGE, "db %s needs a reason that stays: --why TEXT", action);
    if (s.all && kind != DB_RECORD_FOUND)
        FAIL(USAGE, "--all is for db seal: name each session");
    if (a.words == 0 && !s.all)
        FAIL(USAGE, "db %s needs a session, such as 5f3a90c1: rows name theirs", action);
    TRY(paths_database(folder));
    for (int k = 0; k < a.words; k++)
        TRY(settle_one(&r, word[k]));
    return s.all ? db_unsettled(folder, settle_one, &r) : ERR_OK;
}

static enum err cmd_seal(int argc, char **argv)
{
    return say("seal", DB_RECORD_FOUND, argc, argv);
}

static enum err cmd_retire(int argc, char **argv)
{
    return say("retire", DB_RECORD_RETIRED, argc, argv);
}

static enum err cmd_disown(int argc, char **argv)
{
    return say("disown", DB_RECORD_DISOWNED, argc, argv);
}

static enum err cmd_remark(int argc, char **argv)
{
    return say("remark", DB_RECORD_REMARK, argc, argv);
}

static enum err cmd_join(int argc, char **argv)
{
    char folder[PATH_LENGTH];
    if (argc != 1)
        FAIL(USAGE, "db join takes one folder, that of the other database");
    TRY(paths_database(folder));
    TRY(db_join(folder, argv[0]));
    printf("%s: joined\n", argv[0]);
    return ERR_OK;
}

static void cmd_join_help(void)
{
    puts("usage: shoal db join FOLDER\n"
         "\n"
         "Adds what the database in FOLDER has, of another clone for example: the union of both, "
         "in\n"
         "whichever order. Where git cannot merge a manifest, take one side's whole database and "
         "join\n"
         "the other's.\n"
         "\n"
         "example:\n"
         "  git worktree add theirs other-branch && shoal db join theirs/tuning_db");
}

static void cmd_seal_help(void)
{
    puts("usage: shoal db seal SESSION... --why TEXT\n"
         "\n"
         "Ends a measurement that did not end, with the rows that it has: its record holds their\n"
         "digest and says that it was taken later, and why. Nothing is added to it any more.\n"
         "\n"
         "options:");
    arguments_help(choices, CHOICES);
    puts("\nexample:\n"
         "  shoal db seal 5f3a90c1 --why 'stopped after 20 of 30 points, which stand'");
}

static void cmd_retire_help(void)
{
    puts("usage: shoal db retire SESSION... --why TEXT\n"
         "\n"
         "Takes the rows of a measurement out of the tables. Its members, their digest and the "
         "reason\n"
         "stay in the manifest, and git keeps the rows. Of a measurement whose rows are gone "
         "already\n"
         "the record is about those that git has.\n"
         "\n"
         "example:\n"
         "  shoal db retire 5f3a90c1 --why 'another program used the GPU at the time'");
}

static void cmd_disown_help(void)
{
    puts("usage: shoal db disown SESSION... --why TEXT\n"
         "\n"
         "Records that rows which git has under a measurement's name, and which the tables have "
         "not,\n"
         "were never its own. Those in the tables stay.\n"
         "\n"
         "example:\n"
         "  shoal db disown 5f3a90c1 --why 'another program measured them, two days later'");
}

static void cmd_remark_help(void)
{
    puts("usage: shoal db remark SESSION... --why TEXT\n"
         "\n"
         "Adds a record that says what is to be known of a measurement, an audit for example.\n"
         "\n"
         "example:\n"
         "  shoal db remark 5f3a90c1 --why 'measured again by hand: within 0.3 percent'");
}

const struct command db_action_seal = {
    .name = "seal",
    .arguments = "SESSION --why TEXT",
    .title = "ends a measurement that did not end",
    .place = 3,
    .run = cmd_seal,
    .help = cmd_seal_help,
};

const struct command db_action_retire = {
    .name = "retire",
    .arguments = "SESSION --why TEXT",
    .title = "takes a measurement out, and says why",
    .place = 4,
    .run = cmd_retire,
    .help = cmd_retire_help,
};

const struct command db_action_disown = {
    .name = "disown",
    .arguments = "SESSION --why TEXT",
    .title = "rows that were never the measurement's own",
    .place = 5,
    .run = cmd_disown,
    .help = cmd_disown_help,
};

const struct command db_action_remark = {
    .name = "remark",
    .arguments = "SESSION --why TEXT",
    .title = "what is to be known of a measurement",
    .place = 6,
    .run = cmd_remark,
    .help = cmd_remark_help,
};

const struct command db_action_join = {
    .name = "join",
    .arguments = "FOLDER",
    .title = "the union with another database",
    .place = 7,
    .run = cmd_join,
    .help = cmd_join_help,
};
