-- What a reply ends: every campaign that has the person, or the one that they replied in.
CREATE TYPE "AfterReply" AS ENUM ('everywhere', 'campaign');
ALTER TABLE "workspaces" ADD COLUMN "after_reply" "AfterReply" NOT NULL DEFAULT 'everywhere';
ALTER TYPE "LeadReason" ADD VALUE 'replied_elsewhere' AFTER 'company_replied';

-- Asked for each lead that a claim looks at, and for each row that a launch enrols.
CREATE INDEX "campaign_leads_replied_idx" ON "campaign_leads"("workspace_id", "email")
  WHERE "status" = 'replied' AND "email" IS NOT NULL;
