-- A workspace may stand under another one, its parent, which has none itself.
ALTER TABLE "workspaces" ADD COLUMN "parent_workspace_id" UUID,
  ADD COLUMN "share_unsubscribes" BOOLEAN NOT NULL DEFAULT true,
  ADD CONSTRAINT "workspaces_not_its_own_parent" CHECK ("parent_workspace_id" <> "workspace_id");
ALTER TABLE "workspaces" ADD CONSTRAINT "workspaces_parent_workspace_id_fkey"
  FOREIGN KEY ("parent_workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE SET NULL ON UPDATE CASCADE;
CREATE INDEX "workspaces_parent_workspace_id_idx" ON "workspaces"("parent_workspace_id");

-- What holds in a workspace: its own list, and its parent's. An address that is on both is here twice.
CREATE VIEW "effective_suppressions" AS
  SELECT s.workspace_id, s.value, s.reason, s.workspace_id AS listed_in FROM suppressions s
  UNION ALL
  SELECT child.workspace_id, s.value, s.reason, s.workspace_id FROM workspaces child
  JOIN suppressions s ON s.workspace_id = child.parent_workspace_id;
