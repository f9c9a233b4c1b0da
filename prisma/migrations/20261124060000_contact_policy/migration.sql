ALTER TABLE "workspaces"
  ADD COLUMN "one_campaign_at_a_time" BOOLEAN NOT NULL DEFAULT true,
  ADD COLUMN "company_max_active" INTEGER CHECK ("company_max_active" > 0),
  ADD COLUMN "rest_days" INTEGER NOT NULL DEFAULT 0 CHECK ("rest_days" BETWEEN 0 AND 365);
ALTER TABLE "campaigns" ADD COLUMN "contact_policy_override" TEXT;

ALTER TYPE "LeadReason" ADD VALUE 'person_busy';
ALTER TYPE "LeadReason" ADD VALUE 'company_busy';
ALTER TYPE "LeadReason" ADD VALUE 'resting';
