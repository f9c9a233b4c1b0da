-- DropIndex
DROP INDEX "views_workspace_id_name_key";

-- AlterTable
ALTER TABLE "views" ADD COLUMN     "list" TEXT NOT NULL DEFAULT 'people';

-- CreateIndex
CREATE UNIQUE INDEX "views_workspace_id_list_name_key" ON "views"("workspace_id", "list", "name");
