-- Analytics of a workspace count leads by sender and channel too: without these columns each action of the days asked for was
-- read with its subject and body, 1.1 GB of a million. An index of the same name, since nothing else changes.
DROP INDEX "actions_ledger";
CREATE INDEX "actions_ledger" ON "actions"("campaign_id", "performed_at", "campaign_lead_id", "step", "status", "variant_label",
  "channel", "mailbox_id", "connected_account_id");
