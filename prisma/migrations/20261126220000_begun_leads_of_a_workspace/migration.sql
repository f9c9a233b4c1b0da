-- Who may have begun is asked of a person within a workspace, and of a whole workspace where that is less.
CREATE INDEX "campaign_leads_begun_of_workspace_idx" ON "campaign_leads"("workspace_id", "person_id")
  WHERE "status" <> 'pending' AND ("reason" IS NULL OR "reason" NOT IN ('person_busy', 'company_busy', 'resting'));
DROP INDEX "campaign_leads_begun_idx";
