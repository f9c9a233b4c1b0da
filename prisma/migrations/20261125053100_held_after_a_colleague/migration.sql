-- Leads that wait since a colleague replied are counted with those that other campaigns hold.
DROP INDEX "campaign_leads_contact_held_idx";
CREATE INDEX "campaign_leads_contact_held_idx" ON "campaign_leads"("campaign_id")
  WHERE "status" = 'active' AND "reason" IN ('person_busy', 'company_busy', 'resting', 'colleague_replied');

DROP TRIGGER wake_after_policy ON "workspaces";
CREATE TRIGGER wake_after_policy
  AFTER UPDATE OF "one_campaign_at_a_time", "company_max_active", "rest_days", "colleague_reply_days" ON "workspaces"
  FOR EACH ROW WHEN ((OLD.one_campaign_at_a_time, OLD.company_max_active, OLD.rest_days, OLD.colleague_reply_days)
    IS DISTINCT FROM (NEW.one_campaign_at_a_time, NEW.company_max_active, NEW.rest_days, NEW.colleague_reply_days))
  EXECUTE FUNCTION wake_after_policy();
