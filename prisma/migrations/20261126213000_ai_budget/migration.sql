-- What models used for a workspace in a month of its own clock, and how much that may be.
ALTER TABLE "workspaces" ADD COLUMN "ai_tokens_per_month" INTEGER;
ALTER TABLE "workspaces" ADD CONSTRAINT "workspaces_ai_tokens_per_month_check" CHECK ("ai_tokens_per_month" >= 0);
CREATE TABLE "ai_usage" (
  "workspace_id" UUID NOT NULL,
  "month" DATE NOT NULL,
  "tokens" BIGINT NOT NULL DEFAULT 0,
  CONSTRAINT "ai_usage_pkey" PRIMARY KEY ("workspace_id", "month")
);
ALTER TABLE "ai_usage" ADD CONSTRAINT "ai_usage_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;
