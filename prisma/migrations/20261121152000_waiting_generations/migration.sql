-- Asked for before every claim of a run: the few rows that wait for another try, among a hundred thousand that are written.
CREATE INDEX "generations_waiting" ON "generations" ("run_id", "lead_index") WHERE "status" = 'pending';
