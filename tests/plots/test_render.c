/* `shoal render` as users run it: which files appear, and the messages about mistakes. */
#include "tests/support/test.h"
#include "tests/support/need_gnuplot.h"

#ifdef HAVE_NETCDF

#include <dirent.h>
#include <signal.h>

#include "core/picture/gnuplot.h"
#include "tests/support/film.h"

#define SMALL "--size", "320x200"

static int build(void **state)
{
    (void)state;
    scratch_create();
    write_film((struct film_file){0});
    return program_find();
}

/* A PNG's size, from its header. */
static void assert_png(const char *name, unsigned width, unsigned height)
{
    unsigned char head[24] = {0};
    char path[PATH_LENGTH];
    scratch_path(path, name);
    FILE *f = fopen(path, "rb");
    if (!f)
        fail_msg("there is no %s", name);
    assert_int_equal(fread(head, 1, sizeof head, f), sizeof head);
    fclose(f);
    assert_memory_equal(head, "\x89PNG\r\n\x1a\n", 8);
    assert_int_equal(head[18] << 8 | head[19], width);
    assert_int_equal(head[22] << 8 | head[23], height);
}

/* Are the pixels of two pictures the same? */
static int same(const char *a, const char *b)
{
    static unsigned char bytes[2][1 << 20];
    size_t n[2];
    const char *const name[2] = {a, b};
    for (int k = 0; k < 2; k++) {
        char path[PATH_LENGTH];
        scratch_path(path, name[k]);
        FILE *f = fopen(path, "rb");
        assert_non_null(f);
        n[k] = fread(bytes[k], 1, sizeof bytes[k], f);
        fclose(f);
    }
    return n[0] == n[1] && memcmp(bytes[0], bytes[1], n[0]) == 0;
}

/* How many entries of a folder have this part in their names. */
static int entries(const char *folder, const char *part)
{
    int n = 0;
    char path[PATH_LENGTH];
    scratch_path(path, folder);
    DIR *d = opendir(path);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));)
        n += e->d_name[0] != '.' && strstr(e->d_name, part);
    closedir(d);
    return n;
}

static void each_record_becomes_a_picture_in_a_folder(void **state)
{
    (void)state;
    need_gnuplot();
    SHOAL("render", "result.nc", SMALL);
    ASSERT_STATUS(0);
    assert_string_equal(result.out, "result-depth/result-depth-0000.png ... "
                                    "result-depth/result-depth-0002.png\n");
    assert_int_equal(entries("result-depth", ""), RECORDS);
    assert_png("result-depth/result-depth-0001.png", 320, 200);
    assert_false(same("result-depth/result-depth-0000.png", "result-depth/result-depth-0001.png"));
    assert_int_equal(entries(".", "tmp"), 0);
}

static void a_picture_shows_the_last_record_or_the_one_asked_for(void **state)
{
    (void)state;
    need_gnuplot();
    SHOAL("render", "result.nc", SMALL, "--range", "0,4", "--output", "last.png");
    ASSERT_STATUS(0);
    assert_string_equal(result.out, "last.png\n");
    ASSERT_HAS(result.err, "the last of 3 records");
    SHOAL("render", "result.nc", SMALL, "--range", "0,4", "--times", "121", "--output", "at.png");
    ASSERT_STATUS(0);
    assert_true(same("last.png", "at.png"));
    SHOAL("render", "result.nc", SMALL, "--range", "0,4", "--times", "60", "--output", "at.png");
    ASSERT_STATUS(0);
    assert_false(same("last.png", "at.png"));
    SHOAL("render", "result.nc", "--size", "321x201", "--view", "3d", "--output", "side.png");
    ASSERT_STATUS(0);
    assert_png("side.png", 320, 200);
}

static void a_file_stored_upside_down_gives_the_same_picture(void **state)
{
    (void)state;
    need_gnuplot();
    write_film((struct film_file){.name = "down.nc", .upside_down = 1});
    SHOAL("render", "result.nc", SMALL, "--variable", "speed", "--output", "up.png");
    ASSERT_STATUS(0);
    SHOAL("render", "down.nc", SMALL, "--variable", "speed", "--output", "down.png");
    ASSERT_STATUS(0);
    assert_true(same("up.png", "down.png"));
}

