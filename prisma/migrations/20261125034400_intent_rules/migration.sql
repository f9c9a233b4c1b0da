-- What a reply of an intent does is a rule of the workspace or of a campaign; "after_later" said it of one intent.
-- CreateEnum
CREATE TYPE "IntentEffect" AS ENUM ('end', 'hold', 'branch');

-- AlterTable
ALTER TABLE "inbox_messages" ADD COLUMN     "follow_at" TIMESTAMPTZ(3),
ADD COLUMN     "ruled_intents" "Intent"[] DEFAULT ARRAY[]::"Intent"[];

-- CreateTable
CREATE TABLE "intent_rules" (
    "intent_rule_id" UUID NOT NULL DEFAULT uuid_v7(),
    "workspace_id" UUID NOT NULL,
    "campaign_id" UUID,
    "intent" "Intent" NOT NULL,
    "does" "IntentEffect" NOT NULL,
    "hold_days" INTEGER,
    "branch_campaign_id" UUID,
    "assignee_id" UUID,
    "label" TEXT,
    "notify_ids" UUID[] DEFAULT ARRAY[]::UUID[],

    CONSTRAINT "intent_rules_pkey" PRIMARY KEY ("intent_rule_id")
);

-- CreateTable
CREATE TABLE "lead_branches" (
    "branch_id" UUID NOT NULL DEFAULT uuid_v7(),
    "workspace_id" UUID NOT NULL,
    "campaign_lead_id" UUID NOT NULL,
    "campaign_id" UUID NOT NULL,
    "email" TEXT,
    "intent" "Intent" NOT NULL,
    "asked_at" TIMESTAMPTZ(3) NOT NULL,
    "next_try_at" TIMESTAMPTZ(3),
    "tries" INTEGER NOT NULL DEFAULT 0,
    "outcome" TEXT,

    CONSTRAINT "lead_branches_pkey" PRIMARY KEY ("branch_id")
);

-- CreateIndex
CREATE INDEX "intent_rules_campaign_id_idx" ON "intent_rules"("campaign_id");

-- CreateIndex
CREATE INDEX "intent_rules_branch_campaign_id_idx" ON "intent_rules"("branch_campaign_id");

-- CreateIndex
CREATE INDEX "intent_rules_assignee_id_idx" ON "intent_rules"("assignee_id");

-- CreateIndex
CREATE INDEX "lead_branches_workspace_id_idx" ON "lead_branches"("workspace_id");

-- CreateIndex
CREATE INDEX "lead_branches_campaign_id_email_idx" ON "lead_branches"("campaign_id", "email");

-- CreateIndex
CREATE UNIQUE INDEX "lead_branches_campaign_lead_id_campaign_id_key" ON "lead_branches"("campaign_lead_id", "campaign_id");

-- AddForeignKey
ALTER TABLE "intent_rules" ADD CONSTRAINT "intent_rules_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "intent_rules" ADD CONSTRAINT "intent_rules_campaign_id_fkey" FOREIGN KEY ("campaign_id") REFERENCES "campaigns"("campaign_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "intent_rules" ADD CONSTRAINT "intent_rules_branch_campaign_id_fkey" FOREIGN KEY ("branch_campaign_id") REFERENCES "campaigns"("campaign_id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "intent_rules" ADD CONSTRAINT "intent_rules_assignee_id_fkey" FOREIGN KEY ("assignee_id") REFERENCES "users"("user_id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "lead_branches" ADD CONSTRAINT "lead_branches_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "lead_branches" ADD CONSTRAINT "lead_branches_campaign_lead_id_fkey" FOREIGN KEY ("campaign_lead_id") REFERENCES "campaign_leads"("campaign_lead_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "lead_branches" ADD CONSTRAINT "lead_branches_campaign_id_fkey" FOREIGN KEY ("campaign_id") REFERENCES "campaigns"("campaign_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- One rule for each intent, of the workspace and of each campaign. What asks for no more mail, and what no person wrote, has none.
CREATE UNIQUE INDEX "intent_rules_workspace_id_intent_key" ON "intent_rules" ("workspace_id", "intent") WHERE "campaign_id" IS NULL;
CREATE UNIQUE INDEX "intent_rules_campaign_id_intent_key" ON "intent_rules" ("workspace_id", "campaign_id", "intent")
  WHERE "campaign_id" IS NOT NULL;
ALTER TABLE "intent_rules"
  ADD CONSTRAINT "intent_rules_intent" CHECK ("intent" NOT IN ('stop', 'absence', 'bounce')),
  ADD CONSTRAINT "intent_rules_hold_days" CHECK ("hold_days" BETWEEN 1 AND 365),
  ALTER COLUMN "notify_ids" SET NOT NULL;
ALTER TABLE "inbox_messages" ALTER COLUMN "ruled_intents" SET NOT NULL;

CREATE INDEX "lead_branches_next_try_at_idx" ON "lead_branches" ("next_try_at") WHERE "next_try_at" IS NOT NULL;
CREATE INDEX "inbox_messages_follow_at_idx" ON "inbox_messages" ("follow_at") WHERE "follow_at" IS NOT NULL;

INSERT INTO "intent_rules" ("workspace_id", "intent", "does")
  SELECT "workspace_id", 'later', 'end' FROM "workspaces" WHERE "after_later" = 'end';
ALTER TABLE "workspaces" DROP COLUMN "after_later";
DROP TYPE "AfterLater";
