-- Accounts at Google that sheets are read by, and which sheet a dataset is synced with.
CREATE TABLE "sheet_accounts" (
  "sheet_account_id" UUID NOT NULL DEFAULT uuid_v7(),
  "workspace_id" UUID NOT NULL,
  "vendor" TEXT NOT NULL,
  "subject" TEXT NOT NULL,
  "address" TEXT NOT NULL,
  "client_id" TEXT NOT NULL,
  "refresh_token" TEXT NOT NULL,
  "access_token" TEXT,
  "access_expires_at" TIMESTAMPTZ(3),
  "granted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "ended_said" TEXT,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "sheet_accounts_pkey" PRIMARY KEY ("sheet_account_id")
);

CREATE TABLE "sheet_links" (
  "dataset_id" UUID NOT NULL,
  "workspace_id" UUID NOT NULL,
  "sheet_account_id" UUID NOT NULL,
  "spreadsheet_id" TEXT NOT NULL,
  "gid" INTEGER NOT NULL,
  "title" TEXT NOT NULL,
  "sheet" TEXT NOT NULL,
  "fetched_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "sheet_links_pkey" PRIMARY KEY ("dataset_id")
);

CREATE UNIQUE INDEX "sheet_accounts_workspace_id_vendor_subject_key" ON "sheet_accounts"("workspace_id", "vendor", "subject");
CREATE INDEX "sheet_links_sheet_account_id_idx" ON "sheet_links"("sheet_account_id");
CREATE INDEX "sheet_links_workspace_id_idx" ON "sheet_links"("workspace_id");

ALTER TABLE "sheet_accounts" ADD CONSTRAINT "sheet_accounts_workspace_id_fkey"
  FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "sheet_links" ADD CONSTRAINT "sheet_links_dataset_id_fkey"
  FOREIGN KEY ("dataset_id") REFERENCES "datasets"("dataset_id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "sheet_links" ADD CONSTRAINT "sheet_links_sheet_account_id_fkey"
  FOREIGN KEY ("sheet_account_id") REFERENCES "sheet_accounts"("sheet_account_id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "sheet_links" ADD CONSTRAINT "sheet_links_workspace_id_fkey"
  FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;
