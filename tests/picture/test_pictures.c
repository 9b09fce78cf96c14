/* The elements of pictures: colours, hill shades, times, scales, and where a map is wet. */
#include "tests/support/test.h"

#include <math.h>

#include "core/picture/tile_outlines.h"
#include "core/picture/colour_map.h"
#include "core/picture/hill_shading.h"
#include "plots/render/map.h"
#include "plots/render/page.h"
#include "plots/render/scale.h"
#include "plots/render/times.h"
#include "tests/support/near.h"

static double lightness(enum colour_map map, double x)
{
    return (double)colour_lightness(colour_map_at(map, (float)x));
}

static void assert_colour(struct colour c, unsigned hex)
{
    const unsigned got = (unsigned)colour_byte(c.r) << 16 | (unsigned)colour_byte(c.g) << 8 |
                         (unsigned)colour_byte(c.b);
    if (got != hex)
        fail_msg("#%06x, not #%06x", got, hex);
}

static void colour_maps_end_where_they_should(void **state)
{
    (void)state;
    assert_colour(colour_map_at(MAP_DEPTH, 0), 0xd3ecf4);
    assert_colour(colour_map_at(MAP_DEPTH, 1), 0x1b2a6b);
    assert_colour(colour_map_at(MAP_DEPTH, 7), 0x1b2a6b);
    assert_colour(colour_map_at(MAP_DEPTH, -INFINITY), 0xd3ecf4);
    assert_colour(colour_map_at(MAP_DEPTH, NAN), 0xd3ecf4);
    assert_colour(colour_map_at(MAP_SIGNED, 0.5f), 0xf4f3f0);
}

/* Every map except that of the land is read by its lightness: it falls, or rises, all the way, by at most three times
 * as much in one twentieth as in another. */
static void lightness_alone_tells_colours_apart(void **state)
{
    enum { PARTS = 20 };
    (void)state;
    for (enum colour_map map = MAP_DEPTH; map < MAP_LAND; map++) {
        double least = 1, most = 0;
        const double way = lightness(map, map == MAP_SIGNED ? 0.5 : 1) - lightness(map, 0);
        for (int k = 0; k < PARTS; k++) {
            const double from = lightness(map, (double)k / PARTS),
                         to = lightness(map, (k + 1.0) / PARTS);
            const int up = map == MAP_SIGNED ? k < PARTS / 2 : way > 0;
            if (!(up ? to > from : to < from))
                fail_msg("map %d: %g, then %g in part %d", (int)map, from, to, k);
            least = fmin(least, fabs(to - from));
            most = fmax(most, fabs(to - from));
        }
        if (map != MAP_SIGNED && most > 3 * least)
            fail_msg("map %d: steps from %g to %g", (int)map, least, most);
    }
}

enum { SIDE = 9 };

/* Brightness in the middle of a plane that rises by sx and sy per cell. */
static double light_of(double sx, double sy, double stretch)
{
    float z[SIDE * SIDE], light[SIDE * SIDE];
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++)
            z[j * SIDE + i] = (float)(sx * i + sy * j);
    hill_shading_shade(z, SIDE, SIDE, 1, 1, stretch, light);
    assert_true(fabsf(light[0] - light[SIDE * SIDE / 2]) < 1e-5f); /* at the rim, too */
    return (double)light[SIDE * SIDE / 2];
}

static void slopes_towards_the_north_west_are_bright(void **state)
{
    (void)state;
    ASSERT_NEAR(light_of(0, 0, 1), 1, 1e-6);
    assert_true(light_of(0.3, -0.3, 1) > 1.1);               /* rises to the south-east */
    assert_true(light_of(-0.3, 0.3, 1) < 0.8);               /* faces the south-east */
    assert_true(light_of(0, -0.3, 1) > light_of(0, 0.3, 1)); /* faces north, south */
    ASSERT_NEAR(light_of(0.03, -0.03, 10), light_of(0.3, -0.3, 1), 1e-5);
}

