-- Many campaigns become due at one instant, when a window opens: the one with the lowest id is first, and is read without the others.
DROP INDEX "campaigns_due";
CREATE INDEX "campaigns_due" ON "campaigns" (next_slot_at, campaign_id)
  WHERE status IN ('active', 'draining') AND next_slot_at IS NOT NULL;
