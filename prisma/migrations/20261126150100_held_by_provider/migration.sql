-- Leads whose provider is paused are counted with those that the contact policy holds.
DROP INDEX "campaign_leads_contact_held_idx";
CREATE INDEX "campaign_leads_contact_held_idx" ON "campaign_leads"("campaign_id")
  WHERE "status" = 'active'
    AND "reason" IN ('person_busy', 'company_busy', 'resting', 'colleague_replied', 'provider_paused');
