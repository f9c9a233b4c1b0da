-- A forecast is worth most when it can be held against what happened: the one made at launch is kept, one row a campaign.
-- CreateTable
CREATE TABLE "launch_forecasts" (
    "campaign_id" UUID NOT NULL,
    "made_at" TIMESTAMPTZ(3) NOT NULL,
    "finish_at" TIMESTAMPTZ(3),
    "total_actions" INTEGER NOT NULL,
    "days" JSONB NOT NULL,

    CONSTRAINT "launch_forecasts_pkey" PRIMARY KEY ("campaign_id")
);

-- AddForeignKey
ALTER TABLE "launch_forecasts" ADD CONSTRAINT "launch_forecasts_campaign_id_fkey" FOREIGN KEY ("campaign_id") REFERENCES "campaigns"("campaign_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The decision log goes with its campaign; rows whose campaign is gone already belong to nobody.
DELETE FROM "campaign_events" e WHERE NOT EXISTS (SELECT 1 FROM "campaigns" c WHERE c.campaign_id = e.campaign_id);

-- AddForeignKey
ALTER TABLE "campaign_events" ADD CONSTRAINT "campaign_events_campaign_id_fkey" FOREIGN KEY ("campaign_id") REFERENCES "campaigns"("campaign_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Few among many: the list of what is uncertain never reads the ledger of a campaign.
CREATE INDEX "actions_uncertain" ON "actions" (campaign_id, performed_at) WHERE status = 'uncertain';
