-- A personalization run is a session of its dataset under its own id. The run is what is worked on; its session follows
-- it by triggers, whoever writes the run.

-- Runs change no cell: several may be under way beside each other, and beside a session that does.
DROP INDEX "dataset_sessions_one_at_a_time";
CREATE UNIQUE INDEX "dataset_sessions_one_at_a_time" ON "dataset_sessions" ("dataset_id")
  WHERE status IN ('queued', 'processing') AND work <> 'personalization';

CREATE FUNCTION run_is_session(run personalization_runs) RETURNS void LANGUAGE sql AS $$
  INSERT INTO dataset_sessions AS s (session_id, dataset_id, user_id, work, pipeline_type, status, options, next_index,
    filename, leads_count, processed_count, failed_count, cost_micros, error, session_created_at, session_updated_at, completed_at)
  VALUES (run.run_id, run.dataset_id, run.user_id, 'personalization', 'personalization',
    (CASE run.status WHEN 'running' THEN 'processing' ELSE run.status::text END)::"SessionStatus",
    jsonb_build_object('template_id', run.template_id, 'sender_profile_id', run.sender_profile_id,
      'campaign_id', run.campaign_id, 'step', run.step),
    run.next_index,
    (SELECT filename FROM dataset_sessions WHERE dataset_id = run.dataset_id AND filename IS NOT NULL
      ORDER BY session_created_at LIMIT 1),
    run.total, least(run.total, run.generated_count + run.failed_count + run.rejected_count), run.failed_count,
    round(coalesce(run.cost, 0) * 1000000), run.error, run.created_at, run.updated_at, run.completed_at)
  ON CONFLICT (session_id) DO UPDATE SET status = excluded.status, next_index = excluded.next_index,
    leads_count = excluded.leads_count, processed_count = excluded.processed_count, failed_count = excluded.failed_count,
    cost_micros = excluded.cost_micros, error = excluded.error, session_updated_at = excluded.session_updated_at,
    completed_at = excluded.completed_at
$$;
CREATE FUNCTION follow_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM dataset_sessions WHERE session_id = OLD.run_id;
  ELSE
    PERFORM run_is_session(NEW);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER follow_new_run AFTER INSERT OR DELETE ON "personalization_runs"
  FOR EACH ROW EXECUTE FUNCTION follow_run();
-- A lease that is prolonged says nothing of how far the run is.
CREATE TRIGGER follow_run AFTER UPDATE ON "personalization_runs" FOR EACH ROW
  WHEN ((OLD.status, OLD.error, OLD.total, OLD.generated_count, OLD.failed_count, OLD.rejected_count, OLD.cost, OLD.completed_at)
    IS DISTINCT FROM
    (NEW.status, NEW.error, NEW.total, NEW.generated_count, NEW.failed_count, NEW.rejected_count, NEW.cost, NEW.completed_at))
  EXECUTE FUNCTION follow_run();
SELECT run_is_session(r) FROM personalization_runs r;

-- dataset.completed and dataset.failed tell of the rows, which a run leaves as they are.
DROP TRIGGER tell_of_dataset ON "dataset_sessions";
CREATE TRIGGER tell_of_dataset AFTER UPDATE OF "status" ON "dataset_sessions"
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status AND NEW.status IN ('completed', 'failed')
    AND NEW.work <> 'personalization')
  EXECUTE FUNCTION tell_of_dataset();
