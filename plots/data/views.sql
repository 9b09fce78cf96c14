-- What queries see of kernels' rows. tuning_db/README.md, "Queries", says what the columns are.

-- Of each block, flags and text the row of the newest measurement, one that ended if there is one.
CREATE VIEW newest_kernel_rows AS
SELECT * FROM (
    SELECT kernel_rows.*, row_number() OVER (
        PARTITION BY table_no, flags, source, width, height
        ORDER BY ifnull(finished, 0) DESC, started DESC, session) AS age
    FROM kernel_rows LEFT JOIN sessions USING (device, environment, session))
WHERE age = 1;

-- Which rows stand for a kernel at a size: `space` wants all blocks, `now` the text that the kernel has now. Rows may
-- stand together that are the newest ones of a file, or those of one measurement (pass), as a later search for the
-- winner replaces some blocks of a space. A file is of one environment: of a device's environments each kernel has its
-- own for each size and precision, so that rows of one kernel in a new environment hide no other kernel's, and a
-- search there hides no complete space.
CREATE VIEW choosing AS
WITH ages AS (
    SELECT device, environment, session, started, finished,
        row_number() OVER (ORDER BY finished DESC, started DESC, session) AS age
    FROM sessions),
spaces AS MATERIALIZED (
    SELECT backend, kernel, count(*) AS listed FROM kernel_space GROUP BY backend, kernel),
runs AS MATERIALIZED (
    SELECT k.rowid AS id, table_no, k.flags, source, k.width, k.height, k.session, s.kernel IS NOT NULL AS in_space,
        source = source_now AS present, outcome = 'ok' AS ok, ifnull(registers, 0) AS registers,
        ifnull(age, 1e9) AS age, ifnull(started, '') AS started, ifnull(finished, 0) AS finished,
        listed,
        -- As db_interval in core/db/winners.c.
        median_us - max(1.57 * (q3_us - q1_us) / sqrt(kept + dropped), 0.0025 * median_us) AS low_us,
        median_us + max(1.57 * (q3_us - q1_us) / sqrt(kept + dropped), 0.0025 * median_us) AS high_us
    -- CROSS: in this order, which reads the long table once, as it is; SQLite would make an index of it first.
    FROM kernel_rows k CROSS JOIN environments e USING (device, environment) CROSS JOIN kernels_now n USING (backend, kernel)
    CROSS JOIN spaces USING (backend, kernel)
    JOIN flags f ON f.device = k.device AND f.environment = k.environment AND f.flags = k.flags AND f.text = n.flags_now
    LEFT JOIN kernel_space s ON s.backend = e.backend AND s.kernel = k.kernel AND s.width = k.width AND s.height = k.height
    LEFT JOIN ages ON ages.device = k.device AND ages.environment = k.environment AND ages.session = k.session),
newest AS MATERIALIZED (
    SELECT *, min(age) FROM runs GROUP BY table_no, flags, source, width, height),
judged AS (
    SELECT table_no, flags, source, NULL AS pass, max(started) AS began, max(finished) AS finished, max(present) AS present,
        max(listed) AS listed, max(listed) - sum(in_space) AS absent, max(ok) AS works
    FROM newest GROUP BY table_no, flags, source
    UNION ALL
    SELECT table_no, flags, source, session, max(started), 1, max(present), max(listed), max(listed) - sum(in_space), max(ok)
    FROM runs WHERE finished GROUP BY table_no, flags, source, session),
decided AS (
    SELECT *, works AND absent <= 0.05 * listed AS complete FROM judged),
tables AS (
    SELECT table_no, min(rowid), device, environment, kernel, nx, ny, precision FROM kernel_rows GROUP BY table_no),
placed AS (
    SELECT *,
        row_number() OVER (
            PARTITION BY device, kernel, nx, ny, precision
            ORDER BY complete DESC, present DESC, complete AND pass IS NOT NULL DESC, finished DESC, began DESC, table_no,
                flags, source, pass) AS among_spaces,
        row_number() OVER (
            PARTITION BY device, kernel, nx, ny, precision
            ORDER BY pass IS NOT NULL, present DESC, present AND complete DESC, finished DESC, began DESC, table_no, flags,
                source) AS among_all
    FROM decided JOIN tables USING (table_no))
