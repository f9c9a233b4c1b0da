-- Rows are added, edited and removed one by one. The place of a removed row stays empty: leads and texts are known by it.
ALTER TABLE "dataset_rows" ADD COLUMN "version" INTEGER NOT NULL DEFAULT 1;
ALTER TABLE "datasets" ADD COLUMN "next_lead_index" INTEGER NOT NULL DEFAULT 0;
ALTER TYPE "LeadReason" ADD VALUE 'row_removed' AFTER 'step_removed';
