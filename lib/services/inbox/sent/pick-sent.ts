import type { Pool } from 'pg'
import { messageIds, readHeader, readHeaders } from '#lib/domain/inbox/headers'
import { isNamedHere } from '#lib/domain/inbox/written/addressed'
import { readActionId } from '#lib/domain/messages/mail-message'
import { listAddresses } from '#lib/domain/messages/own-addresses'
import type { SentReading } from '#lib/providers/inbox/port'
import { MESSAGE_REF } from '#lib/providers/mail/message-ref'
import type { InboundMailbox } from '#lib/services/inbox/arrived-mail'
import { matchWritten } from '#lib/services/inbox/sent/match-written'
import { type MailReader, readArrived } from '#lib/services/reading/mail'

/**
 * Decides, from headers alone, which of the mails that left a mailbox a user wrote to a lead of the
 * workspace. Opener's own mail is recognized by its ids. All other mail is private: it is neither stored nor
 * fetched.
 */
export function createPicker(
  pool: Pool,
  mailbox: InboundMailbox,
  reader: MailReader | undefined,
): SentReading['pick'] {
  return async (heads) => {
    const ids = heads.map(({ head }) => readNames(head))
    const ours = await findOurs(pool, mailbox, ids.flat())
    const picked: boolean[] = []
    for (const [index, { head, at }] of heads.entries()) {
      const isOurs = ids[index]?.some((id) => ours.has(id)) ?? false
      picked.push(!isOurs && (await isWritten(pool, mailbox, { head, at }, reader)))
    }
    return picked
  }
}

async function isWritten(
  pool: Pool,
  mailbox: InboundMailbox,
  { head, at }: { head: Uint8Array; at: Date },
  reader: MailReader | undefined,
): Promise<boolean> {
  const read = await readArrived(mailbox.workspace_id, head, at, reader)
  return !read.unreadable && (await matchWritten(pool, mailbox, read, at)).length > 0
}

const MAX_ID = 500

/** The ids of a mail: its Message-ID, and the header that survives if a server replaces that. */
function readNames(head: Uint8Array): string[] {
  const headers = readHeaders(new TextDecoder().decode(head))
  return ['message-id', MESSAGE_REF.toLowerCase()]
    .flatMap((name) => messageIds(readHeader({ headers }, name))[0] ?? [])
    .filter((id) => id.length <= MAX_ID)
}

/**
 * The ids under which Opener sent something: a step, reply, forward or test. The row exists before the mail
 * is offered.
 */
export async function findOurs(
  pool: Pool,
  { workspace_id, ...mailbox }: InboundMailbox,
  ids: string[],
): Promise<Set<string>> {
  const own = listAddresses(mailbox)
  const named = ids.filter((id) => isNamedHere(id, own))
  const { rows } = await pool.query<{ id: string }>(
    `SELECT server_message_id AS id FROM actions WHERE workspace_id = $1 AND server_message_id = ANY ($2)
     UNION SELECT message_id FROM actions WHERE workspace_id = $1 AND action_id = ANY ($3::uuid[]) AND message_id = ANY ($2)
     UNION SELECT server_message_id FROM inbox_messages
       WHERE workspace_id = $1 AND server_message_id = ANY ($2) AND kind <> 'own_message'
     UNION SELECT message_id FROM inbox_messages
       WHERE workspace_id = $1 AND message_id = ANY ($2) AND kind IN ('answer', 'forward')
     UNION SELECT server_message_id FROM placement_tests WHERE workspace_id = $1 AND server_message_id = ANY ($2)`,
    [workspace_id, ids, ids.flatMap((id) => readActionId(id) ?? [])],
  )
  return new Set([...named, ...rows.map(({ id }) => id)])
}
