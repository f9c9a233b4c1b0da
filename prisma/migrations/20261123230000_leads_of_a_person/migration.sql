-- A person is of one workspace: led by it, the index looked to the planner like a way to all leads of a workspace.
DROP INDEX "campaign_leads_workspace_id_person_id_idx";
CREATE INDEX "campaign_leads_person_id_idx" ON "campaign_leads"("person_id");
