-- Whom a workspace knows at a domain is asked by the finder alone, and each row that was imported paid for it. The texts of rows are
-- filled in the background, and say the same.
DROP INDEX "dataset_rows_domain";
CREATE INDEX "dataset_texts_domain" ON "dataset_texts"("workspace_id", split_part("email", '@', 2)) WHERE "email" <> '';
