/* The sums of what crosses each position of the domain's rim: see net_inflow.cu. */
#ifndef SHOAL_RIM_SUMS_H
#define SHOAL_RIM_SUMS_H

/* At one position, m2: the net inflow and what rounding took from it, and those of what has entered. */
struct crossing {
    double net, net_lost, entered, entered_lost;
};

/* `behind`: from the two arrays of the net inflow to those of what has entered. */
FN struct crossing crossing_at(const double *sum, const double *lost, int behind, int k)
{
    struct crossing c;
    c.net = sum[k], c.net_lost = lost[k];
    c.entered = sum[behind + k], c.entered_lost = lost[behind + k];
    return c;
}

FN void keep_crossing(double *sum, double *lost, int behind, int k, struct crossing c)
{
    sum[k] = c.net, lost[k] = c.net_lost;
    sum[behind + k] = c.entered, lost[behind + k] = c.entered_lost;
}

FN void add_term(double *sum, double *lost, double term)
{
    const double more = term - *lost, old = *sum;
    *sum = old + more;
    *lost = (*sum - old) - more;
}

/* After a mass flux, m2/s in the direction of the axis, has lasted dt at position k of a domain of nx x ny cells. */
FN struct crossing crossed(struct crossing c, int nx, int ny, int k, double dt, real flux)
{
    const int south = 2 * ny;
    const int inwards = k < ny || (k >= south && k < south + nx);
    const double enters = (inwards ? dt : -dt) * (double)flux;
    add_term(&c.net, &c.net_lost, enters);
    add_term(&c.entered, &c.entered_lost, enters > 0 ? enters : 0);
    return c;
}

#endif