static void flat_land_is_stretched_more_than_steep_land(void **state)
{
    float flat[SIDE * SIDE], steep[SIDE * SIDE];
    (void)state;
    for (int k = 0; k < SIDE * SIDE; k++) {
        flat[k] = 0.001f * (float)(k % SIDE);
        steep[k] = 100 * flat[k];
    }
    const double much = hill_shading_stretch(flat, SIDE, SIDE, 1, 1);
    ASSERT_NEAR(much / hill_shading_stretch(steep, SIDE, SIDE, 1, 1), 100, 1);
    ASSERT_NEAR(much * 0.001, 0.6, 0.01);
    memset(flat, 0, sizeof flat);
    assert_true(hill_shading_stretch(flat, SIDE, SIDE, 1, 1) == 0);
}

static void times_are_written_as_hours_minutes_and_seconds(void **state)
{
    static const struct {
        double t;
        int decimals;
        const char *text;
    } all[] = {{0, 0, "0:00:00"},       {59.6, 0, "0:01:00"},     {3599.999, 2, "1:00:00.00"},
               {1.25, 2, "0:00:01.25"}, {360000, 0, "100:00:00"}, {-75, 0, "-0:01:15"}};
    char text[TIME_TEXT];
    (void)state;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        time_text(all[k].t, all[k].decimals, text);
        assert_string_equal(text, all[k].text);
    }
}

/* Records of 10 s, each as late as the last step was long. */
static struct ncrecords late_records(void)
{
    static double t[] = {0, 10.02, 20.01, 30.03, 40};
    return (struct ncrecords){.path = "file", .records = 5, .time = t};
}

static void records_are_chosen_by_time_and_by_number(void **state)
{
    static const struct {
        const char *list;
        int every, count;
        size_t record[5];
        int decimals;
    } all[] = {{"", 1, 5, {0, 1, 2, 3, 4}, 0},
               {"", 3, 3, {0, 3, 4}, 0},
               {"30,10,10", 1, 2, {1, 3}, 0},
               {"last", 1, 1, {4}, 0},
               {"10", 1, 1, {1}, 1}};
    const struct ncrecords r = late_records();
    struct chosen c;
    (void)state;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        assert_int_equal(chosen_find(&c, &r, all[k].list, all[k].every), ERR_OK);
        assert_int_equal(c.count, all[k].count);
        assert_memory_equal(c.record, all[k].record, (size_t)c.count * sizeof *c.record);
        assert_int_equal(c.decimals, all[k].decimals);
        chosen_free(&c);
    }
    assert_int_equal(chosen_find(&c, &r, "46", 1), ERR_USAGE);
    assert_int_equal(chosen_find(&c, &r, "10,,20", 1), ERR_USAGE);
}

static void text_for_a_page_is_clean(void **state)
{
    char text[] = "a\n\tb\x1b[2J\xc3\xbc\xff\xc0\xafz";
    (void)state;
    page_clean(text);
    assert_string_equal(text, "a  b [2J\xc3\xbc???z");
}

static void a_page_is_even_and_its_map_has_the_domains_shape(void **state)
{
    static const int sizes[][2] = {{0, 0}, {1920, 1080}, {400, 300}};
    (void)state;
    for (int k = 0; k < 3; k++) {
        struct page p = {.width = sizes[k][0], .height = sizes[k][1], .axes = 1};
        page_lay_out(&p, 300, 200);
        assert_int_equal(p.width % 2 + p.height % 2, 0);
        ASSERT_NEAR(1.5 * p.box_h, p.box_w, 2);
        assert_true(p.x > 0 && p.y > 0 && p.x + p.box_w < p.width && p.y + p.box_h < p.height);
    }
}

/* A map of 4 x 1 squares, as pixels of a quarter of a square. */
enum { SQUARES = 4, PIXELS = 16 };

struct scene {
    struct ncrecords file;
    struct shown shown;
    struct planes planes;
    struct map map;
    float bed[SQUARES];
};

static void open_scene(struct scene *s)
{
    s->file = (struct ncrecords){.grid = {SQUARES, 1, 0, 0, 1, 1}};
    s->shown = (struct shown){.map = MAP_DEPTH};
    s->planes = (struct planes){.file = &s->file,
                                .shown = &s->shown,
                                .window = {0, 0, SQUARES, 1},
                                .step = 1,
                                .nx = SQUARES,
                                .ny = 1,
                                .dry = 0.01};
    s->map = (struct map){
        .planes = &s->planes, .bed = s->bed, .scale = {0, 2, 0}, .width = PIXELS, .height = 1};
    assert_int_equal(map_open(&s->map), ERR_OK);
}

