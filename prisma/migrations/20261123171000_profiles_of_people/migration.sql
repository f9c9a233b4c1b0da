-- Most people have no profile, and an index of nothing costs each of them an entry.
DROP INDEX "people_workspace_id_profile_idx";
CREATE INDEX "people_workspace_id_profile_idx" ON "people"("workspace_id", "profile") WHERE "profile" IS NOT NULL;
