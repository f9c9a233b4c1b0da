-- Who a lead is on a social network, and what social actions leave behind.
ALTER TABLE "campaign_leads"
  ADD COLUMN "social_profile" TEXT,
  ADD COLUMN "social_problem" TEXT;

ALTER TABLE "actions"
  ADD COLUMN "connected_account_id" UUID,
  ADD COLUMN "social_provider_id" TEXT,
  ADD COLUMN "chat_id" TEXT,
  ADD COLUMN "invitation_id" TEXT;

ALTER TABLE "connected_accounts" ADD COLUMN "rest_until" TIMESTAMPTZ(3);
