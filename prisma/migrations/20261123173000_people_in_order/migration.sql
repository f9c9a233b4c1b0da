-- People are listed newest first, without those who were found to be somebody else.
CREATE INDEX "people_in_order" ON "people"("workspace_id", "person_id") WHERE "merged_into_id" IS NULL;
