-- What last happened to a lead was text, and where an entry of the suppression list had ended it, the words of that entry.
CREATE TYPE "LeadEvent" AS ENUM ('sent', 'uncertain', 'retry', 'failed', 'skipped', 'held', 'released', 'edited', 'stopped', 'taken_back', 'resolved_not_sent', 'automatic_reply', 'replied', 'bounced', 'unsubscribed', 'suppressed', 'unsubscribe', 'hard_bounce', 'complaint');

-- What is told of leads is told by whoever writes where they stand, lib/services/leads/state.ts.
DROP TRIGGER tell_of_leads ON "campaign_leads";
DROP FUNCTION tell_of_leads();

DROP INDEX "campaign_leads_held";
ALTER TABLE "campaign_leads" ALTER COLUMN "last_event" TYPE "LeadEvent" USING (CASE
  WHEN "last_event" IS NULL THEN NULL
  WHEN "last_event" = ANY (enum_range(NULL::"LeadEvent")::text[]) THEN "last_event"::"LeadEvent"
  WHEN "status" IN ('unsubscribed', 'bounced') THEN 'suppressed' END);
CREATE INDEX "campaign_leads_held" ON "campaign_leads" (campaign_id)
  WHERE status = 'active' AND last_event = 'held' AND next_action_at IS NULL;
