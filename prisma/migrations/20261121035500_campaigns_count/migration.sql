-- Why: the total of a list of campaigns was counted anew for each page, which is most of its cost from some thousands on.
ALTER TABLE "users" ADD COLUMN     "campaigns_count" INTEGER NOT NULL DEFAULT 0;

UPDATE "users" u SET campaigns_count = c.count
FROM (SELECT user_id, count(*) FROM "campaigns" GROUP BY user_id) c WHERE c.user_id = u.user_id;

-- Only inserts and deletes count: what dispatch does to a campaign never touches its owner's row. Owners are locked in one
-- order, so that two statements over several of them cannot wait for each other.
CREATE FUNCTION count_campaigns() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH delta AS (
    SELECT user_id, count(*)::int * (CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END) AS change FROM changed_rows GROUP BY user_id
  ), locked AS (
    SELECT u.user_id FROM users u JOIN delta USING (user_id) ORDER BY u.user_id FOR NO KEY UPDATE OF u
  )
  UPDATE users u SET campaigns_count = u.campaigns_count + delta.change
  FROM delta JOIN locked USING (user_id) WHERE u.user_id = delta.user_id;
  RETURN NULL;
END $$;

CREATE TRIGGER count_new_campaigns AFTER INSERT ON "campaigns"
  REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION count_campaigns();
CREATE TRIGGER count_deleted_campaigns AFTER DELETE ON "campaigns"
  REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION count_campaigns();
