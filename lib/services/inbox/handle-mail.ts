import type { Pool, PoolClient } from 'pg'
import { inTransaction } from '#lib/db/transaction'
import { classify, type InboundKind, type Reading } from '#lib/domain/inbox/classify'
import { haltUnhealthy } from '#lib/services/campaigns/halts'
import { lockCampaigns } from '#lib/services/campaigns/locks'
import { judgeProviders } from '#lib/services/campaigns/providers/provider-health'
import { settleCampaigns } from '#lib/services/campaigns/state'
import { keepReports } from '#lib/services/domains/dmarc-reports'
import { reportedIn } from '#lib/services/domains/reported-mail'
import type { ArrivedMail, InboundMailbox } from '#lib/services/inbox/arrived-mail'
import { onBounce } from '#lib/services/inbox/bounces'
import { keepInConversation } from '#lib/services/inbox/conversations'
import {
  type Context,
  onAutomaticReply,
  onComplaint,
  onReply,
  onUnsubscribe,
} from '#lib/services/inbox/effects'
import { settleByEvidence } from '#lib/services/inbox/evidence'
import { type Judged, type OpenedMail, readOnce, storeMail } from '#lib/services/inbox/keep-mail'
import { matchBounced, matchInbound, matchOwn } from '#lib/services/inbox/match'
import { ownAddresses } from '#lib/services/inbox/sent/match-written'
import { notePlacement } from '#lib/services/inbox/sent/note-placement'
import { mailIntent } from '#lib/services/inbox/thread/intents'
import { keepUnreadable } from '#lib/services/inbox/unreadable'
import { isAboutCopies, noteNotTaken } from '#lib/services/inbox/written/about-copies'
import { campaignsOfColleagues } from '#lib/services/leads/colleagues'
import { campaignsWithLeads } from '#lib/services/leads/endings'
import { onWritten } from '#lib/services/leads/state/by-hand'
import type { MailReader } from '#lib/services/reading/mail'

export type Handled = {
  inbound_message_id: string
  kind: InboundKind
  campaign_id: string | null
  campaign_lead_id: string | null
}

/**
 * Takes in one mail of a mailbox: keeps it, says what it is, and does what follows, all in one transaction, with the
 * locks in the order of claims (campaigns, then leads). So of a reply and a claim that meet, one waits for the other: the
 * claim finds the lead ended, or the reply finds its action under way. Null for a mail that was taken in before.
 */
export async function handleInbound(
  pool: Pool,
  mailbox: InboundMailbox,
  arrived: ArrivedMail,
  now: Date,
  reader?: MailReader,
): Promise<Handled | null> {
  const opened = await readOnce(pool, mailbox, arrived, reader)
  if (!opened) return null
  const { read, key } = opened
  const judged = await judge(pool, mailbox, arrived, read)
  const reports = await reportedIn({ ...mailbox, mail: read.mail, raw: arrived.raw }, reader)
  const handled = await inTransaction(pool, async (client) => {
    const campaigns = await touchedCampaigns(client, judged)
    await lockCampaigns(client, campaigns)
    const inbound_message_id = await storeMail(client, judged, key)
    if (!inbound_message_id) return null
    await act(client, judged, inbound_message_id, now)
    await notePlacement(client, judged)
    await keepReports(client, mailbox.workspace_id, reports, now)
    if (isLost(judged)) await keepUnreadable(client, { ...judged, inbound_message_id })
    await settleCampaigns(client, campaigns, now)
    if (REFUSALS.has(judged.kind)) await haltUnhealthy(client, campaigns, now)
    const lead = judged.matched?.lead
    return {
      inbound_message_id,
      kind: judged.kind,
      campaign_id: lead?.campaign_id ?? null,
      campaign_lead_id: lead?.campaign_lead_id ?? null,
    }
  })
  if (handled && REFUSALS.has(judged.kind)) await judgeSender(pool, judged, now)
  return handled
}

const REFUSALS: ReadonlySet<InboundKind> = new Set(['hard_bounce', 'soft_bounce', 'complaint'])

/** What came back may be too much of one provider, for the mailbox that sent it. */
async function judgeSender(pool: Pool, { mailbox, matched }: Judged, now: Date): Promise<void> {
  const { rows } = await pool.query<{ mailbox_id: string }>(
    'SELECT mailbox_id FROM actions WHERE workspace_id = $1 AND action_id = $2 AND mailbox_id IS NOT NULL',
    [mailbox.workspace_id, matched?.lead?.action_id ?? null],
  )
  const ids = rows.map(({ mailbox_id }) => mailbox_id)
  if (ids.length > 0) await judgeProviders(pool, mailbox.workspace_id, ids, now)
}

