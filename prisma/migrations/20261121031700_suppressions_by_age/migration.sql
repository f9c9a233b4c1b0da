-- A list may hold 100,000 entries, and is read newest first.
-- CreateIndex
CREATE INDEX "suppressions_user_id_created_at_suppression_id_idx" ON "suppressions"("user_id", "created_at", "suppression_id");
