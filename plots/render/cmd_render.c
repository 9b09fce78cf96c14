/* `shoal render`: its options. */
#include <unistd.h>

#include "core/options/options.h"
#include "core/registry/command.h"
#include "core/registry/registry.h"
#include "plots/render/settings.h"

static const char *const view_words[] = {[FROM_ABOVE] = "map", [FROM_THE_SIDE] = "3d", NULL};

static const struct option options[] = {
    {"variable", "NAME", "depth, speed, level, or a variable of the file",
     TEXT_IN(struct settings, variable), .unset = "depth"},
    {"output", "PLACE", "a folder, a picture FILE.png or a film FILE.mp4",
     PATH_IN(struct settings, output), .unset = "here"},
    {"film", "FILE.mp4", "a film, too (without --output: only a film)",
     PATH_IN(struct settings, film)},
    {"fps", "N", "pictures a second in the film", NUMBER_IN(struct settings, fps, 1, 120),
     .initial = "25"},
    {"times", "LIST", "only these, in s: 10,20.5,last", TEXT_IN(struct settings, times)},
    {"every", "N", "only every N-th record, and the last", COUNT_IN(struct settings, every, 1, 1e9),
     .initial = "1"},
    {"range", "LOW,HIGH", "ends of the colours", TEXT_IN(struct settings, range),
     .unset = "all that occurs"},
    {"region", "X0,Y0,X1,Y1", "only this part of the domain, in m",
     TEXT_IN(struct settings, region)},
    {"size", "WxH", "of a picture in pixels", TEXT_IN(struct settings, size),
     .unset = "about 1280 wide"},
    {"title", "TEXT", "title above the picture", TEXT_IN(struct settings, title),
     .unset = "the case's"},
    {"dry", "METRES", "hides shallower water", NUMBER_IN(struct settings, dry, 0, 1e6),
     .unset = "0.01, speeds 0.05; or less"},
    {"cells", NULL, "shows cells as squares, as they are, not smooth",
     FLAG_IN(struct settings, cells)},
    {"tiles", NULL, "outlines the tiles that a sparse domain stored",
     FLAG_IN(struct settings, tiles)},
    {"view", "map|3d", "from above, or from the side", CHOICE_IN(struct settings, view, view_words),
     .initial = "map"},
    {"azimuth", "DEGREES", "3d: direction of the eye, 0 north, 90 east",
     NUMBER_IN(struct settings, azimuth, -360, 360), .initial = "205"},
    {"elevation", "DEGREES", "3d: its height angle", NUMBER_IN(struct settings, elevation, 5, 90),
     .initial = "35"},
    {"exaggeration", "N", "3d: heights are drawn N times as high",
     NUMBER_IN(struct settings, exaggeration, 0, 1e6), .unset = "a round number"},
    {.name = NULL},
};

static enum err cmd_render(const struct call *call)
{
    const char *file = call->word[0];
    if (find_case(file) && access(file, F_OK) != 0)
        FAIL(USAGE,
             "%s is a case: `shoal run %s --output FILE.nc` computes it, `shoal render FILE.nc` "
             "draws it",
             file, file);
    return render(call->settings, file);
}

const struct command command_render = {
    .name = "render",
    .arguments = "FILE",
    .title = "draws pictures and films of a result",
    .place = 11,
    .about = "Draws a result of `shoal run --output FILE.nc`, or terrain: a picture (PNG) of each\n"
             "record, with hill-shaded land and the water in colours that mean the same in all of\n"
             "them. Prints the files it wrote. One record becomes a picture, several\n"
             "become a folder of pictures; with --film, and ffmpeg, they become a film (H.264).",
    .examples = "  shoal run three-humps --output humps.nc --every 1\n"
                "  shoal render humps.nc --film humps.mp4\n"
                "  shoal render humps.nc --times 30 --output humps.png\n"
                "  shoal render humps.nc --variable speed --every 10 --output frames\n"
                "  shoal render humps.nc --region 20,-10,60,10 --range 0,1 --size 1920x1080 "
                "--output last.png\n"
                "  shoal render humps.nc --view 3d --azimuth 160 --film side.mp4",
    .options = options,
    .settings = sizeof(struct settings),
    .least = 1,
    .most = 1,
    .missing = "render needs a file that `shoal run --output` wrote; see `shoal render --help`",
    .run = cmd_render,
};
