import type { Pool } from 'pg'
import type { SocialMessage } from '#lib/providers/social/port'

const PAGE = 50

type Reading = { since: Date; cursor: string | null; now: Date }

/** The messages in an account's chats up to now, oldest first. */
export async function readSandboxMessages(pool: Pool, account: string, { since, cursor, now }: Reading) {
  const [at, after] = cursor?.split('|') ?? []
  const { rows } = await pool.query<SocialMessage>(
    `SELECT m.message_id, m.chat_id, m.direction, m.provider_id,
       CASE WHEN m.direction = 'in' THEN p.name END AS sender_name, m.text, m.at
     FROM sandbox_chat_messages m LEFT JOIN sandbox_people p USING (provider_account_id, provider_id)
     WHERE m.provider_account_id = $1 AND m.action_type IN ('message', 'inmail') AND m.at >= $2 AND m.at <= $3
       AND ($4::timestamptz IS NULL OR (m.at, m.message_id) > ($4, $5))
     ORDER BY m.at, m.message_id LIMIT $6`,
    [account, since, now, at ?? null, after ?? null, PAGE],
  )
  const last = rows.length === PAGE ? rows.at(-1) : undefined
  return { items: rows, next_cursor: last ? `${last.at.toISOString()}|${last.message_id}` : null }
}
