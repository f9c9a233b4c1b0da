ALTER TYPE "SessionWork" ADD VALUE 'verification' BEFORE 'personalization';

ALTER TYPE "LeadReason" ADD VALUE 'undeliverable';
ALTER TYPE "LeadReason" ADD VALUE 'risky_address';

CREATE TYPE "SkipEmails" AS ENUM ('none', 'invalid', 'invalid_and_risky');
ALTER TABLE "campaigns" ADD COLUMN "skip_emails" "SkipEmails" NOT NULL DEFAULT 'invalid';

CREATE TABLE "email_verifications" (
  "workspace_id" UUID NOT NULL,
  "email" TEXT NOT NULL,
  "status" TEXT NOT NULL CHECK ("status" IN ('valid', 'invalid', 'risky', 'unknown')),
  "code" TEXT NOT NULL,
  "reason" TEXT NOT NULL,
  "verified_by" TEXT NOT NULL,
  "verified_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "email_verifications_pkey" PRIMARY KEY ("workspace_id", "email"),
  CONSTRAINT "email_verifications_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "email_verifications_verified_at_idx" ON "email_verifications"("verified_at");
