import type { Reader } from '#lib/db/client'
import { prepared } from '#lib/db/prepared'
import type { RecipientProvider } from '#lib/domain/domains/recipient-provider'
import type { DispatchInput } from '#lib/domain/sending/dispatch-state'
import { matchedSenders, sendingProvider } from '#lib/domain/sending/provider-matching'
import type { ProviderPauses } from '#lib/domain/sending/provider-pause'
import { typedKeys } from '#lib/domain/text/record'
import { connectedMailboxes, type MailboxRow } from '#lib/services/senders/mailbox-rows'
import type { DueCampaign, WaitingLead } from '#lib/services/sending/load'

type ByProvider = Pick<DispatchInput, 'provider_pauses' | 'provider_matching'>
type SendsFrom = Pick<DueCampaign, 'campaign_id' | 'workspace_id' | 'alias_ids' | 'match_providers'>

/** The pauses that mailboxes have for a recipient provider after an instant. */
function pausesAfter(
  mailboxes: Pick<MailboxRow, 'mailbox_id' | 'provider_pauses'>[],
  now: Date,
): ProviderPauses['until'] {
  return new Map(
    mailboxes.flatMap(({ mailbox_id, provider_pauses }) => {
      const pauses = provider_pauses ?? {}
      const open = typedKeys(pauses).flatMap((provider) => {
        const until = pauses[provider] ?? 0
        return until > now.getTime() ? [[provider, until] as const] : []
      })
      return open.length > 0 ? [[mailbox_id, new Map(open)] as const] : []
    }),
  )
}

/** Which provider hosts each mailbox of a campaign that matches providers. */
export const sendersByProvider = (mailboxes: Pick<MailboxRow, 'mailbox_id' | 'vendor' | 'smtp'>[]) =>
  matchedSenders(
    mailboxes.map(({ mailbox_id, vendor = null, smtp }) => ({
      sender_id: mailbox_id,
      provider: sendingProvider(vendor, smtp.host),
    })),
  )

type Placed = { lead_index: number; provider: RecipientProvider }

/** The leads' mail providers are looked up only if a pause or the campaign's matching depends on them. */
async function byProvider(
  { match_providers }: Pick<SendsFrom, 'match_providers'>,
  mailboxes: MailboxRow[],
  now: Date,
  load: (providers: RecipientProvider[]) => Promise<{ rows: Placed[] }>,
): Promise<ByProvider> {
  const until = pausesAfter(mailboxes, now)
  const senders: ReturnType<typeof sendersByProvider> = match_providers
    ? sendersByProvider(mailboxes)
    : new Map()
  if (until.size === 0 && senders.size === 0) return {}
  const paused = [...until.values()].flatMap((pauses) => [...pauses.keys()])
  const { rows } = await load([...new Set([...paused, ...senders.values()])])
  const leads = new Map(rows.map(({ lead_index, provider }) => [lead_index, provider]))
  return {
    ...(until.size > 0 && { provider_pauses: { until, providers: leads } }),
    ...(senders.size > 0 && { provider_matching: { senders, leads } }),
  }
}

/** For a claim. */
export const claimedProviders = (
  reader: Reader,
  campaign: SendsFrom,
  mailboxes: MailboxRow[],
  waiting: WaitingLead[],
  now: Date,
): Promise<ByProvider> =>
  byProvider(campaign, mailboxes, now, (providers) =>
    reader.query<Placed>(
      prepared(
        `SELECT asked.lead_index, r.provider FROM unnest($1::int[], $2::text[]) asked (lead_index, domain)
           JOIN recipient_domains r USING (domain) WHERE r.provider::text = ANY ($3)`,
        [
          waiting.map((lead) => lead.lead_index),
          waiting.map((lead) => lead.email?.split('@').at(-1) ?? ''),
          providers,
        ],
      ),
    ),
  )

/** The same for all unfinished leads of a campaign. */
export const providersOfCampaign = async (
  reader: Reader,
  campaign: SendsFrom,
  now: Date,
): Promise<ByProvider> =>
  byProvider(campaign, await connectedMailboxes(reader, campaign), now, (providers) =>
    reader.query<Placed>(
      `SELECT l.lead_index, r.provider FROM campaign_leads l JOIN recipient_domains r ON r.domain = split_part(l.email, '@', 2)
       WHERE l.workspace_id = $1 AND l.campaign_id = $2 AND l.status IN ('pending', 'active') AND r.provider::text = ANY ($3)`,
      [campaign.workspace_id, campaign.campaign_id, providers],
    ),
  )

/** The same for a dataset's rows before they are enrolled. */
export const providersOfRows = async (
  reader: Reader,
  campaign: SendsFrom,
  datasetId: string,
  now: Date,
): Promise<ByProvider> =>
  byProvider(campaign, await connectedMailboxes(reader, campaign), now, (providers) =>
    reader.query<Placed>(
      `SELECT d.lead_index, r.provider FROM dataset_rows d JOIN recipient_domains r ON r.domain = split_part(d.email, '@', 2)
       WHERE d.workspace_id = $1 AND d.dataset_id = $2 AND r.provider::text = ANY ($3)`,
      [campaign.workspace_id, datasetId, providers],
    ),
  )