/* Far from zero its labels are longer, and a bar shows the length of a hundred metres. */
static void terrain_is_drawn_as_it_is(void **state)
{
    (void)state;
    static const char *const corner[] = {"xllcorner 0\nyllcorner 0\n",
                                         "xllcorner 513400\nyllcorner 5402800\n"};
    need_gnuplot();
    for (int k = 0; k < 2; k++) {
        scratch_write("land.asc", "w", "ncols 4\nnrows 3\ncellsize 100\n");
        scratch_write("land.asc", "a", corner[k]);
        scratch_write("land.asc", "a", "5 6 7 8\n4 5 -9999 7\n3 4 5 9\n");
        SHOAL("render", "land.asc");
        ASSERT_STATUS(0);
        assert_string_equal(result.out, "land-bed.png\n");
        assert_png("land-bed.png", k ? 1280 : 1274, k ? 902 : 920);
    }
    SHOAL("render", "land.asc", "--variable", "depth");
    ASSERT_STATUS(2);
}

static void maxima_have_one_picture_each(void **state)
{
    (void)state;
    need_gnuplot();
    write_film((struct film_file){.name = "maxima.nc", .maxima_only = 1});
    SHOAL("render", "maxima.nc", SMALL);
    ASSERT_STATUS(0);
    assert_string_equal(result.out, "maxima-h_max.png\n");
    SHOAL("render", "result.nc", SMALL, "--variable", "arrival_time");
    ASSERT_STATUS(0);
    assert_string_equal(result.out, "result-arrival_time.png\n");
    assert_png("result-arrival_time.png", 320, 200);
}

/* Texts of a file must be drawn as they are, and never executed by gnuplot or others. */
static void nothing_in_a_file_or_its_name_is_a_command(void **state)
{
    static const char nasty[] = "it's `touch HACK1` $(touch HACK2) \"\n!touch HACK3\n"
                                "system('touch HACK4')\n' ; set output 'HACK5' #\\\n@HACK \xff{";
    static const char name[] = "a'`touch HACK6`;$(touch HACK7)|%d.nc";
    (void)state;
    need_gnuplot();
    write_film((struct film_file){.name = name, .flow_case = nasty, .title = nasty});
    SHOAL("render", name, SMALL, "--variable", "extra", "--output", "|touch HACK8.png");
    ASSERT_STATUS(0);
    assert_png("|touch HACK8.png", 320, 200);
    SHOAL("render", name, SMALL, "--every", "2", "--title", nasty);
    ASSERT_STATUS(0);
    assert_int_equal(entries(".", "HACK") - entries(".", "HACK8.png") - entries(".", "HACK6"), 0);
    assert_int_equal(entries("a'`touch HACK6`;$(touch HACK7)|%d-depth", "HACK"), 2);
}

struct mistake {
    int status;
    const char *said, *words[6];
};

static void mistakes_are_named_and_leave_nothing(void **state)
{
    static const struct mistake all[] = {
        {2, "needs a file", {NULL}},
        {2, "cannot be read", {"absent.nc"}},
        {2, "is not a netCDF file", {"text.nc"}},
        {2,
         "expected one of depth, speed, level, bed, extra, h_max, arrival_time, h, hu, hv, got "
         "'deep'",
         {"result.nc", "--variable", "deep"}},
        {2,
         "there is no record at 300 s: result.nc has 3 from 0 to 120 s",
         {"result.nc", "--times", "60,300"}},
        {2, "expected a time in seconds or 'last', got 'soon'", {"result.nc", "--times", "soon"}},
        {2,
         "arrival_time does not change",
         {"result.nc", "--variable", "arrival_time", "--times", "1"}},
        {2, "2 records do not fit", {"result.nc", "--times", "0,60", "--output", "a.png"}},
        {2, "LOW,HIGH", {"result.nc", "--range", "3,1"}},
        {2, "X0,Y0,X1,Y1", {"result.nc", "--region", "1,2,3"}},
        {2, "x from 0 to 240, y from 0 to 120", {"result.nc", "--region", "900,0,999,9"}},
        {2, "WIDTHxHEIGHT", {"result.nc", "--size", "40x40"}},
        {2, "does not exist", {"result.nc", "--output", "no/where"}},
        {2, "does not exist", {"result.nc", "--output", "no/where.png"}},
        {2, "is not a folder", {"result.nc", "--output", "text.nc/"}},
        {2, "pictures are .png", {"result.nc", "--output", "a.jpg"}},
        {2, "two records at least", {"result.nc", "--times", "0", "--film", "a.mp4"}},
        {2, "one picture", {"result.nc", "--output", "a.png", "--film", "a.mp4"}},
        {2, "unknown value 'side'", {"result.nc", "--view", "side"}},
        {2, "unknown option", {"result.nc", "--colour", "red"}},
    };
    (void)state;
    scratch_write("text.nc", "w", "no netCDF\n");
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        const char *words[8] = {"render"};
        for (int m = 0; m < 6; m++)
            words[m + 1] = all[k].words[m];
        program_run(words);
        ASSERT_STATUS(all[k].status);
        ASSERT_HAS(result.err, all[k].said);
    }
    assert_int_equal(entries(".", ""), 4); /* the two files, and what the program printed */
}

