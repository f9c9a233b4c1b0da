-- Leads of mail alone, and each move of theirs, should not pay for it.
DROP INDEX "campaign_leads_connected_account_id_social_provider_id_idx";
CREATE INDEX "campaign_leads_social" ON "campaign_leads" ("connected_account_id", "social_provider_id")
  WHERE "social_provider_id" IS NOT NULL;
