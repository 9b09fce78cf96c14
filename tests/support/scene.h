/* Scenes for tests, as values: without memory the test fails. Free each with scene_free. */
#ifndef SHOAL_TEST_SCENE_H
#define SHOAL_TEST_SCENE_H

#include "verification/run/scene.h"

/* See the functions of verification/run/scene.h. */
struct scene new_scene(int nx, int ny);
struct scene new_rough(int nx, int ny);
struct scene new_view(const struct scene *s, int how);
struct scene new_shifted(const struct scene *s, int di, int dj);
struct scene new_widened(const struct scene *s, int ny);

/* A registered case at a given size; the test fails if there is none of that name. */
struct scene new_of_case(const char *name, int nx, int ny);

/* Does any cell differ, see scene_gap? `text` gets their number, the first of them and both its
 * values. */
int differ(const struct scene *expected, const struct scene *got, int exactly, char *text,
           size_t n);

/* A column of water that falls apart between open edges and dry land: waves accelerate at first, more
 * so along the axis with the smaller cells. Water leaves, floods dry cells, and seeps
 * away: where there is none, depths that fell below 0 are clipped. */
struct scene scene_collapse(int along_x);

#endif
