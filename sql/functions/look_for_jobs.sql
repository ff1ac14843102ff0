-- Returns those of the lanes that have jobs for a worker. A worker calls it now and then instead of a claim in each lane
-- in which it waits for jobs. `crowd` is the number of workers, divided by `awake_workers`: as many share the looks that
-- one would make.
CREATE OR REPLACE FUNCTION look_for_jobs(
    worker_id integer, lane_names text[], OUT lanes_with_jobs text[], OUT crowd real)
LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_sort = off
-- `workers` is read as a whole. With these settings that seems so expensive that PostgreSQL would compile the plan.
SET jit = off
AS $$
#variable_conflict use_column
BEGIN
    lanes_with_jobs := ARRAY (
        SELECT name
        FROM lanes
        WHERE name = ANY (lane_names)
          AND lane_obstacle(lanes, clock_timestamp()) IS NULL
          AND NOT EXISTS (SELECT FROM workers WHERE id = worker_id AND quiet)
          AND EXISTS (
              SELECT
              FROM generate_series(0, 3) AS p,
              LATERAL (
                  SELECT
                  FROM jobs
                  WHERE lane = lanes.id AND priority = p AND is_ready(jobs, clock_timestamp())
                  LIMIT 1
              ) AS ready));
    crowd := greatest(1, (SELECT count(*) FROM workers WHERE NOT quiet) / awake_workers()::real);
END
$$;
