import type { Pool, PoolClient } from 'pg'
import { inTransaction } from '#lib/db/transaction'
import type { DmarcReport } from '#lib/domain/domains/dmarc-report'
import type { InboundKind } from '#lib/domain/inbox/classify'
import { companyDomain } from '#lib/domain/inbox/company-domain'
import { haltUnhealthy } from '#lib/services/campaigns/halts'
import { lockCampaigns } from '#lib/services/campaigns/locks'
import { judgeProviders } from '#lib/services/campaigns/providers/provider-health'
import { settleCampaigns } from '#lib/services/campaigns/state'
import { keepReports } from '#lib/services/domains/dmarc-reports'
import { reportedIn } from '#lib/services/domains/reported-mail'
import type { ArrivedMail, InboundMailbox } from '#lib/services/inbox/arrived-mail'
import { act, type Taken } from '#lib/services/inbox/arriving/act'
import { judge } from '#lib/services/inbox/arriving/judge'
import { toPieces, toWaves } from '#lib/services/inbox/arriving/waves'
import { type Judged, type Opened, openNew, storeMails } from '#lib/services/inbox/keep-mail'
import { notePlacements } from '#lib/services/inbox/sent/note-placement'
import { campaignsOfColleagues, lockCompanies } from '#lib/services/leads/colleagues'
import { campaignsWithLeads } from '#lib/services/leads/endings'
import type { MailReader } from '#lib/services/reading/mail'

export type Handled = {
  inbound_message_id: string
  kind: InboundKind
  campaign_id: string | null
  campaign_lead_id: string | null
}

/** Handles one mail of a mailbox. Null if it was handled before. */
export async function handleInbound(
  pool: Pool,
  mailbox: InboundMailbox,
  arrived: ArrivedMail,
  now: Date,
  reader?: MailReader,
): Promise<Handled | null> {
  const [handled = null] = await handleTogether(pool, mailbox, [arrived], now, reader)
  return handled
}

/**
 * Handles mails of a mailbox, in order: stores, classifies and acts on them in one transaction. It locks in the order of claims
 * (campaigns, then leads), so a reply and a claim that meet wait for each other: the claim finds the lead ended, or the reply finds
 * its action under way. Returns the mails that were new.
 */
export async function handleTogether(
  pool: Pool,
  mailbox: InboundMailbox,
  arrivals: readonly ArrivedMail[],
  now: Date,
  reader?: MailReader,
): Promise<Handled[]> {
  const opened = await openNew(pool, mailbox, arrivals, reader)
  const handled: Handled[] = []
  for (const piece of toPieces(opened, ({ read }) => ({ ...read.mail, about: read.reading.about })))
    handled.push(...(await takePiece(pool, mailbox, piece, now, reader)))
  return handled
}

type Mail = { judged: Judged; key: string; reports: readonly DmarcReport[] }

async function takePiece(
  pool: Pool,
  mailbox: InboundMailbox,
  piece: readonly Opened[],
  now: Date,
  reader: MailReader | undefined,
): Promise<Handled[]> {
  const judged = await judge(pool, mailbox, piece)
  const mails: Mail[] = []
  for (const [index, { key, arrived, read }] of piece.entries()) {
    const one = judged[index]
    const reports = await reportedIn({ ...mailbox, mail: read.mail, raw: arrived.raw }, reader)
    if (one) mails.push({ judged: one, key, reports })
  }
  const taken = await inTransaction(pool, (client) => takeAll(client, mailbox, mails, now))
  await judgeSenders(pool, mailbox, taken.filter(isRefusal), now)
  return taken.map(({ inbound_message_id, judged: { kind, matched } }) => ({
    inbound_message_id,
    kind,
    campaign_id: matched?.lead?.campaign_id ?? null,
    campaign_lead_id: matched?.lead?.campaign_lead_id ?? null,
  }))
}

