import { createHash } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import { jsonText } from '#lib/db/json-text'
import { inTransaction } from '#lib/db/transaction'
import { MAX_RAW } from '#lib/domain/inbox/bounds'
import { classify, type InboundKind, type Reading } from '#lib/domain/inbox/classify'
import type { InboundMail } from '#lib/domain/inbox/inbound-mail'
import { haltUnhealthy } from '#lib/services/campaigns/halts'
import { lockCampaigns } from '#lib/services/campaigns/locks'
import { judgeProviders } from '#lib/services/campaigns/providers/provider-health'
import { settleCampaigns } from '#lib/services/campaigns/state'
import { keepReports } from '#lib/services/domains/dmarc-reports'
import { reportedIn } from '#lib/services/domains/reported-mail'
import type { ArrivedMail, Found, InboundMailbox } from '#lib/services/inbox/arrived-mail'
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
import { matchBounced, matchInbound, matchOwn } from '#lib/services/inbox/match'
import { notePlacement } from '#lib/services/inbox/sent/note-placement'
import { mailIntent } from '#lib/services/inbox/thread/intents'
import { keepUnreadable } from '#lib/services/inbox/unreadable'
import { isAboutCopies, noteNotTaken } from '#lib/services/inbox/written/about-copies'
import { campaignsOfColleagues } from '#lib/services/leads/colleagues'
import { campaignsWithLeads } from '#lib/services/leads/endings'
import { type MailReader, readArrived, type Unreadable } from '#lib/services/reading/mail'

export type Handled = {
  inbound_message_id: string
  kind: InboundKind
  campaign_id: string | null
  campaign_lead_id: string | null
}

const MAX_KEPT = 256 * 1024
/** No index takes a longer one. */
const MAX_KEY = 500

type Judged = {
  mailbox: InboundMailbox
  arrived: ArrivedMail
  mail: InboundMail
  reading: Reading
  unreadable: Unreadable | null
  matched: Found | null
  kind: InboundKind
  evidence: { rule: string; found: string }[]
}

/**
 * Takes in one mail of a mailbox: keeps it, says what it is, and does what follows, all in one transaction, with the
 * locks in the order of claims (campaigns, then leads). So of a reply and a claim that meet, one waits for the other: the
 * claim finds the lead ended, or the reply finds its action under way. Null for a mail that was taken in before; whether
 * it was is asked before it is read, so that one which kills its reader does so once.
 */
export async function handleInbound(
  pool: Pool,
  mailbox: InboundMailbox,
  arrived: ArrivedMail,
  now: Date,
  reader?: MailReader,
): Promise<Handled | null> {
  const digest = `sha256:${createHash('sha256').update(arrived.raw).digest('hex')}`
  if (await isKnown(pool, mailbox, arrived, digest)) return null
  const read = await readArrived(mailbox.workspace_id, arrived.raw, arrived.received_at, reader)
  const { message_id } = read.mail
  const key = read.unreadable || !message_id || message_id.length > MAX_KEY ? digest : message_id
  if (key !== digest && (await isKnown(pool, mailbox, arrived, key))) return null
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
    await haltUnhealthy(client, campaigns, now)
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

async function isKnown(
  pool: Pool,
  { mailbox_id }: InboundMailbox,
  { folder, uid_validity, uid }: ArrivedMail,
  key: string,
): Promise<boolean> {
  const { rows } = await pool.query(
    `SELECT 1 FROM inbound_messages WHERE mailbox_id = $1
       AND (message_key = $2 OR (folder = $3 AND uid_validity = $4 AND uid = $5)) LIMIT 1`,
    [mailbox_id, key, folder, uid_validity, uid],
  )
  return rows.length > 0
}

async function judge(
  pool: Pool,
  mailbox: InboundMailbox,
  arrived: ArrivedMail,
  { mail, reading: said, unreadable }: Awaited<ReturnType<typeof readArrived>>,
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
  const { rows } = await pool.query<{ address: string }>(
    `SELECT lower(address) AS address FROM mailboxes WHERE workspace_id = $1
     UNION SELECT reply_to FROM mailboxes WHERE workspace_id = $1 AND reply_to IS NOT NULL`,
    [mailbox.workspace_id],
  )
  const own = {
    mailbox: mailbox.address,
    all: rows.map((row) => row.address),
    wrote_it: copied !== null,
  }
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

/** Null where another worker kept it first. Of mail that is none of ours only the fact is kept. */
async function storeMail(client: PoolClient, judged: Judged, key: string): Promise<string | null> {
  const { mailbox, arrived, mail, kind, evidence, matched, reading, unreadable } = judged
  // What could not be read may be anything, an answer too: it is kept for its owner to look at.
  const isOurs = kind !== 'unrelated' || unreadable !== null
  const { bounce, returns_on, feedback_type } = reading
  const { message_ids: _ids, evidence: _evidence, ...bounced } = bounce ?? {}
  const detail = { bounce: bounce && bounced, returns_on, feedback_type }
  const { rows } = await client.query<{ inbound_message_id: string }>(
    `INSERT INTO inbound_messages (workspace_id, mailbox_id, folder, uid_validity, uid, message_key, kind, evidence, detail,
       from_address, subject, campaign_id, campaign_lead_id, action_id, size_bytes, raw, received_at, unreadable)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
     ON CONFLICT DO NOTHING RETURNING inbound_message_id`,
    [
      mailbox.workspace_id,
      mailbox.mailbox_id,
      arrived.folder,
      arrived.uid_validity,
      arrived.uid,
      key,
      kind,
      jsonText(isOurs ? evidence : evidence.map(({ rule }) => ({ rule, found: '' }))),
      jsonText(isOurs ? detail : {}),
      isOurs ? (mail.from?.address ?? null) : null,
      isOurs ? mail.subject.slice(0, 1_000) : null,
      (isOurs && matched?.lead?.campaign_id) || null,
      (isOurs && matched?.lead?.campaign_lead_id) || null,
      (isOurs && matched?.lead?.action_id) || null,
      arrived.size_bytes,
      unreadable
        ? Buffer.from(arrived.raw.subarray(0, MAX_RAW))
        : isOurs && arrived.size_bytes <= MAX_KEPT
          ? Buffer.from(arrived.raw)
          : null,
      arrived.received_at,
      unreadable,
    ],
  )
  return rows[0]?.inbound_message_id ?? null
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
  if (isSaid(judged))
    await keepInConversation(client, {
      inbound_message_id,
      mail,
      reading,
      kind,
      unreadable: judged.unreadable,
      mailbox,
      lead,
      at: arrived.received_at,
    })
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