static char usual_path[PATH_LENGTH];

/* A program in the scratch folder that is found before any other; "" only makes the folder. With `alone` no other
 * program is found. */
static void stand_in(const char *name, const char *script, int alone)
{
    char path[PATH_LENGTH], all[2 * PATH_LENGTH], relative[64];
    scratch_path(path, "bin");
    mkdir(path, 0700);
    snprintf(all, sizeof all, alone ? "%s" : "%s:%s", path, usual_path);
    setenv("PATH", all, 1);
    if (!*name)
        return;
    snprintf(relative, sizeof relative, "bin/%s", name);
    scratch_write(relative, "w", script);
    scratch_path(path, relative);
    assert_int_equal(chmod(path, 0700), 0);
}

static int build_with_path(void **state)
{
    snprintf(usual_path, sizeof usual_path, "%s", getenv("PATH"));
    return build(state);
}

static int remove_with_path(void **state)
{
    setenv("PATH", usual_path, 1);
    return scratch_remove(state);
}

static void what_is_not_installed_is_named_with_its_package(void **state)
{
    (void)state;
    stand_in("", "", 1);
    SHOAL("render", "result.nc", "--film", "a.mp4");
    ASSERT_STATUS(3);
    ASSERT_HAS(result.err, "a film needs ffmpeg: ffmpeg cannot be started");
    ASSERT_HAS(result.err, "package ffmpeg");
    SHOAL("render", "result.nc");
    ASSERT_STATUS(3);
    ASSERT_HAS(result.err, "package gnuplot-nox");
    assert_int_equal(entries(".", ""), 4); /* the file, bin, what was printed */
}

/* Stand-ins: every picture consists of these bytes, as printf takes them; what ffmpeg does when it should make a
 * film. */
#define PICTURES(bytes)                                                 \
    "#!/bin/sh\nLC_ALL=C sed -n \"s/^set output '\\(.*\\)'/\\1/p\" |\n" \
    "while read -r name; do printf '" bytes "' >\"$name\"; done\n"
#define WHOLE_PICTURES PICTURES("\\0\\0\\0\\0IEND\\256B`\\202")
#define FFMPEG(does)   "#!/bin/sh\ncase \"$*\" in *-version) exit 0;; esac\n" does
#define WHOLE_FILM     "\\0\\0\\0\\010ftyp\\0\\0\\0\\1mdat\\0\\0\\0\\0\\0\\0\\0\\021.\\0\\0\\0\\010moov"

static void what_gnuplot_or_ffmpeg_complain_of_is_told_and_nothing_is_left(void **state)
{
    (void)state;
    stand_in("gnuplot", "#!/bin/sh\necho no such terminal >&2\nexit 1\n", 0);
    SHOAL("render", "result.nc", "--output", "a.png");
    ASSERT_STATUS(3);
    ASSERT_HAS(result.err, "gnuplot failed: no such terminal");
    stand_in("gnuplot", WHOLE_PICTURES, 0);
    stand_in("ffmpeg", FFMPEG("echo unknown encoder >&2\nexit 1\n"), 0);
    SHOAL("render", "result.nc", "--film", "a.mp4", "--output", "frames");
    ASSERT_STATUS(3);
    ASSERT_HAS(result.err, "ffmpeg failed: unknown encoder");
    assert_int_equal(entries(".", ""), 4);
}

