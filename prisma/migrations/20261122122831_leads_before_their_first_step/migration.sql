-- Who stands before the first step, and no longer in the queue of new leads, is looked for each time outcomes are written.
CREATE INDEX "campaign_leads_first_step" ON "campaign_leads" (campaign_id) WHERE status = 'active' AND next_step = 1;
-- Whoever waits for a text is counted each time a campaign says why it is not sending.
CREATE INDEX "campaign_leads_held" ON "campaign_leads" (campaign_id)
  WHERE status = 'active' AND last_event = 'held' AND next_action_at IS NULL;

-- Finishing is a campaign whose leads all had their first step.
UPDATE "campaigns" c SET "status" = 'active' WHERE c."status" = 'draining' AND EXISTS (
  SELECT 1 FROM "campaign_leads" l WHERE l.campaign_id = c.campaign_id AND l.status = 'active' AND l.next_step = 1);
UPDATE "campaigns" c SET "paused_from" = 'active' WHERE c."status" = 'paused' AND c."paused_from" = 'draining' AND EXISTS (
  SELECT 1 FROM "campaign_leads" l WHERE l.campaign_id = c.campaign_id AND l.status = 'active' AND l.next_step = 1);
