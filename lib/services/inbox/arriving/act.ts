import type { PoolClient } from 'pg'
import { onBounces } from '#lib/services/inbox/bounces'
import { keepInConversation } from '#lib/services/inbox/conversations'
import {
  type Context,
  onAutomaticReplies,
  onComplaint,
  onReplies,
  onUnsubscribe,
} from '#lib/services/inbox/effects'
import { settleByEvidence } from '#lib/services/inbox/evidence'
import type { Judged } from '#lib/services/inbox/keep-mail'
import { mailIntent } from '#lib/services/inbox/thread/intents'
import { keepUnreadable } from '#lib/services/inbox/unreadable'
import { noteNotTaken } from '#lib/services/inbox/written/about-copies'
import { onWritten } from '#lib/services/leads/state/by-hand'

/** A stored mail. */
export type Taken = { judged: Judged; inbound_message_id: string }

/** Applies the effects of mails, no two of which may concern the same lead, person or company. */
export async function act(client: PoolClient, taken: readonly Taken[], now: Date): Promise<void> {
  const mails = taken.map((one) => ({ ...one.judged, ...one, context: toContext(one) }))
  for (const { matched, mailbox, reading } of mails)
    if (!matched) await noteNotTaken(client, mailbox.workspace_id, reading)
  const proofs = mails.flatMap(({ matched, kind }) =>
    matched ? [{ ...matched, why: `Confirmed by an incoming email: ${kind}.` }] : [],
  )
  await settleByEvidence(client, proofs, now)
  for (const { kind, matched, mailbox, context } of mails)
    if (matched && kind === 'unsubscribe')
      await onUnsubscribe(client, matched, mailbox.workspace_id, context, now)
  const written = mails.flatMap(({ writer, context, ...one }) =>
    writer ? [{ ...one, lead: writer, context: { ...context, how: 'sender_address' } }] : [],
  )
  for (const { kind, lead, context } of written)
    if (kind === 'unsubscribe')
      await onUnsubscribe(client, { lead, match: lead }, lead.workspace_id, context, now)
  const ofLeads = mails.flatMap((one) => (one.matched?.lead ? [{ ...one, lead: one.matched.lead }] : []))
  const of = (kind: Judged['kind']) => ofLeads.filter((one) => one.kind === kind)
  await onReplies(client, of('reply'), now)
  // In a wave of their own, since both may belong to one company.
  await onReplies(
    client,
    written.filter(({ kind }) => kind === 'reply'),
    now,
  )
  await onAutomaticReplies(client, of('automatic_reply'), now)
  for (const { lead, reading, context } of of('complaint'))
    await onComplaint(client, lead, reading.feedback_type, context, now)
  const bounces = [...of('hard_bounce'), ...of('soft_bounce')].flatMap((one) =>
    one.reading.bounce ? [{ ...one, bounce: one.reading.bounce }] : [],
  )
  await onBounces(client, bounces, now)
  const said = ofLeads
    .filter(({ judged }) => belongsToConversation(judged))
    .map((one) => ({ ...one, at: one.arrived.received_at }))
  const news = await keepInConversation(client, said)
  // A copy of what somebody wrote by hand, to the lead itself.
  for (const { kind, mail, lead, context } of news)
    if (kind === 'own_message' && mail.recipients.some(({ address }) => address === lead.email))
      await onWritten(client, lead, toWritten(context), now)
  for (const { judged, inbound_message_id } of taken)
    if (mustBeShown(judged)) await keepUnreadable(client, { ...judged, inbound_message_id })
}

const toContext = ({ judged, inbound_message_id }: Taken): Context => ({
  inbound_message_id,
  received_at: judged.arrived.received_at,
  from: judged.mail.from?.address ?? '',
  subject: judged.mail.subject,
  how: judged.matched?.match.how ?? '',
  intent: mailIntent(judged.kind, judged.reading),
})

const toWritten = ({ inbound_message_id, received_at, from, subject }: Context) => ({
  inbound_message_id,
  received_at,
  from,
  subject,
})

/** Whether a mail belongs in its lead's conversation. */
const belongsToConversation = ({ matched, kind, reading, evidence }: Judged): boolean =>
  Boolean(matched?.lead) &&
  (kind === 'reply' ||
    kind === 'automatic_reply' ||
    (kind === 'unsubscribe' && reading.form === 'message') ||
    (kind === 'own_message' && !evidence.some(({ rule }) => rule === 'own_campaign_mail')))

/** Whether the mailbox's owner must be shown a mail they would otherwise never see. */
const mustBeShown = (judged: Judged): boolean =>
  judged.unreadable !== null && judged.kind !== 'own_message' && !belongsToConversation(judged)
