-- Sessions before this one were all imports; what an import asks for stands in its upload.
-- CreateEnum
CREATE TYPE "SessionWork" AS ENUM ('import', 'enrichment', 'extraction', 'email_finder');

-- AlterTable
ALTER TABLE "dataset_sessions" ADD COLUMN     "cost_micros" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "next_index" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "options" JSONB NOT NULL DEFAULT '{}',
ADD COLUMN     "summary" JSONB NOT NULL DEFAULT '{}',
ADD COLUMN     "undone_at" TIMESTAMPTZ(3),
ADD COLUMN     "work" "SessionWork" NOT NULL DEFAULT 'import';

-- CreateTable
CREATE TABLE "dataset_cell_changes" (
    "change_id" BIGSERIAL NOT NULL,
    "session_id" UUID NOT NULL,
    "dataset_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "lead_index" INTEGER NOT NULL,
    "field" TEXT NOT NULL,
    "old_value" TEXT,
    "new_value" TEXT NOT NULL,
    "rule" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "certainty" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "undone_at" TIMESTAMPTZ(3),
    "kept_reason" TEXT,

    CONSTRAINT "dataset_cell_changes_pkey" PRIMARY KEY ("change_id")
);

-- CreateTable
CREATE TABLE "enrichment_lookups" (
    "session_id" UUID NOT NULL,
    "lead_index" INTEGER NOT NULL,
    "provider" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'asked',
    "cost_micros" BIGINT NOT NULL,
    "fields" JSONB NOT NULL DEFAULT '{}',
    "source" TEXT,
    "error" TEXT,
    "asked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "enrichment_lookups_pkey" PRIMARY KEY ("session_id","lead_index","provider")
);

-- CreateTable
CREATE TABLE "email_finder_results" (
    "session_id" UUID NOT NULL,
    "lead_index" INTEGER NOT NULL,
    "user_id" UUID NOT NULL,
    "email" TEXT,
    "confidence" INTEGER NOT NULL,
    "status" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "filled" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "email_finder_results_pkey" PRIMARY KEY ("session_id","lead_index")
);

-- CreateTable
CREATE TABLE "email_checks" (
    "user_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "domain" TEXT NOT NULL,
    "answer" TEXT NOT NULL,
    "catch_all" BOOLEAN,
    "mx" TEXT NOT NULL,
    "response" TEXT NOT NULL,
    "checked_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "email_checks_pkey" PRIMARY KEY ("user_id","email")
);

-- CreateTable
CREATE TABLE "probe_slots" (
    "mx_host" TEXT NOT NULL,
    "held_until" TIMESTAMPTZ(3) NOT NULL,
    "free_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "probe_slots_pkey" PRIMARY KEY ("mx_host")
);

-- CreateIndex
CREATE INDEX "dataset_cell_changes_dataset_id_lead_index_idx" ON "dataset_cell_changes"("dataset_id", "lead_index");

-- CreateIndex
CREATE INDEX "dataset_cell_changes_user_id_idx" ON "dataset_cell_changes"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "dataset_cell_changes_session_id_lead_index_field_key" ON "dataset_cell_changes"("session_id", "lead_index", "field");

-- CreateIndex
CREATE INDEX "enrichment_lookups_user_id_idx" ON "enrichment_lookups"("user_id");

-- CreateIndex
CREATE INDEX "email_finder_results_user_id_idx" ON "email_finder_results"("user_id");

-- CreateIndex
CREATE INDEX "email_checks_user_id_domain_checked_at_idx" ON "email_checks"("user_id", "domain", "checked_at");

-- AddForeignKey
ALTER TABLE "dataset_cell_changes" ADD CONSTRAINT "dataset_cell_changes_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "dataset_sessions"("session_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "dataset_cell_changes" ADD CONSTRAINT "dataset_cell_changes_dataset_id_fkey" FOREIGN KEY ("dataset_id") REFERENCES "datasets"("dataset_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "enrichment_lookups" ADD CONSTRAINT "enrichment_lookups_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "dataset_sessions"("session_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "email_finder_results" ADD CONSTRAINT "email_finder_results_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "dataset_sessions"("session_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "email_checks" ADD CONSTRAINT "email_checks_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- One run of work over a dataset at a time, whoever asks for a second one meanwhile.
CREATE UNIQUE INDEX "dataset_sessions_one_at_a_time" ON "dataset_sessions" ("dataset_id")
  WHERE status IN ('queued', 'processing');
ALTER TABLE "enrichment_lookups"
  ADD CONSTRAINT "enrichment_lookups_status" CHECK (status IN ('asked', 'found', 'nothing', 'failed'));
ALTER TABLE "email_checks"
  ADD CONSTRAINT "email_checks_answer" CHECK (answer IN ('accepted', 'refused', 'deferred', 'failed'));
ALTER TABLE "email_finder_results"
  ADD CONSTRAINT "email_finder_results_confidence" CHECK (confidence BETWEEN 0 AND 100);

-- The known addresses of one company, which the patterns of the email finder are learned from.
CREATE INDEX "dataset_rows_domain" ON "dataset_rows" ("user_id", split_part("email", '@', 2)) WHERE "email" IS NOT NULL;