SELECT 'space' AS choice, newest.*, absent, complete
FROM placed JOIN newest USING (table_no, flags, source) WHERE among_spaces = 1 AND pass IS NULL
UNION ALL
SELECT 'space', runs.*, 0, absent, complete
FROM placed JOIN runs USING (table_no, flags, source) WHERE among_spaces = 1 AND pass = runs.session
UNION ALL
SELECT 'now', newest.*, absent, complete
FROM placed JOIN newest USING (table_no, flags, source) WHERE among_all = 1;

-- These rows, and beside each the best one of its kernel, size and precision: the one that is surely the fastest.
CREATE VIEW comparing AS
WITH ordered AS MATERIALIZED (
    SELECT choice, id, table_no, absent, complete, started, ok, listed, present, low_us, high_us,
        row_number() OVER (
            PARTITION BY choice, table_no
            ORDER BY ok DESC, high_us, registers, max(width, height) / min(width, height), width, height) AS standing
    FROM choosing),
paired AS (
    SELECT o.choice, k.*, stem, place, file, default_block, o.listed, o.present, o.absent, o.complete, o.started, o.ok,
        iif(o.ok, o.low_us, NULL) AS low_us, iif(o.ok, o.high_us, NULL) AS high_us,
        e.title AS device_title, e.backend, o.standing = 1 AND o.ok AS best,
        b.median_us AS best_us, f.low_us AS best_low, f.high_us AS best_high
    FROM ordered o JOIN kernel_rows k ON k.rowid = o.id
    JOIN environments e USING (device, environment)
    JOIN kernels_now n ON n.backend = e.backend AND n.kernel = k.kernel
    LEFT JOIN ordered f ON f.choice = o.choice AND f.table_no = o.table_no AND f.standing = 1 AND f.ok
    LEFT JOIN kernel_rows b ON b.rowid = f.id)
SELECT *,
    CASE WHEN ok THEN 100 * (median_us / best_us - 1) END AS loss,
    CASE WHEN ok THEN best_us / median_us END AS fraction,
    ifnull(ok AND low_us <= best_high AND best_low <= high_us, 0) AS tied,
    printf('%dx%d', width, height) AS block,
    printf('%dx%d', width, height) = default_block AS is_default,
    width = 16 AND height = 16 AS usual
FROM paired;

-- That takes long: the program makes it the table compared_rows when it has read kernel_rows.

-- Every block of a kernel: of its complete space if there is one, else what there is.
CREATE VIEW blocks AS
SELECT place, kernel, stem, nx, ny, precision, width, height, outcome, reason, median_us, low_us, high_us, loss, fraction,
    best, tied, is_default, usual, registers, shared_b, occupancy, kept, dropped, 100 * spread_us / mean_us AS spread,
    compile_ms, load_ms, measure_ms, sequence, session, "case", file, flags, source, present, listed, absent, complete,
    device, environment, device_title, backend
FROM compared_rows WHERE choice = 'space';

-- The blocks that the thesis chose for its kernels and GPUs. Kernels with early exit are one in the thesis: their
-- blocks must be equal. Both Y_block rows are called Y_block0. The kernels that transpose are not in the table.
CREATE VIEW thesis_blocks AS
WITH called (kernel, name) AS (VALUES
    ('flux_fgh0', 'FGH0'), ('flux_fgh1', 'FGH1'), ('flux_yblock0', 'Y_block0'), ('flux_yblock1', 'Y_block0'),
    ('flux_fx0', 'X_line0'), ('flux_fx1', 'X_line1'), ('flux_fy0', 'Y_line0'), ('flux_fy1', 'Y_line1'),
    ('rk0', 'RK0'), ('rk1', 'RK1'), ('srk0', 'SRK0'), ('srk1', 'SRK1'),
    ('flux_fgh0_ee', 'EE0'), ('flux_fgh1_ee', 'EE1'), ('rk0_ee', 'EE0'), ('rk1_ee', 'EE1')),
printed AS (
    SELECT kernel AS name, * FROM amundsen_2014_table_4_1
    WHERE rowid IN (SELECT min(rowid) FROM amundsen_2014_table_4_1 GROUP BY kernel)),
each (kernel, gpu, letter, block) AS (
    SELECT c.kernel, 'reference', 'R', reference FROM called c JOIN printed USING (name)
    UNION ALL
    SELECT c.kernel, 'Q1800M', 'Q', q1800m FROM called c JOIN printed USING (name)
    UNION ALL
    SELECT c.kernel, 'GTX480', 'G', gtx480 FROM called c JOIN printed USING (name)
    UNION ALL
    SELECT c.kernel, 'GTX435M', 'L', gtx435m FROM called c JOIN printed USING (name))
