-- A launch spares its leads the question for their campaign, which it holds, by `session_replication_role = replica` (lib/db/transaction.ts).
-- What counts new leads fires then too.
ALTER TABLE "campaign_leads" ENABLE ALWAYS TRIGGER count_new_leads;
ALTER TABLE "campaign_leads" ENABLE ALWAYS TRIGGER count_new_lead_groups;
