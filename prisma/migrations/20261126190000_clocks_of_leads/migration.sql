-- Windows, days and holidays of a campaign may be read by the clock of each lead.
CREATE TYPE "ScheduleTimezone" AS ENUM ('campaign', 'lead');
ALTER TABLE "campaigns" ADD COLUMN "schedule_timezone" "ScheduleTimezone" NOT NULL DEFAULT 'campaign';

-- Null where the campaign's clock counts for everybody: such leads are in neither index.
ALTER TABLE "campaign_leads" ADD COLUMN "timezone" TEXT, ADD COLUMN "timezone_source" TEXT;
CREATE INDEX "campaign_leads_new_by_clock" ON "campaign_leads" (campaign_id, timezone, lead_index)
  WHERE status = 'pending' AND timezone IS NOT NULL;
CREATE INDEX "campaign_leads_lanes_by_clock" ON "campaign_leads"
  (campaign_id, timezone, next_action_type, next_sender_id, next_action_at, lead_index)
  WHERE status = 'active' AND next_action_at IS NOT NULL AND timezone IS NOT NULL;