SELECT kernel, gpu, letter, block,
    CAST(substr(block, 1, instr(block, 'x') - 1) AS REAL) AS width,
    CAST(substr(block, instr(block, 'x') + 1) AS REAL) AS height
FROM each WHERE block LIKE '%_x_%';

-- One row for each kernel, size and precision: the best block, and what others lose to it.
CREATE VIEW summed_up AS
SELECT choice, place, kernel, stem, nx, ny, precision,
    max(block) FILTER (WHERE best) AS best, max(best_us) AS best_us, max(best_low) AS best_low,
    max(best_high) AS best_high, max(kept + dropped) FILTER (WHERE best) AS best_timings,
    sum(tied) AS ties, count(*) AS tried, sum(ok) AS ok, sum(NOT ok) AS failed,
    sum(outcome = 'constraint') AS constrained, sum(outcome = 'compile') AS compile, sum(outcome = 'launch') AS launch,
    sum(outcome = 'wrong-answer') AS wrong, sum(outcome = 'time-out') AS time_out,
    default_block,
    max(median_us) FILTER (WHERE ok AND is_default) / max(best_us) AS default_ratio,
    max(low_us) FILTER (WHERE ok AND is_default) / max(best_high) AS default_low,
    max(high_us) FILTER (WHERE ok AND is_default) / max(best_low) AS default_high,
    max(median_us) FILTER (WHERE ok AND usual) / max(best_us) AS usual_ratio,
    max(low_us) FILTER (WHERE ok AND usual) / max(best_high) AS usual_low,
    max(high_us) FILTER (WHERE ok AND usual) / max(best_low) AS usual_high,
    max(median_us) FILTER (WHERE ok AND block = (SELECT t.block FROM thesis_blocks t
        WHERE t.kernel = compared_rows.kernel AND gpu = 'reference')) / max(best_us) AS thesis_ratio,
    max(low_us) FILTER (WHERE ok AND block = (SELECT t.block FROM thesis_blocks t
        WHERE t.kernel = compared_rows.kernel AND gpu = 'reference')) / max(best_high) AS thesis_low,
    max(high_us) FILTER (WHERE ok AND block = (SELECT t.block FROM thesis_blocks t
        WHERE t.kernel = compared_rows.kernel AND gpu = 'reference')) / max(best_low) AS thesis_high,
    max(median_us) FILTER (WHERE ok) / max(best_us) AS worst_ratio,
    avg(median_us <= 1.05 * best_us) FILTER (WHERE ok) AS within5,
    avg(median_us <= 1.1 * best_us) FILTER (WHERE ok) AS within10,
    (SELECT t.block FROM thesis_blocks t WHERE t.kernel = compared_rows.kernel AND gpu = 'reference') AS thesis_reference,
    (SELECT t.block FROM thesis_blocks t WHERE t.kernel = compared_rows.kernel AND gpu = 'Q1800M') AS thesis_q1800m,
    (SELECT t.block FROM thesis_blocks t WHERE t.kernel = compared_rows.kernel AND gpu = 'GTX480') AS thesis_gtx480,
    (SELECT t.block FROM thesis_blocks t WHERE t.kernel = compared_rows.kernel AND gpu = 'GTX435M') AS thesis_gtx435m,
    max(registers) FILTER (WHERE best) AS registers, max(occupancy) FILTER (WHERE best) AS occupancy,
    substr(max(started || session), -8) AS session, "case", file, flags, source, max(present) AS present,
    CASE choice WHEN 'space' THEN max(listed) ELSE 0 END AS listed, CASE choice WHEN 'space' THEN max(absent) ELSE 0 END
    AS absent, max(complete) AS complete, device, environment, device_title, backend
FROM compared_rows
GROUP BY choice, device, environment, kernel, nx, ny, precision;

-- `kernels` prefers the rows of the text that a kernel has now, `spaces` those of complete spaces, as `blocks` does.
CREATE VIEW kernels AS SELECT * FROM summed_up WHERE choice = 'now';
CREATE VIEW spaces AS SELECT * FROM summed_up WHERE choice = 'space';
