-- What the analytics of a campaign read of its leads, kept so that they need not read them: where they stand, and the action that
-- each which replied, bounced or unsubscribed is credited to.
CREATE TABLE "lead_counts" (
    "campaign_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "status" "LeadStatus" NOT NULL,
    "step" INTEGER NOT NULL,
    "begun" BOOLEAN NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "lead_counts_pkey" PRIMARY KEY ("campaign_id","status","step","begun")
);

CREATE TABLE "lead_endings" (
    "campaign_lead_id" UUID NOT NULL,
    "campaign_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "ending" "LeadStatus" NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "begun" BOOLEAN NOT NULL,
    "step" INTEGER,
    "variant_label" TEXT,
    "channel" TEXT,
    "refused" BOOLEAN,
    "performed_at" TIMESTAMPTZ(3),
    "mailbox_id" UUID,
    "connected_account_id" UUID,

    CONSTRAINT "lead_endings_pkey" PRIMARY KEY ("campaign_lead_id")
);

CREATE INDEX "lead_counts_workspace_id_idx" ON "lead_counts"("workspace_id");

CREATE INDEX "lead_endings_campaign_id_idx" ON "lead_endings"("campaign_id");

CREATE INDEX "lead_endings_workspace_id_performed_at_idx" ON "lead_endings"("workspace_id", "performed_at");

