/* Colours for numbers: equal steps of a number look like equal steps; lightness alone distinguishes
 * them, in grey and for every kind of colour vision. */
#ifndef SHOAL_COLOUR_MAP_H
#define SHOAL_COLOUR_MAP_H

/* A colour of sRGB, each part from 0 to 1. */
struct colour {
    float r, g, b;
};

enum colour_map {
    MAP_DEPTH,    /* light to dark blue */
    MAP_SPEED,    /* light yellow to dark violet */
    MAP_LEVEL,    /* dark to light green-blue */
    MAP_TIME,     /* dark to light: the first are dark */
    MAP_DURATION, /* light to dark violet */
    MAP_SIGNED,   /* blue, nearly white in the middle, red */
    MAP_LAND,     /* muted: low land to high */
    COLOUR_MAPS
};

/* The colour of x, 0 to 1; values outside get the nearest end's, NaN that of 0. */
struct colour colour_map_at(enum colour_map map, float x);

/* Mixes `share` of b into a. */
static inline struct colour colour_mix(struct colour a, struct colour b, float share)
{
    return (struct colour){a.r + share * (b.r - a.r), a.g + share * (b.g - a.g),
                           a.b + share * (b.b - a.b)};
}

/* Lit: 1 leaves the colour unchanged, less moves it towards a cool dark, more towards white. */
static inline struct colour colour_lit(struct colour c, float light)
{
    const struct colour shadow = {0.30f * c.r + 0.02f, 0.32f * c.g + 0.03f, 0.40f * c.b + 0.07f};
    if (light <= 1)
        return colour_mix(shadow, c, light > 0 ? light : 0);
    return colour_mix(c, (struct colour){1, 1, 1}, light < 2 ? light - 1 : 1);
}

static inline unsigned char colour_byte(float part)
{
    return (unsigned char)(part <= 0 ? 0 : part >= 1 ? 255 : (int)(part * 255 + 0.5f));
}

/* Lightness of OKLab, 0 (black) to 1 (white). */
float colour_lightness(struct colour c);

/* How different two colours look: distance in OKLab, 1 from black to white. */
float colour_distance(struct colour a, struct colour b);

#endif
