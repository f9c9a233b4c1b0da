-- A slash before a query stayed, so that linkedin.com/in/jane/?x=1 was somebody else than linkedin.com/in/jane. Whoever is known by
-- nothing else, and by both spellings, stays two people, who can be merged.
UPDATE "people" p SET profile = n.profile FROM (
  SELECT person_id, regexp_replace(profile, '/+$', '') AS profile,
    row_number() OVER (PARTITION BY workspace_id, email IS NULL, regexp_replace(profile, '/+$', '') ORDER BY person_id) AS place
  FROM "people" WHERE profile LIKE '%/') n
WHERE p.person_id = n.person_id AND (p.email IS NOT NULL OR (n.place = 1 AND NOT EXISTS (
  SELECT 1 FROM "people" same WHERE same.workspace_id = p.workspace_id AND same.email IS NULL AND same.profile = n.profile)));
