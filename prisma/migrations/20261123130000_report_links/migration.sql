-- A link that shows the results of chosen campaigns to whoever has it. It ends with its workspace; a campaign that is deleted
-- leaves the links that show it. Of the token only a digest is kept.
CREATE TABLE "report_links" (
  "report_link_id" UUID NOT NULL DEFAULT uuid_v7(),
  "workspace_id" UUID NOT NULL,
  "user_id" UUID NOT NULL,
  "name" TEXT NOT NULL,
  "digest" CHAR(64) NOT NULL,
  "show_names" BOOLEAN NOT NULL DEFAULT false,
  "open_count" INTEGER NOT NULL DEFAULT 0,
  "last_opened_at" TIMESTAMPTZ(3),
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "report_links_pkey" PRIMARY KEY ("report_link_id")
);
CREATE UNIQUE INDEX "report_links_digest_key" ON "report_links"("digest");
CREATE INDEX "report_links_workspace_id_created_at_idx" ON "report_links"("workspace_id", "created_at");
CREATE INDEX "report_links_user_id_idx" ON "report_links"("user_id");
ALTER TABLE "report_links" ADD CONSTRAINT "report_links_workspace_id_fkey"
  FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "report_links" ADD CONSTRAINT "report_links_user_id_fkey"
  FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE RESTRICT ON UPDATE CASCADE;

CREATE TABLE "report_link_campaigns" (
  "workspace_id" UUID NOT NULL,
  "report_link_id" UUID NOT NULL,
  "campaign_id" UUID NOT NULL,
  CONSTRAINT "report_link_campaigns_pkey" PRIMARY KEY ("report_link_id", "campaign_id")
);
CREATE INDEX "report_link_campaigns_campaign_id_idx" ON "report_link_campaigns"("campaign_id");
CREATE INDEX "report_link_campaigns_workspace_id_idx" ON "report_link_campaigns"("workspace_id");
ALTER TABLE "report_link_campaigns" ADD CONSTRAINT "report_link_campaigns_report_link_id_fkey"
  FOREIGN KEY ("report_link_id") REFERENCES "report_links"("report_link_id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "report_link_campaigns" ADD CONSTRAINT "report_link_campaigns_campaign_id_fkey"
  FOREIGN KEY ("campaign_id") REFERENCES "campaigns"("campaign_id") ON DELETE CASCADE ON UPDATE CASCADE;
