-- What waits for somebody, counted over all workspaces of a person at once.
CREATE INDEX "threads_unanswered" ON "threads" ("workspace_id")
  WHERE "status" = 'open' AND "last_direction" = 'in' AND "last_kind" = 'reply';
CREATE INDEX "campaigns_halted" ON "campaigns" ("workspace_id") WHERE "status" IN ('failed', 'paused');
