-- Which campaigns a client of a workspace may see: none but these. Gone with the membership and with the campaign.
CREATE TABLE "campaign_clients" (
  "workspace_id" UUID NOT NULL,
  "user_id" UUID NOT NULL,
  "campaign_id" UUID NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "campaign_clients_pkey" PRIMARY KEY ("workspace_id", "user_id", "campaign_id")
);
CREATE INDEX "campaign_clients_campaign_id_idx" ON "campaign_clients"("campaign_id");
ALTER TABLE "campaign_clients" ADD CONSTRAINT "campaign_clients_workspace_id_user_id_fkey"
  FOREIGN KEY ("workspace_id", "user_id") REFERENCES "members"("workspace_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "campaign_clients" ADD CONSTRAINT "campaign_clients_campaign_id_fkey"
  FOREIGN KEY ("campaign_id") REFERENCES "campaigns"("campaign_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Chosen for a client when they are invited; those that are still there when they accept are theirs.
ALTER TABLE "invitations" ADD COLUMN "campaign_ids" UUID[] NOT NULL DEFAULT '{}';
