# Depth from the centre outwards by all schemes, at one resolution, against the reference.
eval start
t = scheme_t[1]
eval heading(sprintf("t = %s, %d cells across", time_text(t), scheme_n[1]))
set xlabel "x (m)"
set ylabel "depth (m)"
set xrange [0:*]
plot for [k=1:schemes] scheme[k] using (column("x")):(pick(scheme_t[k], "h", 1)) with lines \
         linetype k title scheme_scheme[k], \
     lead[1] using (column("x")):(pick(lead_t[1], "rh", 1)) with lines linestyle 101 title compared ? "reference" : ""
