-- CreateEnum
CREATE TYPE "TrackingKind" AS ENUM ('open', 'click');

-- CreateEnum
CREATE TYPE "TrackingClass" AS ENUM ('human', 'proxy', 'scanner');

-- CreateTable
CREATE TABLE "tracking_events" (
    "action_id" UUID NOT NULL,
    "kind" "TrackingKind" NOT NULL,
    "link" INTEGER NOT NULL,
    "class" "TrackingClass" NOT NULL,
    "user_id" UUID NOT NULL,
    "campaign_id" UUID NOT NULL,
    "campaign_lead_id" UUID NOT NULL,
    "step" INTEGER NOT NULL,
    "url" TEXT,
    "hits" INTEGER NOT NULL DEFAULT 1,
    "first_at" TIMESTAMPTZ(3) NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,
    "user_agent" TEXT,
    "evidence" JSONB NOT NULL DEFAULT '[]',

    CONSTRAINT "tracking_events_pkey" PRIMARY KEY ("action_id","kind","link","class")
);

-- CreateIndex
CREATE INDEX "tracking_events_campaign_lead_id_idx" ON "tracking_events"("campaign_lead_id");

-- CreateIndex
CREATE INDEX "tracking_events_campaign_id_idx" ON "tracking_events"("campaign_id");

-- CreateIndex
CREATE INDEX "tracking_events_user_id_idx" ON "tracking_events"("user_id");

-- AddForeignKey
ALTER TABLE "tracking_events" ADD CONSTRAINT "tracking_events_action_id_fkey" FOREIGN KEY ("action_id") REFERENCES "actions"("action_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Steps written before say so too, so that a live campaign's unchanged steps are not taken for changed ones.
UPDATE "campaigns" SET steps_config = (
  SELECT jsonb_agg('{"track_opens": false}' || step ORDER BY place)
  FROM jsonb_array_elements(steps_config) WITH ORDINALITY AS steps (step, place))
WHERE jsonb_array_length(steps_config) > 0;
