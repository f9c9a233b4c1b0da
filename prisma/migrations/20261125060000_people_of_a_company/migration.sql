-- A company is of one workspace: led by it, the index looked to the planner like a way to one person of a workspace that its
-- statistics do not know yet, and each look-up of an address read everybody.
DROP INDEX "people_workspace_id_company_id_idx";
CREATE INDEX "people_company_id_idx" ON "people"("company_id");
