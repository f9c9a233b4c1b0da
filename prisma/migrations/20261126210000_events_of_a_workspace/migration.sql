-- An event that is told after its workspace was erased would stay, with what it says of people. Rows are kept for thirty days, so the
-- table is small enough to be asked about all of them here.
DELETE FROM "webhook_events" e WHERE NOT EXISTS (SELECT 1 FROM "workspaces" w WHERE w."workspace_id" = e."workspace_id");
CREATE INDEX "webhook_events_workspace_id_idx" ON "webhook_events"("workspace_id");
-- refuses nothing of the last release: webhook_events.webhook_events_workspace_id_fkey, because what happens does so in a workspace that is there
ALTER TABLE "webhook_events" ADD CONSTRAINT "webhook_events_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;
