import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import type {
  SocialAction,
  SocialActionResult,
  SocialOutcome,
  SocialRefusal,
} from '#lib/providers/social/port'
import {
  chatId,
  connectsAt,
  hasPosts,
  inventAnswer,
  isConnected,
  type SandboxAccountRow,
  type SandboxPersonRow,
} from '#lib/providers/social/sandbox-people'

type Offer = {
  pool: Pool
  account: SandboxAccountRow
  person: SandboxPersonRow | null
  now: Date
  reference: string
}
type Outcome = SocialOutcome<SocialActionResult>

const NOTHING: SocialActionResult = { chat_id: null, message_id: null, invitation_id: null }
/** As on LinkedIn; on the sandbox's other networks everybody can write to everybody. */
const PAID = ['premium', 'sales_navigator', 'recruiter']

const refused = (code: string, response: string, blames: SocialRefusal['blames']): Outcome => ({
  outcome: 'refused_for_good',
  code,
  response: `${response} (sandbox network)`,
  blames,
})
const accepted = (response: string, result: Partial<SocialActionResult> = {}): Outcome => ({
  outcome: 'accepted',
  response: `${response} (sandbox network)`,
  result: { ...NOTHING, ...result },
})

/** What the simulated network does with one action of an account that may act. */
export async function actInSandbox(offer: Offer, action: SocialAction): Promise<Outcome> {
  const { person, account } = offer
  if (!person) return refused('not_found', 'Nobody has this id.', 'recipient')
  const met = { ...offer, person }
  switch (action.action_type) {
    case 'message':
      if (account.network === 'linkedin' && !isConnected(person, offer.now) && !(await hasWritten(met)))
        return refused('no_connection_with_recipient', 'They are not connected with you.', 'recipient')
      return write(met, action)
    case 'inmail':
      if (!PAID.includes(account.kind))
        return refused('inmail_not_allowed', 'InMail needs a paid account.', 'sender')
      return write(met, action)
    case 'connection_request':
      return invite(met, action.note)
    case 'withdraw_invitation':
      return withdraw(met)
    case 'like_post':
    case 'comment_post':
      if (!hasPosts(person.provider_id)) return refused('no_post', 'They have no posts.', 'recipient')
      await recordMessage(met, action.action_type, action.action_type === 'comment_post' ? action.text : '')
      return accepted('Done')
    default:
      await recordMessage(met, action.action_type, '')
      return accepted('Done')
  }
}

type Met = Offer & { person: SandboxPersonRow }

async function recordMessage(
  { pool, account, person, now, reference }: Met,
  type: string,
  text: string,
  id?: string,
) {
  await pool.query(
    `INSERT INTO sandbox_chat_messages (message_id, provider_account_id, provider_id, workspace_id, chat_id, direction,
       action_type, text, reference, at) VALUES ($1, $2, $3, $4, $5, 'out', $6, $7, $8, $9)`,
    [
      id ?? `sandbox-action-${randomUUID()}`,
      account.provider_account_id,
      person.provider_id,
      account.workspace_id,
      chatId(account.provider_account_id, person.provider_id),
      type,
      text,
      reference,
      now,
    ],
  )
}

/** A person who has written may be answered. */
async function hasWritten({ pool, account, person, now }: Met): Promise<boolean> {
  const { rowCount } = await pool.query(
    `SELECT 1 FROM sandbox_chat_messages
     WHERE provider_account_id = $1 AND provider_id = $2 AND direction = 'in' AND at <= $3 LIMIT 1`,
    [account.provider_account_id, person.provider_id, now],
  )
  return (rowCount ?? 0) > 0
}

async function write(
  met: Met,
  action: { action_type: 'message' | 'inmail'; text: string },
): Promise<Outcome> {
  const message_id = `sandbox-message-${randomUUID()}`
  const chat_id = chatId(met.account.provider_account_id, met.person.provider_id)
  await recordMessage(met, action.action_type, action.text, message_id)
  await answer(met, chat_id)
  return accepted('Delivered', { chat_id, message_id })
}

/** Simulated people answer once. */
async function answer({ pool, account, person, now }: Met, chatId: string): Promise<void> {
  const said = inventAnswer(account.provider_account_id, person.provider_id, now)
  if (!said) return
  await pool.query(
    `INSERT INTO sandbox_chat_messages (message_id, provider_account_id, provider_id, workspace_id, chat_id, direction,
       action_type, text, at) VALUES ($1, $2, $3, $4, $5, 'in', 'message', $6, $7) ON CONFLICT DO NOTHING`,
    [
      `sandbox-answer-${chatId}`,
      account.provider_account_id,
      person.provider_id,
      account.workspace_id,
      chatId,
      said.text,
      said.at,
    ],
  )
}

async function invite(met: Met, text: string | null): Promise<Outcome> {
  const { pool, account, person, now } = met
  if (isConnected(person, now)) return refused('already_connected', 'You are already connected.', 'recipient')
  if (person.invitation_id)
    return refused('already_invited', 'An invitation to them is pending.', 'recipient')
  const longest = PAID.includes(account.kind) ? 300 : 200
  if (text && text.length > longest)
    return refused('too_many_characters', `A note has at most ${longest} characters.`, 'message')
  const invitation_id = `sandbox-invitation-${randomUUID()}`
  await pool.query(
    `UPDATE sandbox_people SET invitation_id = $3, invited_at = $4, connects_at = $5
     WHERE provider_account_id = $1 AND provider_id = $2`,
    [
      account.provider_account_id,
      person.provider_id,
      invitation_id,
      now,
      connectsAt(account.provider_account_id, person.provider_id, now),
    ],
  )
  await recordMessage(met, 'connection_request', text ?? '')
  return accepted('Invited', { invitation_id })
}

async function withdraw(met: Met): Promise<Outcome> {
  const { pool, account, person, now } = met
  if (!person.invitation_id || isConnected(person, now))
    return refused('not_found', 'No invitation to them is pending.', 'recipient')
  await pool.query(
    `UPDATE sandbox_people SET invitation_id = NULL, invited_at = NULL, connects_at = NULL
     WHERE provider_account_id = $1 AND provider_id = $2`,
    [account.provider_account_id, person.provider_id],
  )
  await recordMessage(met, 'withdraw_invitation', '')
  return accepted('Withdrawn')
}
