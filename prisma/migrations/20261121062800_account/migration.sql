-- CreateEnum
CREATE TYPE "ChangedBy" AS ENUM ('person', 'key', 'assistant');

-- DropIndex
DROP INDEX "campaign_leads_user_id_email_idx";

-- CreateTable
CREATE TABLE "user_sessions" (
    "session_id" UUID NOT NULL DEFAULT uuid_v7(),
    "user_id" UUID NOT NULL,
    "user_agent" TEXT,
    "place" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "user_sessions_pkey" PRIMARY KEY ("session_id")
);

-- CreateTable
CREATE TABLE "audit_events" (
    "audit_event_id" UUID NOT NULL DEFAULT uuid_v7(),
    "user_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "operation" TEXT NOT NULL,
    "target" JSONB NOT NULL DEFAULT '{}',
    "by" "ChangedBy" NOT NULL,
    "key_prefix" TEXT,

    CONSTRAINT "audit_events_pkey" PRIMARY KEY ("audit_event_id")
);

-- CreateIndex
CREATE INDEX "user_sessions_user_id_created_at_idx" ON "user_sessions"("user_id", "created_at");

-- CreateIndex
CREATE INDEX "audit_events_user_id_at_audit_event_id_idx" ON "audit_events"("user_id", "at", "audit_event_id");

-- CreateIndex
-- For whole addresses and, which the one before it could not, for their beginnings.
CREATE INDEX "campaign_leads_user_id_email_idx" ON "campaign_leads"("user_id", "email" text_pattern_ops) WHERE "email" IS NOT NULL;

-- AddForeignKey
ALTER TABLE "user_sessions" ADD CONSTRAINT "user_sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "audit_events" ADD CONSTRAINT "audit_events_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;
