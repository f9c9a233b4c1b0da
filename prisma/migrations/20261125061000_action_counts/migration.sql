-- What became of actions by step, variant and quarter of an hour, kept so that analytics need not read the ledger.
CREATE TABLE "action_counts" (
  "campaign_id" UUID NOT NULL REFERENCES "campaigns"("campaign_id") ON DELETE CASCADE ON UPDATE CASCADE,
  "workspace_id" UUID NOT NULL REFERENCES "workspaces"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE,
  "quarter" TIMESTAMPTZ(3) NOT NULL,
  "step" INTEGER NOT NULL,
  -- Empty where the action has none.
  "variant_label" TEXT NOT NULL,
  "status" "ActionStatus" NOT NULL,
  -- One of its instants, since a window may begin within the quarter.
  "at" TIMESTAMPTZ(3) NOT NULL,
  "count" INTEGER NOT NULL,
  CONSTRAINT "action_counts_pkey" PRIMARY KEY ("campaign_id", "quarter", "step", "variant_label", "status")
);
CREATE INDEX "action_counts_workspace_id_idx" ON "action_counts"("workspace_id");

-- In the transaction of the ledger, whoever writes it. Campaigns are locked first and in one order, as where their own counters are
-- kept; so no two statements wait for each other's groups.
CREATE FUNCTION count_new_action_groups() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH delta AS (
    SELECT campaign_id, workspace_id, date_bin('15 minutes', performed_at, 'epoch') AS quarter, step,
      coalesce(variant_label, '') AS variant_label, status, min(performed_at) AS at, sum(change) AS change
    FROM (SELECT *, 1 AS change FROM new_rows) written
    WHERE status IN ('sent', 'uncertain', 'failed', 'skipped')
    GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(change) <> 0
  ), locked AS (
    SELECT c.campaign_id FROM campaigns c WHERE c.campaign_id IN (SELECT campaign_id FROM delta)
    ORDER BY c.campaign_id FOR NO KEY UPDATE OF c
  )
  INSERT INTO action_counts AS k (campaign_id, workspace_id, quarter, step, variant_label, status, at, count)
  SELECT campaign_id, workspace_id, quarter, step, variant_label, status, at, change FROM delta JOIN locked USING (campaign_id)
  ON CONFLICT (campaign_id, quarter, step, variant_label, status) DO UPDATE SET
    count = k.count + excluded.count, at = least(k.at, excluded.at);
  RETURN NULL;
END $$;

CREATE FUNCTION count_changed_action_groups() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH delta AS (
    SELECT campaign_id, workspace_id, date_bin('15 minutes', performed_at, 'epoch') AS quarter, step,
      coalesce(variant_label, '') AS variant_label, status, min(performed_at) AS at, sum(change) AS change
    FROM (
      SELECT campaign_id, workspace_id, performed_at, step, variant_label, status, 1 AS change FROM new_rows
      UNION ALL
      SELECT campaign_id, workspace_id, performed_at, step, variant_label, status, -1 FROM old_rows) written
    WHERE status IN ('sent', 'uncertain', 'failed', 'skipped')
    GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(change) <> 0
  ), locked AS (
    SELECT c.campaign_id FROM campaigns c WHERE c.campaign_id IN (SELECT campaign_id FROM delta)
    ORDER BY c.campaign_id FOR NO KEY UPDATE OF c
  )
  INSERT INTO action_counts AS k (campaign_id, workspace_id, quarter, step, variant_label, status, at, count)
  SELECT campaign_id, workspace_id, quarter, step, variant_label, status, at, change FROM delta JOIN locked USING (campaign_id)
  ON CONFLICT (campaign_id, quarter, step, variant_label, status) DO UPDATE SET
    count = k.count + excluded.count, at = least(k.at, excluded.at);
  RETURN NULL;
END $$;

CREATE FUNCTION count_deleted_action_groups() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH delta AS (
    SELECT campaign_id, workspace_id, date_bin('15 minutes', performed_at, 'epoch') AS quarter, step,
      coalesce(variant_label, '') AS variant_label, status, min(performed_at) AS at, sum(change) AS change
    FROM (SELECT *, -1 AS change FROM old_rows) written
    WHERE status IN ('sent', 'uncertain', 'failed', 'skipped')
    GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(change) <> 0
  ), locked AS (
    SELECT c.campaign_id FROM campaigns c WHERE c.campaign_id IN (SELECT campaign_id FROM delta)
    ORDER BY c.campaign_id FOR NO KEY UPDATE OF c
  )
  INSERT INTO action_counts AS k (campaign_id, workspace_id, quarter, step, variant_label, status, at, count)
  SELECT campaign_id, workspace_id, quarter, step, variant_label, status, at, change FROM delta JOIN locked USING (campaign_id)
  ON CONFLICT (campaign_id, quarter, step, variant_label, status) DO UPDATE SET
    count = k.count + excluded.count, at = least(k.at, excluded.at);
  RETURN NULL;
END $$;

CREATE TRIGGER count_new_action_groups AFTER INSERT ON "actions"
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_new_action_groups();
CREATE TRIGGER count_changed_action_groups AFTER UPDATE ON "actions"
  REFERENCING NEW TABLE AS new_rows OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_changed_action_groups();
-- With their campaign the counts go too: only what is deleted by itself is taken off.
CREATE TRIGGER count_deleted_action_groups AFTER DELETE ON "actions"
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION count_deleted_action_groups();

INSERT INTO "action_counts" (campaign_id, workspace_id, quarter, step, variant_label, status, at, count)
SELECT campaign_id, workspace_id, date_bin('15 minutes', performed_at, 'epoch'), step, coalesce(variant_label, ''), status,
  min(performed_at), count(*)
FROM "actions" WHERE status IN ('sent', 'uncertain', 'failed', 'skipped') GROUP BY 1, 2, 3, 4, 5, 6;
