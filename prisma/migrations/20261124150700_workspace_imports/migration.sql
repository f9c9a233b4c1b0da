-- Imports of workspaces that people asked for: how far each is, and what came of it. Its file waits as any other upload.
CREATE TYPE "ImportStatus" AS ENUM ('waiting', 'queued', 'running', 'completed', 'failed');

CREATE TABLE "workspace_imports" (
    "import_id" UUID NOT NULL DEFAULT uuid_v7(),
    "workspace_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "status" "ImportStatus" NOT NULL DEFAULT 'waiting',
    "filename" TEXT NOT NULL,
    "size_bytes" INTEGER NOT NULL,
    "read_bytes" INTEGER NOT NULL DEFAULT 0,
    "result" JSONB,
    "error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "completed_at" TIMESTAMPTZ(3),

    CONSTRAINT "workspace_imports_pkey" PRIMARY KEY ("import_id")
);
CREATE INDEX "workspace_imports_workspace_id_user_id_created_at_idx" ON "workspace_imports"("workspace_id", "user_id", "created_at");
CREATE INDEX "workspace_imports_user_id_idx" ON "workspace_imports"("user_id");
CREATE INDEX "workspace_imports_under_way" ON "workspace_imports"("updated_at") WHERE status IN ('queued', 'running');
ALTER TABLE "workspace_imports" ADD CONSTRAINT "workspace_imports_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "workspace_imports" ADD CONSTRAINT "workspace_imports_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "workspace_imports" ADD CONSTRAINT "workspace_imports_result" CHECK ((status = 'completed') = (result IS NOT NULL));

ALTER TABLE "uploaded_files" ADD COLUMN "import_id" UUID;
CREATE UNIQUE INDEX "uploaded_files_import_id_key" ON "uploaded_files"("import_id");
ALTER TABLE "uploaded_files" ADD CONSTRAINT "uploaded_files_import_id_fkey" FOREIGN KEY ("import_id") REFERENCES "workspace_imports"("import_id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "uploaded_files" ADD CONSTRAINT "uploaded_files_of_one" CHECK (dataset_id IS NULL OR import_id IS NULL);