async function judge(
  pool: Pool,
  mailbox: InboundMailbox,
  arrived: ArrivedMail,
  { mail, reading: said, unreadable }: OpenedMail,
): Promise<Judged> {
  // A report of which the head alone is known says too little to act upon.
  const isVague = unreadable !== null && (said.form === 'bounce' || said.form === 'complaint')
  const reading: Reading = isVague ? { ...said, form: 'not_for_us', bounce: null } : said
  const copied = await matchOwn(pool, mailbox.workspace_id, mail.message_id)
  const named = arrived.bounced_action_id
    ? await matchBounced(pool, arrived.bounced_action_id, reading)
    : (copied ?? (await matchInbound(pool, mailbox, mail, reading, arrived.received_at)))
  const isOthers = named?.lead && (await isAboutCopies(pool, named.lead, reading, mail.from?.address ?? ''))
  const matched = isOthers ? null : named
  const own = { ...(await ownAddresses(pool, mailbox)), wrote_it: copied !== null }
  const { kind, evidence } = classify(mail, reading, matched?.match ?? null, own)
  const why = unreadable ? [{ rule: 'could_not_be_read', found: unreadable }] : []
  return { mailbox, arrived, mail, reading, unreadable, matched, kind, evidence: [...evidence, ...why] }
}

/** Every campaign that the mail may change, to be locked at once and in one order. */
async function touchedCampaigns(
  client: PoolClient,
  { mailbox, matched, kind, reading }: Judged,
): Promise<string[]> {
  if (!matched || kind === 'unrelated') return []
  // These are about the person, in whichever campaign they came.
  const isOfPerson =
    kind === 'reply' ||
    kind === 'own_message' ||
    kind === 'hard_bounce' ||
    kind === 'complaint' ||
    kind === 'unsubscribe' ||
    (kind === 'automatic_reply' && reading.absence !== null)
  const others = isOfPerson
    ? await campaignsWithLeads(client, mailbox.workspace_id, [matched.match.email.toLowerCase()], {
        is_wish: kind === 'complaint' || kind === 'unsubscribe',
      })
    : []
  const { lead } = matched
  const colleagues =
    kind === 'reply' && lead ? await campaignsOfColleagues(client, [lead.campaign_lead_id]) : []
  return [...new Set([...(lead ? [lead.campaign_id] : []), ...others, ...colleagues])]
}

async function act(client: PoolClient, judged: Judged, inbound_message_id: string, now: Date): Promise<void> {
  const { mail, reading, matched, kind, arrived, mailbox } = judged
  if (!matched) return noteNotTaken(client, mailbox.workspace_id, reading)
  await settleByEvidence(client, matched, `Shown by a mail that came in: ${kind}.`, now)
  const { lead } = matched
  const from = mail.from?.address ?? ''
  const context: Context = {
    inbound_message_id,
    received_at: arrived.received_at,
    from,
    subject: mail.subject,
    how: matched.match.how,
    intent: mailIntent(kind, reading),
  }
  if (kind === 'unsubscribe') await onUnsubscribe(client, matched, mailbox.workspace_id, context, now)
  if (!lead) return
  if (kind === 'reply') await onReply(client, lead, context, now)
  if (kind === 'automatic_reply') await onAutomaticReply(client, lead, reading, context, now)
  if (kind === 'complaint') await onComplaint(client, lead, reading.feedback_type, context, now)
  if (reading.bounce && (kind === 'hard_bounce' || kind === 'soft_bounce'))
    await onBounce(client, lead, reading.bounce, context, now)
  if (!isSaid(judged)) return
  const { unreadable } = judged
  const at = arrived.received_at
  const said = { inbound_message_id, mail, reading, kind, unreadable, mailbox, lead, at }
  const isNew = await keepInConversation(client, said)
  // A copy of what somebody wrote by hand, to the lead itself.
  if (kind === 'own_message' && isNew && mail.recipients.some(({ address }) => address === lead.email))
    await onWritten(client, lead, { inbound_message_id, received_at: at, from, subject: mail.subject }, now)
}

/** Whether it belongs into its lead's conversation. */
const isSaid = ({ matched, kind, reading, evidence }: Judged): boolean =>
  Boolean(matched?.lead) &&
  (kind === 'reply' ||
    kind === 'automatic_reply' ||
    (kind === 'unsubscribe' && reading.form === 'message') ||
    (kind === 'own_message' && !evidence.some(({ rule }) => rule === 'own_campaign_mail')))

/** Whether its owner would otherwise never hear of it. Their own mail they know. */
const isLost = (judged: Judged): boolean =>
  judged.unreadable !== null && judged.kind !== 'own_message' && !isSaid(judged)
