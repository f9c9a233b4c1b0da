-- Few wait by the contact policy, and the explanation of a campaign counts them each time that it is asked.
CREATE INDEX "campaign_leads_contact_held_idx" ON "campaign_leads"("campaign_id")
  WHERE "status" = 'active' AND "reason" IN ('person_busy', 'company_busy', 'resting');