/* Neither program reports a full disk. */
static void what_gnuplot_or_ffmpeg_wrote_in_part_is_not_kept(void **state)
{
    static const char *const films[] = {"", "\\0\\0\\0\\020ftypmp42....\\0\\0\\0\\030moov....",
                                        "\\0\\0\\0\\020ftypmp42....", "\\0\\0\\0\\0ftypmp42...."};
    char script[256];
    (void)state;
    stand_in("gnuplot", PICTURES("\\211PNG\\r\\n\\032\\nIHDR"), 0);
    SHOAL("render", "result.nc", "--output", "a.png");
    ASSERT_STATUS(3);
    ASSERT_HAS(result.err, "cannot write 'a.png': gnuplot did not write all of a picture");
    SHOAL("render", "result.nc", "--output", "frames");
    ASSERT_STATUS(3);
    ASSERT_HAS(result.err, "cannot write 'frames/result-depth-0000.png': gnuplot did not");
    stand_in("gnuplot", WHOLE_PICTURES, 0);
    for (size_t k = 0; k < sizeof films / sizeof *films; k++) {
        snprintf(script, sizeof script, FFMPEG("printf '%s' >film.mp4\n"), films[k]);
        stand_in("ffmpeg", script, 0);
        SHOAL("render", "result.nc", "--film", "a.mp4");
        ASSERT_STATUS(3);
        ASSERT_HAS(result.err, "cannot write 'a.mp4': ffmpeg did not write all of it");
    }
    assert_int_equal(entries(".", ""), 4); /* the file, bin, what was printed */
    stand_in("ffmpeg", FFMPEG("printf '" WHOLE_FILM "' >film.mp4\n"), 0);
    SHOAL("render", "result.nc", "--film", "a.mp4");
    ASSERT_STATUS(0);
}

static void a_signal_ends_it_and_what_it_started_and_leaves_nothing(void **state)
{
    const char *const words[] = {"render", "result.nc", NULL};
    (void)state;
    stand_in("gnuplot", "#!/bin/sh\necho $$ >../../pid\nexec sleep 60\n", 0);
    const pid_t pid = program_start(-1, words);
    while (entries(".", "pid") == 0)
        usleep(1000);
    usleep(20000);
    assert_int_equal(kill(pid, SIGINT), 0);
    program_end(pid);
    ASSERT_STATUS(5);
    ASSERT_HAS(result.err, "stopped by a signal: no pictures were kept");
    program_read("pid", result.out);
    assert_int_not_equal(kill((pid_t)strtol(result.out, NULL, 10), 0), 0);
    assert_int_equal(entries(".", ""), 5); /* the file, bin, pid, what was printed */
}

static void a_film_is_there_as_a_whole(void **state)
{
    char head[12] = "", path[PATH_LENGTH];
    (void)state;
    need_gnuplot();
    if (system("command -v ffmpeg >/dev/null") != 0) {
        print_message("skipped: there is no ffmpeg\n");
        skip();
    }
    SHOAL("render", "result.nc", SMALL, "--output", "a b.mp4", "--fps", "5");
    ASSERT_STATUS(0);
    assert_string_equal(result.out, "a b.mp4\n");
    scratch_path(path, "a b.mp4");
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_int_equal(fread(head, 1, sizeof head, f), sizeof head);
    fclose(f);
    assert_memory_equal(head + 4, "ftyp", 4);
    assert_int_equal(entries(".", ""), 4); /* no pictures */
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, build_with_path, remove_with_path)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_SCRATCH(each_record_becomes_a_picture_in_a_folder),
        IN_SCRATCH(a_picture_shows_the_last_record_or_the_one_asked_for),
        IN_SCRATCH(a_file_stored_upside_down_gives_the_same_picture),
        IN_SCRATCH(terrain_is_drawn_as_it_is),
        IN_SCRATCH(maxima_have_one_picture_each),
        IN_SCRATCH(nothing_in_a_file_or_its_name_is_a_command),
        IN_SCRATCH(mistakes_are_named_and_leave_nothing),
        IN_SCRATCH(what_is_not_installed_is_named_with_its_package),
        IN_SCRATCH(what_gnuplot_or_ffmpeg_complain_of_is_told_and_nothing_is_left),
        IN_SCRATCH(what_gnuplot_or_ffmpeg_wrote_in_part_is_not_kept),
        IN_SCRATCH(a_signal_ends_it_and_what_it_started_and_leaves_nothing),
        IN_SCRATCH(a_film_is_there_as_a_whole),
    };
    return cmocka_run_group_tests_name("render", tests, NULL, NULL);
}

#else

static void nothing_can_be_drawn_without_netcdf(void **state)
{
    (void)state;
    print_message("skipped: this build has no netCDF\n");
    skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_can_be_drawn_without_netcdf)};
    return cmocka_run_group_tests_name("render", tests, NULL, NULL);
}

#endif
