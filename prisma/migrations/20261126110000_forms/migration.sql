-- Forms on people's own sites, and what is sent by them.
CREATE TABLE "forms" (
  "form_id" UUID NOT NULL DEFAULT uuid_v7(),
  "workspace_id" UUID NOT NULL,
  "dataset_id" UUID NOT NULL,
  "campaign_id" UUID,
  "mailbox_id" UUID,
  "name" TEXT NOT NULL,
  "token" TEXT NOT NULL,
  "fields" JSONB NOT NULL,
  "consent_text" TEXT NOT NULL,
  "mail_subject" TEXT NOT NULL,
  "mail_text" TEXT NOT NULL,
  "allowed_origins" TEXT[] DEFAULT ARRAY[]::TEXT[],
  "redirect_url" TEXT,
  "signing_secret" TEXT,
  "secret_hint" TEXT,
  "mails_per_day" INTEGER NOT NULL DEFAULT 200,
  "keep_days" INTEGER NOT NULL DEFAULT 7,
  "version" INTEGER NOT NULL DEFAULT 1,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "forms_pkey" PRIMARY KEY ("form_id")
);
CREATE UNIQUE INDEX "forms_token_key" ON "forms"("token");
CREATE INDEX "forms_workspace_id_idx" ON "forms"("workspace_id");
CREATE INDEX "forms_dataset_id_created_at_idx" ON "forms"("dataset_id", "created_at");
CREATE INDEX "forms_campaign_id_idx" ON "forms"("campaign_id");
CREATE INDEX "forms_mailbox_id_idx" ON "forms"("mailbox_id");
ALTER TABLE "forms" ADD CONSTRAINT "forms_workspace_id_fkey" FOREIGN KEY ("workspace_id")
  REFERENCES "workspaces"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "forms" ADD CONSTRAINT "forms_dataset_id_fkey" FOREIGN KEY ("dataset_id")
  REFERENCES "datasets"("dataset_id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "forms" ADD CONSTRAINT "forms_campaign_id_fkey" FOREIGN KEY ("campaign_id")
  REFERENCES "campaigns"("campaign_id") ON DELETE SET NULL ON UPDATE CASCADE;
ALTER TABLE "forms" ADD CONSTRAINT "forms_mailbox_id_fkey" FOREIGN KEY ("mailbox_id")
  REFERENCES "mailboxes"("mailbox_id") ON DELETE SET NULL ON UPDATE CASCADE;

CREATE TABLE "form_entries" (
  "form_entry_id" UUID NOT NULL DEFAULT uuid_v7(),
  "workspace_id" UUID NOT NULL,
  "form_id" UUID,
  "form_name" TEXT NOT NULL,
  "email" TEXT NOT NULL,
  "cells" JSONB NOT NULL,
  "consent_text" TEXT NOT NULL,
  "origin" TEXT,
  "network" TEXT,
  "given_at" TIMESTAMPTZ(3) NOT NULL,
  "digest" CHAR(64),
  "mail_due_at" TIMESTAMPTZ(3),
  "mail_tries" INTEGER NOT NULL DEFAULT 0,
  "mailed_at" TIMESTAMPTZ(3),
  "mail_error" TEXT,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  "confirmed_at" TIMESTAMPTZ(3),
  "confirmed_network" TEXT,
  "add_due_at" TIMESTAMPTZ(3),
  "outcome" TEXT,
  CONSTRAINT "form_entries_pkey" PRIMARY KEY ("form_entry_id")
);
CREATE UNIQUE INDEX "form_entries_digest_key" ON "form_entries"("digest");
CREATE INDEX "form_entries_workspace_id_email_idx" ON "form_entries"("workspace_id", "email");
CREATE INDEX "form_entries_form_id_mailed_at_idx" ON "form_entries"("form_id", "mailed_at");
CREATE UNIQUE INDEX "form_entries_open_key" ON "form_entries"("form_id", "email") WHERE "confirmed_at" IS NULL;
CREATE INDEX "form_entries_mail_due_idx" ON "form_entries"("mail_due_at") WHERE "mail_due_at" IS NOT NULL;
CREATE INDEX "form_entries_add_due_idx" ON "form_entries"("add_due_at") WHERE "add_due_at" IS NOT NULL;
CREATE INDEX "form_entries_expires_idx" ON "form_entries"("expires_at") WHERE "confirmed_at" IS NULL;
ALTER TABLE "form_entries" ADD CONSTRAINT "form_entries_workspace_id_fkey" FOREIGN KEY ("workspace_id")
  REFERENCES "workspaces"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "form_entries" ADD CONSTRAINT "form_entries_form_id_fkey" FOREIGN KEY ("form_id")
  REFERENCES "forms"("form_id") ON DELETE SET NULL ON UPDATE CASCADE;
