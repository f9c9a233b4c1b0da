-- linkedin.com/in/jos%C3%A9, linkedin.com/in/josé and the bare handle josé were three people. What a profile is known by is decided
-- here and by profileKey in lib/domain/social/profile-address.ts alike; a test compares the two.

-- As decodeURIComponent does: all of it, or nothing where something is no UTF-8. NUL is no text.
CREATE FUNCTION "percent_decoded"(written text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 2 AS $$
DECLARE
  bytes text;
BEGIN
  IF strpos(written, '%') = 0 OR written ~ '%(?![0-9A-Fa-f]{2})' THEN
    RETURN written;
  END IF;
  SELECT string_agg(CASE WHEN m.part[1] LIKE '\%%' THEN lower(substr(m.part[1], 2)) ELSE encode(convert_to(m.part[1], 'UTF8'), 'hex') END,
      '' ORDER BY m.place) INTO bytes
    FROM regexp_matches(written, '%[0-9A-Fa-f]{2}|[^%]+', 'g') WITH ORDINALITY m (part, place);
  IF bytes !~ ('^(?:0[1-9a-f]|[1-7].|(?:c[2-9a-f]|d.)[89ab].|e0[ab].[89ab].|e[1-9abcef](?:[89ab].){2}|ed[89].[89ab].'
      || '|f0[9ab].(?:[89ab].){2}|f[1-3](?:[89ab].){3}|f48.(?:[89ab].){2})*$') THEN
    RETURN written;
  END IF;
  RETURN convert_from(decode(bytes, 'hex'), 'UTF8');
END
$$;

-- The name of a profile behind `before`; null where there is none.
CREATE FUNCTION "profile_name"(before text, path text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 2 AS $$
DECLARE
  name text;
BEGIN
  IF left(path, length(before)) <> before THEN
    RETURN NULL;
  END IF;
  name := split_part(regexp_replace(substr(path, length(before) + 1), '^@', ''), '/', 1);
  IF name = '' OR name ~ E'[ \t\n\u000b\f\r\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff@,;|]' THEN
    RETURN NULL;
  END IF;
  IF before = '' AND name IN ('p', 'reel', 'reels', 'tv', 'stories', 'explore', 'accounts', 'i', 'intent', 'home', 'hashtag', 'search',
      'share', 's', 'c', 'joinchat', 'addstickers') THEN
    RETURN NULL;
  END IF;
  RETURN before || name;
END
$$;

-- What a profile on a network is known by, however a list writes it.
CREATE FUNCTION "profile_key"(network text, written text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 4 AS $$
DECLARE
  spaces CONSTANT text := E' \t\n\u000b\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';
  name text;
  known text;
  plain text;
  host text;
  slash int;
BEGIN
  -- As nearly all lists have it: expressions take ten times as long.
  name := CASE WHEN starts_with(written, 'https://www.linkedin.com/in/') THEN substr(written, 29)
    WHEN starts_with(written, 'https://linkedin.com/in/') THEN substr(written, 25)
    WHEN starts_with(written, 'http://www.linkedin.com/in/') THEN substr(written, 28)
    WHEN starts_with(written, 'linkedin.com/in/') THEN substr(written, 17)
    WHEN network = 'linkedin' THEN written END;
  name := CASE WHEN right(name, 1) = '/' AND name <> written THEN left(name, -1) ELSE name END;
  IF name <> '' AND translate(name, 'abcdefghijklmnopqrstuvwxyz0123456789_-', '') = '' AND length(written) <= 500 THEN
    RETURN 'linkedin.com/in/' || name;
  END IF;
  name := NULL;
  plain := btrim(written, spaces);
  IF plain = '' OR length(plain) > 500 THEN
    RETURN lower(plain);
  END IF;
  plain := regexp_replace(regexp_replace(plain, '^<(.*)>$', '\1'), '[?#].*$', '');
  LOOP
    known := percent_decoded(plain);
    EXIT WHEN known = plain;
    plain := known;
  END LOOP;
  plain := lower(normalize(regexp_replace(btrim(plain, spaces), '^<(.*)>$', '\1'), NFC));
  plain := regexp_replace(regexp_replace(plain, '^[a-z]+://', ''), '^([a-z.]+):(443|80)/', '\1/');
  plain := regexp_replace(regexp_replace(plain, '[?#].*$', ''), '/{2,}', '/', 'g');
  slash := strpos(plain, '/');
  IF slash > 0 THEN
    host := regexp_replace(left(plain, slash - 1), '^(www|m|mobile)\.', '');
    host := regexp_replace(host, '^[a-z]{2}\.(?=((linkedin|twitter|x|instagram)\.com|(t|telegram)\.me)$)', '');
    host := CASE host WHEN 'twitter.com' THEN 'x.com' WHEN 'telegram.me' THEN 't.me' ELSE host END;
    IF host IN ('linkedin.com', 'x.com', 'instagram.com', 't.me') THEN
      name := profile_name(CASE host WHEN 'linkedin.com' THEN 'in/' ELSE '' END, substr(plain, slash + 1));
      IF name IS NOT NULL THEN
        RETURN host || '/' || name;
      END IF;
    END IF;
  END IF;
  host := CASE network WHEN 'linkedin' THEN 'linkedin.com' WHEN 'twitter' THEN 'x.com' WHEN 'instagram' THEN 'instagram.com'
    WHEN 'telegram' THEN 't.me' END;
  IF host = 'linkedin.com' THEN
    name := profile_name('in/', CASE WHEN slash > 0 THEN plain ELSE 'in/' || plain END);
  ELSIF host IS NOT NULL AND slash = 0 THEN
    name := profile_name('', plain);
  END IF;
  IF name IS NOT NULL THEN
    RETURN host || '/' || name;
  END IF;
  RETURN regexp_replace(regexp_replace(plain, '^(www\.)?@?', ''), '/+$', '');
END
$$;

-- Whoever is known by nothing else, and by two spellings, stays two people: their pages offer to merge them.
WITH "spelled" AS (
  SELECT person_id, workspace_id, email, profile, split_part(profile, ':', 1) || ':' || left(
    profile_key(split_part(profile, ':', 1), substr(profile, strpos(profile, ':') + 1)), 500) AS name
  FROM "people" WHERE strpos(profile, ':') > 0
), "renamed" AS (
  SELECT *, row_number() OVER (PARTITION BY workspace_id, email IS NULL, name ORDER BY person_id) AS place
  FROM "spelled" WHERE name <> profile
)
UPDATE "people" p SET profile = n.name FROM "renamed" n
WHERE p.person_id = n.person_id AND (p.email IS NOT NULL OR (n.place = 1 AND NOT EXISTS (
  SELECT 1 FROM "people" same WHERE same.workspace_id = p.workspace_id AND same.email IS NULL AND same.profile = n.name)));
