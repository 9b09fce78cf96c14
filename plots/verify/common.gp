# What the figures of verification share besides plots/style.gp, which comes before it.
#
# Before both a figure's script says (verification/report/gnuplot_data.c):
#   home, number             the installation; of the figure on its page
#   case, gravity, kappa, dry
#   snapshot[1..snapshots]   times of the lead's snapshots, s
#   norm_name[1..norm_names] columns of the series files after t
#   lead[1]                  profile of the run that stands for the case; also lead_series[1],
#                            lead_scheme[1], lead_n[1] (cells), lead_t[1] (the last time that checks
#                            look at), lead_row[1] (where in the profile that snapshot begins)
#   ladder[1..ladders]       the same scheme at all resolutions, coarse to fine; ladder_n[] and so on
#   scheme[1..schemes]       all schemes at one resolution; scheme_scheme[] and so on
#   variant[1..variants]     names of the sets of $errors: cells, then every norm at the end
#   curve[1..curves]         sets of $published: cells, ours, theirs; curve_norm[] names the norm
#   unknown[1..unknowns]     columns of the unknowns, of water h hu hv; unknown_label[] what stands beside them
#   over_bed                 it is water over a bed
#   compared                 there is a reference (columns rh, rhu, rhv)
#   cells, cells_nx, cells_ny
# Profiles have the columns t x bed w h hu hv rh rhu rhv, of other systems their unknowns and no bed; cells files x y bed ...

# How a time looks on a figure.
time_text(t) = sprintf("%.4g s", t)
# Is the row of a profile one of time t? Times are written with nine digits.
at(t) = abs(column("t") - t) <= 1e-7 * (abs(t) + 1e-30)
# A column's value in rows of time t, where `shown` holds.
pick(t, name, shown) = at(t) && shown ? column(name) : NaN
wet(name) = column(name) > (exists("dry") ? dry : 0)
# Rows of the snapshot at the last time only, as `@now_lead`: profiles hold many snapshots, and what is
# not read costs little. In loops k counts. Something named must stand in `using` itself, not in a
# function only: else gnuplot does not see that the first line is a header.
now_lead = "every 1::lead_row[1]::lead_row[1]+lead_n[1]-1"
now_ladder = "every 1::ladder_row[k]::ladder_row[k]+ladder_n[k]-1"
now_scheme = "every 1::scheme_row[k]::scheme_row[k]+scheme_n[k]-1"
level(t) = pick(t, "w", wet("h"))
exact_level(t) = at(t) && wet("rh") ? column("bed") + column("rh") : NaN
