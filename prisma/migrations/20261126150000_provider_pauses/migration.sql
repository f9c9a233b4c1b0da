CREATE TYPE "RecipientProvider" AS ENUM ('google', 'microsoft', 'yahoo', 'other');

-- Who takes mail for a domain, by its MX. A fact of DNS, nobody's own: it belongs to no workspace.
CREATE TABLE "recipient_domains" (
  "domain" TEXT NOT NULL,
  "provider" "RecipientProvider",
  "checked_at" TIMESTAMPTZ(3),
  CONSTRAINT "recipient_domains_pkey" PRIMARY KEY ("domain")
);
CREATE INDEX "recipient_domains_checked_at_idx" ON "recipient_domains"("checked_at");

-- A mailbox writes to nobody at a provider until then.
CREATE TABLE "provider_pauses" (
  "mailbox_id" UUID NOT NULL,
  "provider" "RecipientProvider" NOT NULL,
  "workspace_id" UUID NOT NULL,
  "cause" TEXT NOT NULL CHECK ("cause" IN ('bounces', 'deferrals', 'complaints')),
  "sent" INTEGER NOT NULL,
  "bounced" INTEGER NOT NULL,
  "deferred" INTEGER NOT NULL,
  "complained" INTEGER NOT NULL,
  "paused_at" TIMESTAMPTZ(3) NOT NULL,
  "until" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "provider_pauses_pkey" PRIMARY KEY ("mailbox_id", "provider")
);
CREATE INDEX "provider_pauses_workspace_id_idx" ON "provider_pauses"("workspace_id");
ALTER TABLE "provider_pauses" ADD CONSTRAINT "provider_pauses_mailbox_id_fkey"
  FOREIGN KEY ("mailbox_id") REFERENCES "mailboxes"("mailbox_id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "provider_pauses" ADD CONSTRAINT "provider_pauses_workspace_id_fkey"
  FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "mailboxes" ADD COLUMN "providers_judged_at" TIMESTAMPTZ(3);

ALTER TYPE "LeadReason" ADD VALUE 'provider_paused' AFTER 'colleague_replied';
