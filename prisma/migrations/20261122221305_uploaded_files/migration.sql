-- AlterTable
ALTER TABLE "uploads" ALTER COLUMN "bytes" DROP NOT NULL;

-- CreateTable
CREATE TABLE "uploaded_files" (
    "upload_id" UUID NOT NULL DEFAULT uuid_v7(),
    "user_id" UUID NOT NULL,
    "dataset_id" UUID,
    "filename" TEXT NOT NULL,
    "size_bytes" INTEGER NOT NULL,
    "storage" TEXT NOT NULL,
    "location" TEXT NOT NULL,
    "put_until" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "uploaded_files_pkey" PRIMARY KEY ("upload_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "uploaded_files_dataset_id_key" ON "uploaded_files"("dataset_id");

-- CreateIndex
CREATE INDEX "uploaded_files_user_id_idx" ON "uploaded_files"("user_id");

-- CreateIndex
CREATE INDEX "uploaded_files_expires_at_idx" ON "uploaded_files"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "uploaded_files_storage_location_key" ON "uploaded_files"("storage", "location");

-- AddForeignKey
ALTER TABLE "uploaded_files" ADD CONSTRAINT "uploaded_files_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "uploaded_files" ADD CONSTRAINT "uploaded_files_dataset_id_fkey" FOREIGN KEY ("dataset_id") REFERENCES "datasets"("dataset_id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "uploaded_files" ADD CONSTRAINT "uploaded_files_size" CHECK ("size_bytes" > 0);
ALTER TABLE "uploaded_files" ADD CONSTRAINT "uploaded_files_times" CHECK ("put_until" <= "expires_at");

-- A file goes with whatever let go of it: an import that has its rows, a dataset, an owner. Its address may still take one
-- until then, so it is looked for after that too.
CREATE FUNCTION let_go_of_uploaded_file() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO stray_files (storage, location, remove_at) VALUES (OLD.storage, OLD.location, OLD.put_until)
  ON CONFLICT (storage, location) DO UPDATE SET remove_at = greatest(stray_files.remove_at, excluded.remove_at);
  RETURN NULL;
END $$;
CREATE TRIGGER let_go_of_uploaded_file AFTER DELETE ON "uploaded_files"
  FOR EACH ROW EXECUTE FUNCTION let_go_of_uploaded_file();
