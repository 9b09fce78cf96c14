/* `shoal render`: its options. */
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "core/options/arguments.h"
#include "core/registry/command.h"
#include "core/registry/registry.h"
#include "plots/render/settings.h"

static const struct argument choices[] = {
    {"variable", "NAME", "depth, speed, level, or a variable of the file; default: depth",
     WORD_IN(struct settings, variable)},
    {"output", "PLACE", "a folder, a picture FILE.png or a film FILE.mp4; default: here",
     WORD_IN(struct settings, output)},
    {"film", "FILE.mp4", "a film, too (without --output: a film alone)",
     WORD_IN(struct settings, film)},
    {"fps", "N", "pictures a second in the film; default: 25",
     REAL_IN(struct settings, fps, 1, 120)},
    {"times", "LIST", "only these, in s: 10,20.5,last", WORD_IN(struct settings, times)},
    {"every", "N", "only every N-th record, and the last",
     NUMBER_IN(struct settings, every, 1, 1e9)},
    {"range", "LOW,HIGH", "ends of the colours; default: all that occurs",
     WORD_IN(struct settings, range)},
    {"region", "X0,Y0,X1,Y1", "only this part of the domain, in m",
     WORD_IN(struct settings, region)},
    {"size", "WxH", "of a picture in pixels; default: about 1280 wide",
     WORD_IN(struct settings, size)},
    {"title", "TEXT", "stands above the picture; default: the case's",
     WORD_IN(struct settings, title)},
    {"dry", "METRES", "less water is not shown; default: 0.01, or less where all is shallow",
     REAL_IN(struct settings, dry, 0, 1e6)},
    {"cells", "", "shows cells as squares, as they are; default: smooth",
     FLAG_IN(struct settings, cells)},
    {"view", "map|3d", "from above, or from the side; default: map",
     WORD_IN(struct settings, view)},
    {"azimuth", "DEGREES", "3d: where the eye stands, 0 north, 90 east; default: 205",
     REAL_IN(struct settings, azimuth, -360, 360)},
    {"elevation", "DEGREES", "3d: how high it stands; default: 35",
     REAL_IN(struct settings, elevation, 5, 90)},
    {"exaggeration", "N", "3d: heights are drawn N times as high; default: a round number",
     REAL_IN(struct settings, exaggeration, 0, 1e6)},
};
enum { CHOICES = sizeof choices / sizeof *choices };

static void cmd_render_help(void)
{
    puts("usage: shoal render FILE.nc [options]\n"
         "\n"
         "Draws what `shoal run --output FILE.nc` wrote: a picture (PNG) of each record, with the "
         "land\n"
         "hill-shaded and the water in colours that mean the same in all of them. Prints the files "
         "it\n"
         "wrote. One record becomes a picture, several become a folder of pictures; with --film, "
         "and\n"
         "ffmpeg, they become a film (H.264).\n"
         "\n"
         "options:");
    arguments_help(choices, CHOICES);
    puts("\n"
         "examples:\n"
         "  shoal run three-humps --output humps.nc --every 1\n"
         "  shoal render humps.nc --film humps.mp4\n"
         "  shoal render humps.nc --times 30 --output humps.png\n"
         "  shoal render humps.nc --variable speed --every 10 --output frames\n"
         "  shoal render humps.nc --region 20,-10,60,10 --range 0,1 --size 1920x1080 --output "
         "last.png\n"
         "  shoal render humps.nc --view 3d --azimuth 160 --film side.mp4");
}

static enum err cmd_render(int argc, char **argv)
{
    static struct settings s;
    const char *word[1];
    struct arguments a = {
        .command = "render", .table = choices, .count = CHOICES, .word = word, .most = 1};
    s = (struct settings){
        .every = 1, .fps = 25, .dry = (double)NAN, .azimuth = 205, .elevation = 35};
    TRY(arguments_read(&a, argc, argv, &s));
    if (a.words != 1)
        FAIL(USAGE, "render takes a file that `shoal run --output` wrote; `shoal render --help` "
                    "explains all");
    if (find_case(word[0]) && access(word[0], F_OK) != 0)
        FAIL(USAGE,
             "%s is a case: `shoal run %s --output FILE.nc` computes it, `shoal render FILE.nc` "
             "draws it",
             word[0], word[0]);
    return render(&s, word[0]);
}

const struct command command_render = {
    .name = "render",
    .arguments = "FILE.nc",
    .title = "draws pictures and films of a result",
    .place = 11,
    .run = cmd_render,
    .help = cmd_render_help,
};
