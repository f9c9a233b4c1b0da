-- Rows of one transaction are read in the order in which they were written, also within one millisecond: the native
-- uuidv7() (from Postgres 18 on) never goes backwards within a session, and elsewhere the 12 bits behind the millisecond
-- hold its fraction (RFC 9562, section 6.2).
DO $migration$
BEGIN
  IF current_setting('server_version_num')::int >= 180000 THEN
    CREATE OR REPLACE FUNCTION uuid_v7() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS 'SELECT uuidv7()';
  ELSE
    CREATE OR REPLACE FUNCTION uuid_v7() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
      SELECT encode(
        overlay(uuid_send(gen_random_uuid())
          PLACING int8send((us / 1000 << 16) | x'7000'::bigint | (us % 1000 * 4)) FROM 1 FOR 8),
        'hex')::uuid
      FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS us) AS now
    $$;
  END IF;
END
$migration$;