/* The first pixel that shows land, from the west. */
static int shore(struct scene *s, const float *value, const float *depth)
{
    unsigned char rgb[PIXELS][3];
    map_draw(&s->map, value, depth, rgb[0]);
    int k = 0;
    while (k < PIXELS && rgb[k][2] > rgb[k][0]) /* more blue than red */
        k++;
    return k;
}

static void a_pool_ends_where_its_level_meets_the_bed(void **state)
{
    struct scene s = {.bed = {0, 1, 2, 3}};
    const float depth[] = {1.8f, 0.8f, 0, 0}, value[] = {1.8f, 0.8f, NAN, NAN};
    (void)state;
    open_scene(&s); /* the bed reaches 1.8 m at x = 2.3, in pixel 9 */
    assert_in_range(shore(&s, value, depth), 9, 10);
    map_close(&s.map);
}

static void a_front_on_flat_ground_ends_between_wet_and_dry(void **state)
{
    struct scene s = {.bed = {0, 0, 0, 0}};
    const float depth[] = {1, 1, 0, 0}, value[] = {1, 1, NAN, NAN};
    (void)state;
    open_scene(&s);
    assert_in_range(shore(&s, value, depth), 8, 9);
    s.map.cells = 1;
    assert_int_equal(shore(&s, value, depth), 8);
    map_close(&s.map);
}

static void deep_water_has_the_colour_of_the_scale(void **state)
{
    struct scene s = {.bed = {0, 0, 0, 0}};
    const float depth[] = {1, 1, 1, 1};
    unsigned char rgb[3 * PIXELS];
    (void)state;
    open_scene(&s);
    map_draw(&s.map, depth, depth, rgb);
    const struct colour c = colour_map_at(MAP_DEPTH, 0.5f);
    assert_int_equal(rgb[0], colour_byte(c.r));
    assert_int_equal(rgb[1], colour_byte(c.g));
    assert_int_equal(rgb[2], colour_byte(c.b));
    map_close(&s.map);
}

/* 12 x 8 cells in three columns and two rows of tiles, a pixel or eight a cell; the picture begins
 * at cell 2. The tiles in the south-west and in the middle of the south are stored. */
static void outlines_run_around_stored_tiles(void **state)
{
    static const int west[] = {0, 4, 8}, south[] = {0, 4}, step[] = {1, 3};
    static const unsigned char stored[] = {1, 1, 0, 0, 0, 0};
    static const struct tile_axis axis[2] = {{west, 3, 2, 10}, {south, 2, 0, 8}};
    struct tile_outlines o;
    (void)state;
    for (int zoom = 1; zoom <= 8; zoom += 7) {
        assert_int_equal(tile_outlines_open(&o, axis, 10 * zoom, 8 * zoom), ERR_OK);
        for (int y = 0; y < 8 * zoom; y++)
            for (int x = 0; x < 10 * zoom; x++) {
                const int north = y == 4 * zoom && x < 6 * zoom,
                          east = x == 6 * zoom && y < 4 * zoom;
                const int between = x == 2 * zoom && y < 4 * zoom && zoom > 1; /* too fine if not */
                if (tile_outlines_at(&o, stored, step, x, y) != (north || east || between))
                    fail_msg("pixel %d, %d of a picture %d times as fine", x, y, zoom);
            }
        tile_outlines_free(&o);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(colour_maps_end_where_they_should),
        cmocka_unit_test(lightness_alone_tells_colours_apart),
        cmocka_unit_test(slopes_towards_the_north_west_are_bright),
        cmocka_unit_test(flat_land_is_stretched_more_than_steep_land),
        cmocka_unit_test(times_are_written_as_hours_minutes_and_seconds),
        cmocka_unit_test(records_are_chosen_by_time_and_by_number),
        cmocka_unit_test(text_for_a_page_is_clean),
        cmocka_unit_test(a_page_is_even_and_its_map_has_the_domains_shape),
        cmocka_unit_test(a_pool_ends_where_its_level_meets_the_bed),
        cmocka_unit_test(a_front_on_flat_ground_ends_between_wet_and_dry),
        cmocka_unit_test(deep_water_has_the_colour_of_the_scale),
        cmocka_unit_test(outlines_run_around_stored_tiles),
    };
    return cmocka_run_group_tests_name("pictures", tests, NULL, NULL);
}
