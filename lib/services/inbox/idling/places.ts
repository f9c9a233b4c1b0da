import type { Pool } from 'pg'
import { lockHost } from '#lib/services/inbox/mailboxes/host-line'
import type { ReadableMailbox } from '#lib/services/inbox/mailboxes/provider'

/** An inbox that can be listened to. `way` identifies its server, password and sign-in, and changes with them. */
export type Audible = ReadableMailbox & {
  imap: NonNullable<ReadableMailbox['imap']>
  workspace_id: string
  host: string
  way: string
}

/** SQL: `m` is read over IMAP and needs no new sign-in. */
const OVER_IMAP = `m.imap IS NOT NULL AND NOT EXISTS (SELECT 1 FROM mailbox_grants g
  WHERE g.mailbox_id = m.mailbox_id AND (g.route = 'api' OR g.ended_cause IS NOT NULL))`

const WAY = `md5(concat_ws('|', m.imap::text, m.imap_password,
  (SELECT g.granted_at::text FROM mailbox_grants g WHERE g.mailbox_id = m.mailbox_id)))`

const ACTIVE_AT = 'greatest(m.last_action_at, m.inbox_arrived_at, m.created_at)'

type Looking = {
  /** Most connections per host. */
  share: number
  room: number
  /** `mailbox_id` and `way` of inboxes to leave out. */
  resting: string[]
}

/** Inboxes whose last read succeeded and whose host has room, the most recently active first. */
export async function findAudible(pool: Pool, { share, room, resting }: Looking): Promise<Audible[]> {
  const { rows } = await pool.query<Audible>(
    `WITH held AS (SELECT host, count(*)::int AS taken FROM mail_connections
       WHERE mailbox_id IS NOT NULL AND held_until > clock_timestamp() GROUP BY host),
     audible AS (SELECT m.mailbox_id, m.workspace_id, m.imap, m.imap_password, lower(m.imap->>'host') AS host, ${WAY} AS way,
         EXISTS (SELECT 1 FROM mailbox_grants g WHERE g.mailbox_id = m.mailbox_id) AS by_oauth, ${ACTIVE_AT} AS active_at
       FROM mailboxes m
       WHERE ${OVER_IMAP} AND m.inbox_polled_at IS NOT NULL AND m.inbox_error IS NULL
         AND NOT EXISTS (SELECT 1 FROM mail_connections c
           WHERE c.mailbox_id = m.mailbox_id AND c.held_until > clock_timestamp())),
     ranked AS (SELECT *, row_number() OVER (PARTITION BY host ORDER BY active_at DESC, mailbox_id) AS nth
       FROM audible WHERE NOT mailbox_id || way = ANY ($1::text[]))
     SELECT mailbox_id, workspace_id, imap, imap_password, host, way, by_oauth
     FROM ranked LEFT JOIN held USING (host) WHERE nth + coalesce(taken, 0) <= $2
     ORDER BY active_at DESC, mailbox_id LIMIT $3`,
    [resting, share, room],
  )
  return rows
}

type Bounds = { most: number; share: number; hold_ms: number }

/**
 * Takes a place among the host's connections, held as long as it is renewed; null if there is none, or another process listens.
 * There is no queue for these places: reading, searching and filing come first.
 */
export async function takePlace(
  pool: Pool,
  { mailbox_id, workspace_id, host }: Audible,
  { most, share, hold_ms }: Bounds,
): Promise<string | null> {
  return lockHost(pool, host, async (client) => {
    await client.query(
      'DELETE FROM mail_connections WHERE mailbox_id = $1 AND held_until <= clock_timestamp()',
      [mailbox_id],
    )
    const { rows } = await client.query<{ id: string }>(
      `INSERT INTO mail_connections (host, mailbox_id, held_until)
       SELECT $1, m.mailbox_id, clock_timestamp() + $2 * interval '1 millisecond' FROM mailboxes m
       WHERE m.workspace_id = $3 AND m.mailbox_id = $4
         AND (SELECT count(*) < $5 AND count(mailbox_id) < $6 FROM mail_connections WHERE host = $1)
       ON CONFLICT (mailbox_id) DO NOTHING RETURNING mail_connection_id AS id`,
      [host, hold_ms, workspace_id, mailbox_id, most, share],
    )
    return rows[0]?.id ?? null
  })
}

/** Renews places; returns those still held, each with its mailbox's current `way`. */
export async function renewPlaces(pool: Pool, ids: string[], hold_ms: number): Promise<Map<string, string>> {
  const { rows } = await pool.query<{ id: string; way: string }>(
    `UPDATE mail_connections c SET held_until = clock_timestamp() + $2 * interval '1 millisecond'
     FROM mailboxes m WHERE c.mail_connection_id = ANY ($1::bigint[]) AND c.held_until > clock_timestamp()
       AND m.mailbox_id = c.mailbox_id AND ${OVER_IMAP}
     RETURNING c.mail_connection_id AS id, ${WAY} AS way`,
    [ids, hold_ms],
  )
  return new Map(rows.map(({ id, way }) => [id, way]))
}

export async function giveUpPlace(pool: Pool, id: string): Promise<void> {
  await pool.query('DELETE FROM mail_connections WHERE mail_connection_id = $1', [id])
}
