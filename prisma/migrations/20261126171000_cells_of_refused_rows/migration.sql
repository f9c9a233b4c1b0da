-- The other cells of a refused row, so that it can be fixed and imported where it stands. Null: an import before this.
ALTER TABLE "dataset_rejects" ADD COLUMN "data" JSONB;