async function takeAll(
  client: PoolClient,
  mailbox: InboundMailbox,
  mails: readonly Mail[],
  now: Date,
): Promise<Taken[]> {
  const all = mails.map(({ judged }) => judged)
  const campaigns = await touchedCampaigns(client, mailbox, all)
  await lockCampaigns(client, campaigns)
  // Also for a single mail: its writer may be another lead than the one it refers to.
  const answered = all.filter(({ kind }) => kind === 'reply').flatMap(leadIds)
  if (answered.length > 1) await lockCompanies(client, answered)
  const taken: Taken[] = []
  for (const wave of toWaves(mails, concerned)) {
    const ids = await storeMails(client, wave)
    const stored = wave.flatMap(({ judged, reports }, index) => {
      const inbound_message_id = ids[index]
      return inbound_message_id ? [{ judged, reports, inbound_message_id }] : []
    })
    await act(client, stored, now)
    for (const { reports } of stored) await keepReports(client, mailbox.workspace_id, reports, now)
    if (stored.length > 0) await settleCampaigns(client, campaigns, now)
    taken.push(...stored)
  }
  await notePlacements(client, mailbox, taken)
  const refusals = taken.filter(isRefusal).map(({ judged }) => judged)
  const refused = all.length === 1 ? campaigns : await touchedCampaigns(client, mailbox, refusals)
  if (refusals.length > 0) await haltUnhealthy(client, refused, now)
  return taken
}

/** What a mail affects. Mails that affect the same lead, person or company are handled one after the other. */
function concerned({ judged }: Mail): string[] {
  const emails = addresses(judged)
  const companies = emails.flatMap((email) => companyDomain(email) ?? [])
  return [
    ...emails,
    ...leadIds(judged).map((id) => `lead ${id}`),
    ...companies.map((company) => `@${company}`),
  ]
}

const addresses = ({ matched, writer }: Judged) =>
  [matched?.match.email ?? [], writer?.email ?? []].flat().map((email) => email.toLowerCase())
const leads = ({ matched, writer }: Judged) => [matched?.lead ?? [], writer ?? []].flat()
const leadIds = (judged: Judged) => leads(judged).map(({ campaign_lead_id }) => campaign_lead_id)
const REFUSALS: ReadonlySet<InboundKind> = new Set(['hard_bounce', 'soft_bounce', 'complaint'])
const isRefusal = ({ judged }: Taken) => REFUSALS.has(judged.kind)

/** Too many bounces from one provider may pause the sending mailbox there. */
async function judgeSenders(pool: Pool, { workspace_id }: InboundMailbox, refusals: Taken[], now: Date) {
  const actions = refusals.flatMap(({ judged }) => judged.matched?.lead?.action_id ?? [])
  if (actions.length === 0) return
  const { rows } = await pool.query<{ mailbox_id: string }>(
    `SELECT DISTINCT mailbox_id FROM actions
     WHERE workspace_id = $1 AND action_id = ANY ($2::uuid[]) AND mailbox_id IS NOT NULL`,
    [workspace_id, actions],
  )
  const ids = rows.map(({ mailbox_id }) => mailbox_id)
  if (ids.length > 0) await judgeProviders(pool, workspace_id, ids, now)
}

/** Every campaign the mails may change, to be locked together in one order. */
async function touchedCampaigns(
  client: PoolClient,
  { workspace_id }: InboundMailbox,
  mails: readonly Judged[],
): Promise<string[]> {
  const about = mails.filter(({ matched, kind }) => matched && kind !== 'unrelated')
  const others: string[] = []
  for (const is_wish of [false, true]) {
    const of = about.filter((one) => isOfPerson(one) && isWish(one) === is_wish)
    const emails = [...new Set(of.flatMap(addresses))]
    if (emails.length > 0)
      others.push(...(await campaignsWithLeads(client, workspace_id, emails, { is_wish })))
  }
  const replied = about.filter(({ kind }) => kind === 'reply').flatMap(leadIds)
  const colleagues = replied.length > 0 ? await campaignsOfColleagues(client, replied) : []
  const own = about.flatMap(leads).map(({ campaign_id }) => campaign_id)
  return [...new Set([...own, ...others, ...colleagues])]
}

/** Kinds that concern the person as a whole, whichever campaign they came from. */
const isOfPerson = ({ kind, reading }: Judged) =>
  kind === 'reply' ||
  kind === 'own_message' ||
  kind === 'hard_bounce' ||
  isWish({ kind }) ||
  (kind === 'automatic_reply' && (reading.absence !== null || reading.intent !== null))
const isWish = ({ kind }: Pick<Judged, 'kind'>) => kind === 'complaint' || kind === 'unsubscribe'
