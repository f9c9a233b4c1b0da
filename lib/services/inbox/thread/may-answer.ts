import { db, pool } from '#lib/db/client'
import type { ThreadModel } from '#lib/db/generated/models'
import { answeringAddress, sendingAddress } from '#lib/domain/messages/own-addresses'
import { AppError } from '#lib/errors'
import { findListed } from '#lib/services/leads/suppression-reach'
import { connectedMailboxes } from '#lib/services/senders/mailbox-rows'
import { findChatSuppression, hasWritten, listedRefusal } from '#lib/services/social/listed'

type Thread = Pick<
  ThreadModel,
  | 'thread_id'
  | 'mailbox_id'
  | 'counterpart_address'
  | 'connected_account_id'
  | 'chat_id'
  | 'social_provider_id'
  | 'campaign_lead_id'
> & { channel: string }

type MayAnswer = {
  /** Why nobody can reply here; null if they can. */
  refusal: AppError | null
  /** The suppression entry that names this person. */
  suppression: { value: string; reason: string } | null
  /** The sender address of a reply; absent if there is none, or for chats. */
  from?: string
}

/** Whether a user can reply to a conversation, and what its person has asked for meanwhile. */
export const mayAnswer = (workspaceId: string, thread: Thread): Promise<MayAnswer> =>
  thread.channel === 'social' ? mayAnswerChat(workspaceId, thread) : mayAnswerMail(workspaceId, thread)

/**
 * A person who asked for no more mail gets none, by whatever name the list has them: unsubscribes are
 * strictly respected.
 */
async function mayAnswerMail(workspaceId: string, thread: Thread): Promise<MayAnswer> {
  const address = thread.counterpart_address
  if (address === '') {
    const message = 'You cannot reply because the sender’s address could not be read.'
    return { refusal: new AppError('invalid_state', { message }), suppression: null }
  }
  const { campaign_lead_id } = thread
  const suppression = await findListed(workspaceId, { email: address, campaign_lead_id })
  if (suppression) return { refusal: refuseListed(suppression), suppression }
  const message = 'The mailbox of this conversation is not connected.'
  const mailbox = await findAnsweringMailbox(workspaceId, thread)
  if (!mailbox) return { refusal: new AppError('no_sender', { message }), suppression }
  return { refusal: null, suppression, from: sendingAddress(mailbox) }
}

/**
 * A chat is between two people: a person who wrote in it can be answered whatever the list says, and the user
 * is shown the list entry.
 */
async function mayAnswerChat(workspaceId: string, thread: Thread): Promise<MayAnswer> {
  const account = thread.connected_account_id
    ? await db.connectedAccount.findFirst({
        where: { account_id: thread.connected_account_id, workspace_id: workspaceId },
      })
    : null
  const suppression = account && (await findChatSuppression(account, thread))
  if (!account || account.status === 'disconnected')
    return { refusal: new AppError('account_not_connected'), suppression }
  if (thread.chat_id === null && thread.social_provider_id === null)
    return { refusal: new AppError('invalid_state', { message: NOBODY }), suppression }
  if (!suppression || (await hasWritten(workspaceId, thread.thread_id))) return { refusal: null, suppression }
  return { refusal: refuseListed(suppression), suppression }
}

/** An imported chat without a provider id, whose person had none either. */
const NOBODY =
  'This chat was imported and the network cannot tell who it is with. Reply on the network instead.'

const refuseListed = (entry: { value: string; reason: string }) =>
  new AppError('address_suppressed', { message: listedRefusal(entry) })

/** The mailbox to which the person wrote, so that the reply comes from it. */
export async function findAnsweringMailbox(
  workspaceId: string,
  { thread_id, mailbox_id, campaign_lead_id }: Pick<Thread, 'thread_id' | 'mailbox_id' | 'campaign_lead_id'>,
) {
  const mailbox = await findThreadMailbox(workspaceId, mailbox_id)
  if (!mailbox?.aliases?.length) return mailbox
  const { rows } = await pool().query<{ written_to: string[] | null; wrote_last: string | null }>(
    `SELECT (SELECT array(SELECT jsonb_array_elements(m.recipients) ->> 'address') FROM inbox_messages m
         WHERE m.thread_id = $1 AND m.workspace_id = $2 AND m.direction = 'in' ORDER BY m.at DESC LIMIT 1) AS written_to,
       (SELECT o.from_address FROM (
         SELECT m.from_address, m.at FROM inbox_messages m WHERE m.thread_id = $1 AND m.workspace_id = $2
           AND m.direction = 'out' AND m.kind <> 'forward'
         UNION ALL SELECT coalesce(a.from_address, b.address), a.performed_at FROM actions a
           JOIN mailboxes b ON b.mailbox_id = a.mailbox_id
         WHERE a.campaign_lead_id = $3 AND a.workspace_id = $2 AND a.status IN ('sent', 'uncertain')) o
         ORDER BY o.at DESC LIMIT 1) AS wrote_last`,
    [thread_id, workspaceId, campaign_lead_id],
  )
  const said = rows[0]
  const from = answeringAddress(mailbox, {
    written_to: said?.written_to ?? [],
    wrote_last: said?.wrote_last ?? null,
  })
  return from === sendingAddress(mailbox) ? mailbox : findThreadMailbox(workspaceId, mailbox_id, from)
}

/**
 * The mailbox with DKIM signing, if the domain in From has a published key. `from`: which of its addresses is
 * used.
 */
export async function findThreadMailbox(
  workspaceId: string,
  mailboxId: string | null,
  from: string | null = null,
) {
  if (!mailboxId) return null
  const which = { workspace_id: workspaceId, alias_ids: [mailboxId] }
  const [mailbox] = await connectedMailboxes(pool(), which, from)
  return mailbox ?? null
}
