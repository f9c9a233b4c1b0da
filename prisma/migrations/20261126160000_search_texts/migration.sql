-- What searches of leads and people look into, beside the rows: filled in the background, so that neither an import nor a launch pays
-- for an index. Up to `searched_to` and `people_searched_to` they are complete; beyond, searches read the rows themselves.
ALTER TABLE "datasets" ADD COLUMN "searched_to" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "workspaces" ADD COLUMN "people_searched_to" UUID;

CREATE TABLE "dataset_texts" (
  "dataset_id" UUID NOT NULL REFERENCES "datasets"("dataset_id") ON DELETE CASCADE ON UPDATE CASCADE,
  "lead_index" INTEGER NOT NULL,
  "workspace_id" UUID NOT NULL,
  "names" TEXT NOT NULL,
  "email" TEXT NOT NULL,
  -- Leads of this row may have another address than the row, or outlived it: they are asked themselves.
  "is_loose" BOOLEAN NOT NULL DEFAULT false,
  CONSTRAINT "dataset_texts_pkey" PRIMARY KEY ("dataset_id", "lead_index")
);
CREATE INDEX "dataset_texts_loose" ON "dataset_texts"("dataset_id", "lead_index") WHERE "is_loose";

CREATE TABLE "people_texts" (
  "person_id" UUID NOT NULL,
  "workspace_id" UUID NOT NULL REFERENCES "workspaces"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE,
  "text" TEXT NOT NULL,
  CONSTRAINT "people_texts_pkey" PRIMARY KEY ("person_id")
);

-- ASCII whatever the text: trigrams leave out what the locale of the database does not take for letters, which in C is all the rest.
CREATE FUNCTION search_bytes(value TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT AS $$
  SELECT encode(convert_to(value, 'UTF8'), 'escape')
$$;

-- Both extensions come with Postgres and may be made by whoever owns the database. Where they may not, searches read the texts
-- through, a tenth of what reading the rows takes.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE EXTENSION IF NOT EXISTS btree_gin;
  CREATE INDEX "dataset_texts_search" ON "dataset_texts"
    USING gin ("dataset_id", search_bytes("names" || E'\n' || "email") gin_trgm_ops);
  CREATE INDEX "people_texts_search" ON "people_texts" USING gin ("workspace_id", search_bytes("text") gin_trgm_ops);
EXCEPTION
  WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object OR invalid_parameter_value THEN
    RAISE NOTICE 'Searches go without an index: %', SQLERRM;
END $$;

-- Who changes a row and who fills the texts take turns by a lock of the dataset, so that neither overlooks what the other has not
-- committed yet. People likewise, by their workspace.
CREATE FUNCTION follow_row_texts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('search:' || d.dataset_id, 0))
    FROM (SELECT DISTINCT dataset_id FROM new_rows ORDER BY dataset_id) d;
  UPDATE dataset_texts s SET names = n.names, email = n.email, is_loose = s.is_loose OR (s.email <> n.email
      AND EXISTS (SELECT 1 FROM campaigns c WHERE c.dataset_id = n.dataset_id))
  FROM (SELECT r.dataset_id, r.lead_index, coalesce(r.email, '') AS email,
      lower(concat_ws(' ', r.data ->> 'first_name', r.data ->> 'last_name', r.data ->> 'full_name', r.data ->> 'company')) AS names
    FROM new_rows r) n
  WHERE s.dataset_id = n.dataset_id AND s.lead_index = n.lead_index AND (s.names, s.email) IS DISTINCT FROM (n.names, n.email);
  RETURN NULL;
END $$;
CREATE TRIGGER follow_row_texts AFTER UPDATE ON "dataset_rows"
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_row_texts();

CREATE FUNCTION follow_people_texts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('search:' || w.workspace_id, 0))
    FROM (SELECT DISTINCT workspace_id FROM new_rows ORDER BY workspace_id) w;
  INSERT INTO people_texts AS s (person_id, workspace_id, text)
  SELECT p.person_id, p.workspace_id, lower(concat_ws(' ', p.first_name, p.last_name, p.email, p.profile, p.company))
  FROM new_rows p JOIN workspaces w ON w.workspace_id = p.workspace_id AND p.person_id <= w.people_searched_to
  ON CONFLICT (person_id) DO UPDATE SET text = excluded.text WHERE s.text <> excluded.text;
  RETURN NULL;
END $$;
CREATE TRIGGER follow_new_people_texts AFTER INSERT ON "people"
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_people_texts();
CREATE TRIGGER follow_people_texts AFTER UPDATE ON "people"
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_people_texts();
