-- Who is known by a telephone number alone. No row has one yet, and the last release writes none, so the unique index refuses nothing.
ALTER TABLE "people" ADD COLUMN "telephone" TEXT;
CREATE UNIQUE INDEX "people_workspace_id_telephone_key" ON "people"("workspace_id", "telephone") WHERE "telephone" IS NOT NULL;
-- Those whom a list may name by an address now, and whoever has a number however lists write it: found by its last digits.
CREATE INDEX "people_telephone_alone_idx" ON "people"("workspace_id", right("telephone", 6))
  WHERE "telephone" IS NOT NULL AND "email" IS NULL AND "profile" IS NULL AND "merged_into_id" IS NULL;
CREATE INDEX "people_phone_tail_idx" ON "people"("workspace_id", right(regexp_replace("phone", '\D', '', 'g'), 6))
  WHERE "phone" IS NOT NULL;
