-- CreateEnum
CREATE TYPE "PersonalizationStatus" AS ENUM ('queued', 'running', 'completed', 'failed', 'cancelled');

-- CreateEnum
CREATE TYPE "GenerationStatus" AS ENUM ('pending', 'generated', 'failed', 'rejected');

-- CreateTable
CREATE TABLE "personalization_runs" (
    "run_id" UUID NOT NULL DEFAULT uuid_v7(),
    "user_id" UUID NOT NULL,
    "dataset_id" UUID NOT NULL,
    "campaign_id" UUID,
    "step" INTEGER,
    "template_id" UUID,
    "sender_profile_id" UUID,
    "prompt" TEXT NOT NULL,
    "template" JSONB,
    "sender" JSONB NOT NULL DEFAULT '{}',
    "model" TEXT NOT NULL,
    "lead_indexes" JSONB,
    "status" "PersonalizationStatus" NOT NULL DEFAULT 'queued',
    "error" TEXT,
    "total" INTEGER NOT NULL,
    "next_index" INTEGER NOT NULL DEFAULT 0,
    "worker" TEXT,
    "lease_until" TIMESTAMPTZ(3),
    "idle_rounds" INTEGER NOT NULL DEFAULT 0,
    "generated_count" INTEGER NOT NULL DEFAULT 0,
    "failed_count" INTEGER NOT NULL DEFAULT 0,
    "rejected_count" INTEGER NOT NULL DEFAULT 0,
    "flagged_count" INTEGER NOT NULL DEFAULT 0,
    "approved_count" INTEGER NOT NULL DEFAULT 0,
    "tokens_in" BIGINT NOT NULL DEFAULT 0,
    "tokens_out" BIGINT NOT NULL DEFAULT 0,
    "cost" DOUBLE PRECISION,
    "unknown_calls" INTEGER NOT NULL DEFAULT 0,
    "reviewed_at" TIMESTAMPTZ(3),
    "started_at" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "personalization_runs_pkey" PRIMARY KEY ("run_id")
);

-- CreateTable
CREATE TABLE "generations" (
    "generation_id" UUID NOT NULL DEFAULT uuid_v7(),
    "run_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "campaign_id" UUID,
    "step" INTEGER,
    "lead_index" INTEGER NOT NULL,
    "lead_snapshot" JSONB NOT NULL,
    "status" "GenerationStatus" NOT NULL DEFAULT 'pending',
    "generated_at" TIMESTAMPTZ(3),
    "subject" TEXT,
    "body" TEXT,
    "error" TEXT,
    "claims" JSONB NOT NULL DEFAULT '[]',
    "flags" JSONB NOT NULL DEFAULT '[]',
    "model" TEXT,
    "edited_at" TIMESTAMPTZ(3),
    "approved_at" TIMESTAMPTZ(3),
    "seal" TEXT,
    "called_at" TIMESTAMPTZ(3),
    "calls" INTEGER NOT NULL DEFAULT 0,
    "tokens_in" INTEGER,
    "tokens_out" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "generations_pkey" PRIMARY KEY ("generation_id")
);

-- CreateIndex
CREATE INDEX "personalization_runs_user_id_created_at_run_id_idx" ON "personalization_runs"("user_id", "created_at", "run_id");

-- CreateIndex
CREATE INDEX "personalization_runs_dataset_id_idx" ON "personalization_runs"("dataset_id");

-- CreateIndex
CREATE INDEX "personalization_runs_status_updated_at_idx" ON "personalization_runs"("status", "updated_at");

-- CreateIndex
CREATE INDEX "generations_campaign_id_step_lead_index_idx" ON "generations"("campaign_id", "step", "lead_index");

-- CreateIndex
CREATE INDEX "generations_user_id_idx" ON "generations"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "generations_run_id_lead_index_key" ON "generations"("run_id", "lead_index");

-- AddForeignKey
ALTER TABLE "personalization_runs" ADD CONSTRAINT "personalization_runs_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "personalization_runs" ADD CONSTRAINT "personalization_runs_dataset_id_fkey" FOREIGN KEY ("dataset_id") REFERENCES "datasets"("dataset_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "personalization_runs" ADD CONSTRAINT "personalization_runs_campaign_id_fkey" FOREIGN KEY ("campaign_id") REFERENCES "campaigns"("campaign_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "generations" ADD CONSTRAINT "generations_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "personalization_runs"("run_id") ON DELETE CASCADE ON UPDATE CASCADE;
