-- CreateTable
CREATE TABLE "campaign_edits" (
    "edit_id" UUID NOT NULL DEFAULT uuid_v7(),
    "campaign_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "before" JSONB NOT NULL,
    "after" JSONB NOT NULL,
    "changes" JSONB NOT NULL,
    "undone_at" TIMESTAMPTZ(3),

    CONSTRAINT "campaign_edits_pkey" PRIMARY KEY ("edit_id")
);

-- CreateTable
CREATE TABLE "campaign_edit_leads" (
    "edit_id" UUID NOT NULL,
    "campaign_lead_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "before" JSONB NOT NULL,
    "after" JSONB NOT NULL,

    CONSTRAINT "campaign_edit_leads_pkey" PRIMARY KEY ("edit_id","campaign_lead_id")
);

-- CreateIndex
CREATE INDEX "campaign_edits_campaign_id_at_idx" ON "campaign_edits"("campaign_id", "at");

-- CreateIndex
CREATE INDEX "campaign_edits_user_id_idx" ON "campaign_edits"("user_id");

-- CreateIndex
CREATE INDEX "campaign_edit_leads_user_id_idx" ON "campaign_edit_leads"("user_id");

-- AddForeignKey
ALTER TABLE "campaign_edits" ADD CONSTRAINT "campaign_edits_campaign_id_fkey" FOREIGN KEY ("campaign_id") REFERENCES "campaigns"("campaign_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "campaign_edit_leads" ADD CONSTRAINT "campaign_edit_leads_edit_id_fkey" FOREIGN KEY ("edit_id") REFERENCES "campaign_edits"("edit_id") ON DELETE CASCADE ON UPDATE CASCADE;
