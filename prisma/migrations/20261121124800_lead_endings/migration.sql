-- Home tells how many leads answered, bounced or left within a day, of accounts with hundreds of thousands of leads.
CREATE INDEX "campaign_leads_endings" ON "campaign_leads"("user_id", "last_event_at")
  WHERE "status" IN ('replied', 'bounced', 'unsubscribed');