ALTER TABLE "lead_counts" ADD CONSTRAINT "lead_counts_campaign_id_fkey" FOREIGN KEY ("campaign_id") REFERENCES "campaigns"("campaign_id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "lead_counts" ADD CONSTRAINT "lead_counts_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "lead_endings" ADD CONSTRAINT "lead_endings_campaign_id_fkey" FOREIGN KEY ("campaign_id") REFERENCES "campaigns"("campaign_id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "lead_endings" ADD CONSTRAINT "lead_endings_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The one action that the end of a lead is credited to. Mail alone bounces and is unsubscribed from; a reply answers what came by
-- its channel, words before what says nothing, and the latest of these. Callers have locked the campaigns of these leads, so nobody
-- else credits them meanwhile.
CREATE FUNCTION credit_endings(leads uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM lead_endings WHERE campaign_lead_id = ANY (leads);
  INSERT INTO lead_endings (campaign_lead_id, campaign_id, workspace_id, ending, ended_at, begun, step, variant_label, channel, refused,
    performed_at, mailbox_id, connected_account_id)
  SELECT l.campaign_lead_id, l.campaign_id, l.workspace_id, l.status, l.last_event_at, l.current_step > 0, a.step, a.variant_label,
    a.channel, a.status = 'failed', a.performed_at, a.mailbox_id, a.connected_account_id
  FROM campaign_leads l
  LEFT JOIN LATERAL (SELECT e.channel FROM campaign_events e
    WHERE e.campaign_lead_id = l.campaign_lead_id AND e.kind = 'replied' ORDER BY e.at, e.event_id LIMIT 1) came ON l.status = 'replied'
  LEFT JOIN LATERAL (SELECT * FROM actions
    WHERE campaign_lead_id = l.campaign_lead_id
      AND (status IN ('sent', 'uncertain') OR status = 'failed' AND l.status = 'bounced')
      AND (l.last_event_at IS NULL OR performed_at <= l.last_event_at)
      AND (l.status = 'replied' OR channel = 'email')
    ORDER BY (channel = came.channel) IS TRUE DESC,
      action_type NOT IN ('visit_profile', 'follow', 'like_post', 'endorse', 'withdraw_invitation') DESC, step DESC LIMIT 1) a ON true
  WHERE l.campaign_lead_id = ANY (leads) AND l.status IN ('replied', 'bounced', 'unsubscribed');
END $$;

-- In the transaction of the leads, whoever writes them. Campaigns are locked first and in one order, as where their own counters are
-- kept, and counted by a statement of its own, which sees what the last holder of the lock wrote.
CREATE FUNCTION count_new_lead_groups() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ended uuid[];
BEGIN
  PERFORM 1 FROM campaigns WHERE campaign_id IN (SELECT campaign_id FROM new_rows) ORDER BY campaign_id FOR NO KEY UPDATE;
  INSERT INTO lead_counts AS k (campaign_id, workspace_id, status, step, begun, count)
  SELECT campaign_id, workspace_id, status, coalesce(next_step, 1), current_step > 0, count(*) FROM new_rows GROUP BY 1, 2, 3, 4, 5
  ON CONFLICT (campaign_id, status, step, begun) DO UPDATE SET count = k.count + excluded.count;
  SELECT array_agg(campaign_lead_id) INTO ended FROM new_rows WHERE status IN ('replied', 'bounced', 'unsubscribed');
  IF ended IS NOT NULL THEN PERFORM credit_endings(ended); END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION count_changed_lead_groups() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  moved uuid[];
  ended uuid[];
BEGIN
  SELECT array_agg(DISTINCT n.campaign_id), array_agg(n.campaign_lead_id) FILTER (WHERE
    n.status IN ('replied', 'bounced', 'unsubscribed') OR o.status IN ('replied', 'bounced', 'unsubscribed'))
  INTO moved, ended FROM new_rows n JOIN old_rows o USING (campaign_lead_id)
  WHERE n.status <> o.status OR n.next_step IS DISTINCT FROM o.next_step OR (n.current_step > 0) <> (o.current_step > 0)
    OR n.last_event_at IS DISTINCT FROM o.last_event_at AND n.status IN ('replied', 'bounced', 'unsubscribed');
  IF moved IS NULL THEN RETURN NULL; END IF;
  PERFORM 1 FROM campaigns WHERE campaign_id = ANY (moved) ORDER BY campaign_id FOR NO KEY UPDATE;
  INSERT INTO lead_counts AS k (campaign_id, workspace_id, status, step, begun, count)
  SELECT campaign_id, workspace_id, status, step, begun, sum(change) FROM (
    SELECT campaign_id, workspace_id, status, coalesce(next_step, 1) AS step, current_step > 0 AS begun, 1 AS change FROM new_rows
    UNION ALL SELECT campaign_id, workspace_id, status, coalesce(next_step, 1), current_step > 0, -1 FROM old_rows) written
  GROUP BY 1, 2, 3, 4, 5 HAVING sum(change) <> 0
  ON CONFLICT (campaign_id, status, step, begun) DO UPDATE SET count = k.count + excluded.count;
  IF ended IS NOT NULL THEN PERFORM credit_endings(ended); END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION count_deleted_lead_groups() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM campaigns WHERE campaign_id IN (SELECT campaign_id FROM old_rows) ORDER BY campaign_id FOR NO KEY UPDATE;
  INSERT INTO lead_counts AS k (campaign_id, workspace_id, status, step, begun, count)
  SELECT campaign_id, workspace_id, status, coalesce(next_step, 1), current_step > 0, -count(*) FROM old_rows GROUP BY 1, 2, 3, 4, 5
  ON CONFLICT (campaign_id, status, step, begun) DO UPDATE SET count = k.count + excluded.count;
  DELETE FROM lead_endings WHERE campaign_lead_id IN (SELECT campaign_lead_id FROM old_rows);
  RETURN NULL;
END $$;

-- What leads were credited to may change after they ended: an uncertain send that its owner speaks of, a report that comes late, and
-- the line of the log that says by which channel they replied. Most leads have not ended, and cost a look by their key.
CREATE FUNCTION credit_locked(leads uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM campaigns WHERE campaign_id IN (SELECT campaign_id FROM lead_endings WHERE campaign_lead_id = ANY (leads))
  ORDER BY campaign_id FOR NO KEY UPDATE;
  PERFORM credit_endings(leads);
END $$;

CREATE FUNCTION credit_after_new_actions() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ended uuid[];
BEGIN
  SELECT array_agg(DISTINCT e.campaign_lead_id) INTO ended FROM new_rows n JOIN lead_endings e USING (campaign_lead_id)
  WHERE n.status IN ('sent', 'uncertain', 'failed');
  IF ended IS NOT NULL THEN PERFORM credit_locked(ended); END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION credit_after_changed_actions() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ended uuid[];
BEGIN
  SELECT array_agg(DISTINCT e.campaign_lead_id) INTO ended
  FROM (SELECT campaign_lead_id, status FROM new_rows UNION ALL SELECT campaign_lead_id, status FROM old_rows) n
  JOIN lead_endings e USING (campaign_lead_id) WHERE n.status IN ('sent', 'uncertain', 'failed');
  IF ended IS NOT NULL THEN PERFORM credit_locked(ended); END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION credit_after_deleted_actions() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ended uuid[];
BEGIN
  SELECT array_agg(DISTINCT e.campaign_lead_id) INTO ended FROM old_rows n JOIN lead_endings e USING (campaign_lead_id)
  WHERE n.status IN ('sent', 'uncertain', 'failed');
  IF ended IS NOT NULL THEN PERFORM credit_locked(ended); END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION credit_after_log() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ended uuid[];
BEGIN
  SELECT array_agg(DISTINCT e.campaign_lead_id) INTO ended FROM new_rows n JOIN lead_endings e USING (campaign_lead_id)
  WHERE n.kind = 'replied';
  IF ended IS NOT NULL THEN PERFORM credit_locked(ended); END IF;
  RETURN NULL;
END $$;

-- Nobody ends before the counting below: this holds whoever writes leads, actions or the log until it is done.
CREATE TRIGGER count_new_lead_groups AFTER INSERT ON "campaign_leads"
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_new_lead_groups();
CREATE TRIGGER count_changed_lead_groups AFTER UPDATE ON "campaign_leads"
  REFERENCING NEW TABLE AS new_rows OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_changed_lead_groups();
-- With their campaign the counts go too: only what is deleted by itself is taken off.
CREATE TRIGGER count_deleted_lead_groups AFTER DELETE ON "campaign_leads"
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION count_deleted_lead_groups();
CREATE TRIGGER credit_after_new_actions AFTER INSERT ON "actions"
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION credit_after_new_actions();
CREATE TRIGGER credit_after_changed_actions AFTER UPDATE ON "actions"
  REFERENCING NEW TABLE AS new_rows OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION credit_after_changed_actions();
CREATE TRIGGER credit_after_deleted_actions AFTER DELETE ON "actions"
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION credit_after_deleted_actions();
CREATE TRIGGER credit_after_log AFTER INSERT ON "campaign_events"
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION credit_after_log();

INSERT INTO "lead_counts" (campaign_id, workspace_id, status, step, begun, count)
SELECT campaign_id, workspace_id, status, coalesce(next_step, 1), current_step > 0, count(*) FROM "campaign_leads" GROUP BY 1, 2, 3, 4, 5;
SELECT credit_endings(array_agg(campaign_lead_id)) FROM "campaign_leads" WHERE status IN ('replied', 'bounced', 'unsubscribed');
