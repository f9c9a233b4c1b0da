-- Files that emails carry. What names them does so by id; what nothing names is forgotten after a day.
CREATE TABLE "attachments" (
    "attachment_id" UUID NOT NULL DEFAULT uuid_v7(),
    "workspace_id" UUID NOT NULL,
    "user_id" UUID,
    "filename" TEXT NOT NULL,
    "content_type" TEXT NOT NULL,
    "size_bytes" INTEGER NOT NULL,
    "sha256" TEXT NOT NULL,
    "storage" TEXT NOT NULL,
    "location" TEXT NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "attachments_pkey" PRIMARY KEY ("attachment_id")
);
CREATE INDEX "attachments_workspace_id_idx" ON "attachments"("workspace_id");
CREATE INDEX "attachments_user_id_idx" ON "attachments"("user_id");
CREATE UNIQUE INDEX "attachments_storage_location_key" ON "attachments"("storage", "location");
ALTER TABLE "attachments" ADD CONSTRAINT "attachments_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "attachments" ADD CONSTRAINT "attachments_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE SET NULL ON UPDATE CASCADE;

ALTER TABLE "attachments" ADD CONSTRAINT "attachments_size" CHECK ("size_bytes" > 0);
ALTER TABLE "attachments" ADD CONSTRAINT "attachments_sha256" CHECK ("sha256" ~ '^[0-9a-f]{64}$');

-- For whoever forgets what nothing names.
CREATE INDEX "attachments_unused_idx" ON "attachments" ((coalesce("used_at", "created_at")));

CREATE TRIGGER let_go_of_file AFTER DELETE ON "attachments"
  FOR EACH ROW EXECUTE FUNCTION let_go_of_file();
