import { pool } from '#lib/db/client'
import { prepared } from '#lib/db/prepared'

/**
 * The clock skew to expect between machines. A bucket used further in the future was written by a clock that has been set back since; it
 * refills from now on instead of only once that time is reached again.
 */
const APART = "interval '5 minutes'"

/**
 * Follows `INSERT INTO rate_limits AS r (bucket, tokens, updated_at)` of a full bucket less one token: takes one token from the existing
 * bucket, which refills evenly within this many seconds. Returns the rest; below zero means that there was none.
 */
const takeWithin = (seconds: number) => `ON CONFLICT (bucket) DO UPDATE SET
    tokens = greatest(-1, least(excluded.tokens + 1, greatest(r.tokens, 0)
      + (excluded.tokens + 1) * greatest(0, extract(epoch FROM excluded.updated_at - r.updated_at)) / ${seconds}) - 1),
    updated_at = CASE WHEN r.updated_at > excluded.updated_at + ${APART} THEN excluded.updated_at
      ELSE greatest(r.updated_at, excluded.updated_at) END
  RETURNING tokens`
/** For buckets that refill within a minute, as nearly all do. */
export const TAKE_TOKEN = takeWithin(60)

/** One statement, so that several processes share a bucket without explicit locks. */
export async function takeToken(bucket: string, perMinute: number, now: Date): Promise<number> {
  const { rows } = await pool().query<{ tokens: number }>(
    prepared(
      `INSERT INTO rate_limits AS r (bucket, tokens, updated_at) VALUES ($1, $2::float8 - 1, $3) ${TAKE_TOKEN}`,
      [bucket, perMinute, now],
    ),
  )
  return rows[0]?.tokens ?? 0
}

/**
 * Limits mails to one address that anybody may trigger, per hour. The prefix of the bucket's name marks it as hourly for the removal of
 * full buckets.
 */
export async function mayMail(what: string, address: string, perHour: number, now: Date): Promise<boolean> {
  const { rows } = await pool().query<{ tokens: number }>(
    prepared(
      `INSERT INTO rate_limits AS r (bucket, tokens, updated_at) VALUES ($1, $2::float8 - 1, $3) ${takeWithin(3600)}`,
      [`mails-${what}:${address}`, perHour, now],
    ),
  )
  return (rows[0]?.tokens ?? 0) >= 0
}

/** A bucket's name and size. */
export type Bucket = { bucket: string; per_minute: number }

/**
 * Takes from a credential's bucket, then from its workspace's, which all members and keys share. A call refused by the first costs the
 * workspace nothing. Returns what is left in the emptier one.
 */
export async function takeTokens(own: Bucket, shared: Bucket, now: Date): Promise<number> {
  const { rows } = await pool().query<{ tokens: number }>(
    prepared(
      `WITH own AS (INSERT INTO rate_limits AS r (bucket, tokens, updated_at) VALUES ($1, $2::float8 - 1, $5) ${TAKE_TOKEN}),
       shared AS (INSERT INTO rate_limits AS r (bucket, tokens, updated_at)
         SELECT $3, $4::float8 - 1, $5 FROM own WHERE own.tokens >= 0 ${TAKE_TOKEN})
       SELECT least(own.tokens, (SELECT tokens FROM shared)) AS tokens FROM own`,
      [own.bucket, own.per_minute, shared.bucket, shared.per_minute, now],
    ),
  )
  return rows[0]?.tokens ?? 0
}

/** Puts one token back, for a call that turned out not to count. */
export async function giveTokenBack(bucket: string): Promise<void> {
  await pool().query('UPDATE rate_limits SET tokens = tokens + 1 WHERE bucket = $1', [bucket])
}

/** Every bucket is full a minute (or an hour) after its last use, and a full bucket is equivalent to an absent one. */
const FULL_AFTER_MS = 60_000
const MAILS_FULL_AFTER_MS = 3_600_000

export async function removeFullBuckets(now: Date): Promise<{ removed: number }> {
  const { rowCount } = await pool().query(
    `DELETE FROM rate_limits WHERE updated_at < $1 AND (updated_at < $2 OR bucket NOT LIKE 'mails-%')`,
    [new Date(now.getTime() - FULL_AFTER_MS), new Date(now.getTime() - MAILS_FULL_AFTER_MS)],
  )
  return { removed: rowCount ?? 0 }
}
