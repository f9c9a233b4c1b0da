-- uk.linkedin.com/in/jane, linkedin.com/in/jane/en and twitter.com/jane beside x.com/jane were people of their own. Whoever is known
-- by nothing else, and by both spellings, stays two people, who can be merged.
WITH "spelled" AS (
  SELECT person_id, workspace_id, email, profile, split_part(profile, ':', 1) || ':' || regexp_replace(
    replace(replace(regexp_replace(substr(profile, strpos(profile, ':') + 1),
      '^(www|m|mobile|[a-z]{2})\.(?=(linkedin|twitter|x|instagram)\.com/|(t|telegram)\.me/)', ''),
      'twitter.com/', 'x.com/'), 'telegram.me/', 't.me/'),
    '^(linkedin\.com/in/|(x|instagram)\.com/(?!(?:p|reel|reels|tv|stories|explore|accounts|i|intent|home|hashtag|search|share|s|c|joinchat|addstickers)(?:/|$))|t\.me/(?!(?:p|reel|reels|tv|stories|explore|accounts|i|intent|home|hashtag|search|share|s|c|joinchat|addstickers)(?:/|$)))@?([^/]+).*$', '\1\3') AS name
  FROM "people" WHERE profile IS NOT NULL
), "renamed" AS (
  SELECT *, row_number() OVER (PARTITION BY workspace_id, email IS NULL, name ORDER BY person_id) AS place
  FROM "spelled" WHERE name <> profile
)
UPDATE "people" p SET profile = n.name FROM "renamed" n
WHERE p.person_id = n.person_id AND (p.email IS NOT NULL OR (n.place = 1 AND NOT EXISTS (
  SELECT 1 FROM "people" same WHERE same.workspace_id = p.workspace_id AND same.email IS NULL AND same.profile = n.name)));
