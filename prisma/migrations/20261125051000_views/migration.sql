-- Filters of people that a workspace keeps under a name.
CREATE TABLE "views" (
  "view_id" UUID NOT NULL DEFAULT uuid_v7(),
  "workspace_id" UUID NOT NULL,
  "name" TEXT NOT NULL,
  "filters" JSONB NOT NULL,
  "version" INTEGER NOT NULL DEFAULT 1,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "views_pkey" PRIMARY KEY ("view_id")
);
CREATE UNIQUE INDEX "views_workspace_id_name_key" ON "views"("workspace_id", "name");
ALTER TABLE "views" ADD CONSTRAINT "views_workspace_id_fkey" FOREIGN KEY ("workspace_id")
  REFERENCES "workspaces"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;
