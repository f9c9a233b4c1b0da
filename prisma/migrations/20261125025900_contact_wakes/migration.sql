-- Whom other campaigns may have waited for: the person of a lead that ended, or, where it names nobody, all who wait in a
-- campaign or a workspace. Whoever dispatches next looks for those who wait and deletes the row.
CREATE TABLE "contact_wakes" (
  "wake_id" UUID NOT NULL DEFAULT uuid_v7() PRIMARY KEY,
  "workspace_id" UUID NOT NULL REFERENCES "workspaces"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE,
  "campaign_id" UUID,
  "person_id" UUID,
  -- When it ended; null: when the row is read.
  "at" TIMESTAMPTZ(3)
);
CREATE INDEX "contact_wakes_workspace_id_idx" ON "contact_wakes"("workspace_id");

-- Written by triggers, since leads end in many ways, also with their campaign. In a workspace that is being deleted nobody waits.
CREATE FUNCTION wake_after_lead() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO contact_wakes (workspace_id, person_id, at)
  SELECT e.workspace_id, e.person_id, max(e.at) FROM (
    SELECT o.workspace_id, o.person_id, o.campaign_id,
      CASE WHEN n.status NOT IN ('pending', 'active') THEN n.last_event_at END AS at
    FROM old_rows o JOIN new_rows n USING (campaign_lead_id)
    WHERE o.status = 'active' AND o.person_id IS NOT NULL
      AND (n.status NOT IN ('pending', 'active') OR n.person_id IS DISTINCT FROM o.person_id)
  ) e JOIN workspaces w ON w.workspace_id = e.workspace_id
  WHERE w.company_max_active IS NOT NULL OR w.one_campaign_at_a_time AND EXISTS (
    SELECT 1 FROM campaign_leads l WHERE l.person_id = e.person_id AND l.campaign_id <> e.campaign_id
      AND l.status IN ('pending', 'active'))
  GROUP BY 1, 2;
  RETURN NULL;
END $$;

CREATE FUNCTION wake_after_deleted_leads() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO contact_wakes (workspace_id, person_id)
  SELECT DISTINCT o.workspace_id, o.person_id
  FROM old_rows o JOIN workspaces w ON w.workspace_id = o.workspace_id
  WHERE o.status = 'active' AND o.person_id IS NOT NULL
    AND (w.company_max_active IS NOT NULL OR w.one_campaign_at_a_time AND EXISTS (
      SELECT 1 FROM campaign_leads l WHERE l.person_id = o.person_id AND l.status IN ('pending', 'active')));
  RETURN NULL;
END $$;

CREATE FUNCTION wake_after_policy() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO contact_wakes (workspace_id) VALUES (NEW.workspace_id);
  RETURN NULL;
END $$;

CREATE FUNCTION wake_after_override() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO contact_wakes (workspace_id, campaign_id) VALUES (NEW.workspace_id, NEW.campaign_id);
  RETURN NULL;
END $$;

CREATE TRIGGER wake_after_lead AFTER UPDATE ON "campaign_leads"
  REFERENCING NEW TABLE AS new_rows OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION wake_after_lead();
CREATE TRIGGER wake_after_deleted_leads AFTER DELETE ON "campaign_leads"
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION wake_after_deleted_leads();
CREATE TRIGGER wake_after_policy AFTER UPDATE OF "one_campaign_at_a_time", "company_max_active", "rest_days" ON "workspaces"
  FOR EACH ROW WHEN ((OLD.one_campaign_at_a_time, OLD.company_max_active, OLD.rest_days)
    IS DISTINCT FROM (NEW.one_campaign_at_a_time, NEW.company_max_active, NEW.rest_days))
  EXECUTE FUNCTION wake_after_policy();
CREATE TRIGGER wake_after_override AFTER UPDATE OF "contact_policy_override" ON "campaigns"
  FOR EACH ROW WHEN (OLD.contact_policy_override IS DISTINCT FROM NEW.contact_policy_override)
  EXECUTE FUNCTION wake_after_override();

-- Whoever was put off until an hour that is not the end of what they wait for is asked once more, and then waits for the end.
INSERT INTO contact_wakes (workspace_id)
SELECT DISTINCT workspace_id FROM campaign_leads
WHERE status = 'active' AND reason IN ('person_busy', 'company_busy', 'resting');
