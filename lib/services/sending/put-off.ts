import type { Reader } from '#lib/db/client'
import { pool } from '#lib/db/client'
import { prepared } from '#lib/db/prepared'
import { inTransaction } from '#lib/db/transaction'
import type { RecipientProvider } from '#lib/domain/domains/recipient-provider'
import type { Plan } from '#lib/domain/sending/dispatch-policy'
import type { ProviderPauses } from '#lib/domain/sending/provider-pause'
import { typedKeys } from '#lib/domain/text/record'
import { AppError } from '#lib/errors'
import { lockCampaigns } from '#lib/services/campaigns/locks'
import { wakeCampaigns } from '#lib/services/campaigns/state'
import type { PutOffLead } from '#lib/services/leads/state/put-off'
import { wakePutOff } from '#lib/services/leads/state/put-off'
import {
  connectedMailboxes,
  type DueCampaign,
  type MailboxRow,
  type WaitingLead,
} from '#lib/services/sending/load'

/** The leads of a plan whose turn came while their person was away, or another campaign had them. */
export function putOffInPlan(campaign: DueCampaign, plan: Plan, waiting: WaitingLead[]): PutOffLead[] {
  const byIndex = new Map(waiting.map((lead) => [lead.lead_index, lead]))
  return plan.put_off.flatMap(({ lead_index, step, until, hold }) => {
    const lead = byIndex.get(lead_index)
    const config = campaign.steps_config[step - 1]
    if (!lead || !config) return []
    const { campaign_lead_id } = lead
    const { channel, action_type } = config
    // It is said once, however often it is asked again; whoever was woken and finds their person taken waits for another campaign.
    const isNews = hold === null || lead.reason !== hold.code || hold.code === 'person_busy'
    return [{ campaign_lead_id, step, until: new Date(until), channel, action_type, hold, isNews }]
  })
}

type Until = ProviderPauses['until']
type SendsFrom = Pick<DueCampaign, 'campaign_id' | 'workspace_id' | 'alias_ids'>

/** Of the mailboxes those that write to nobody at some provider after an instant. */
function pausesAfter(mailboxes: Pick<MailboxRow, 'mailbox_id' | 'provider_pauses'>[], now: Date): Until {
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

type Placed = { lead_index: number; provider: RecipientProvider }

async function withProviders(
  until: Until,
  load: (providers: RecipientProvider[]) => Promise<{ rows: Placed[] }>,
): Promise<ProviderPauses | null> {
  if (until.size === 0) return null
  const { rows } = await load([...new Set([...until.values()].flatMap((pauses) => [...pauses.keys()]))])
  return { until, providers: new Map(rows.map(({ lead_index, provider }) => [lead_index, provider])) }
}

/** For a claim: asks only where a mailbox of the campaign is paused for some provider. */
export const claimedPauses = (
  reader: Reader,
  mailboxes: MailboxRow[],
  waiting: WaitingLead[],
  now: Date,
): Promise<ProviderPauses | null> =>
  withProviders(pausesAfter(mailboxes, now), (providers) =>
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

/** The same of all leads of a campaign that are not over. */
export const pausesOfCampaign = async (
  reader: Reader,
  campaign: SendsFrom,
  now: Date,
): Promise<ProviderPauses | null> =>
  withProviders(pausesAfter(await connectedMailboxes(reader, campaign), now), (providers) =>
    reader.query<Placed>(
      `SELECT l.lead_index, r.provider FROM campaign_leads l JOIN recipient_domains r ON r.domain = split_part(l.email, '@', 2)
       WHERE l.workspace_id = $1 AND l.campaign_id = $2 AND l.status IN ('pending', 'active') AND r.provider::text = ANY ($3)`,
      [campaign.workspace_id, campaign.campaign_id, providers],
    ),
  )

/** The same for the rows of a dataset that is not enrolled. */
export const pausesOfRows = async (
  reader: Reader,
  campaign: SendsFrom,
  datasetId: string,
  now: Date,
): Promise<ProviderPauses | null> =>
  withProviders(pausesAfter(await connectedMailboxes(reader, campaign), now), (providers) =>
    reader.query<Placed>(
      `SELECT d.lead_index, r.provider FROM dataset_rows d JOIN recipient_domains r ON r.domain = split_part(d.email, '@', 2)
       WHERE d.workspace_id = $1 AND d.dataset_id = $2 AND r.provider::text = ANY ($3)`,
      [campaign.workspace_id, datasetId, providers],
    ),
  )

/** Ends the pause of a mailbox for a provider: who waits for it has their turn at once. What came before counts no more. */
export async function resumeProvider(
  workspace_id: string,
  mailbox_id: string,
  provider: RecipientProvider,
  now: Date,
): Promise<{ provider: RecipientProvider; resumed: boolean }> {
  return inTransaction(pool(), async (client) => {
    const { rows: known } = await client.query(
      'SELECT 1 FROM mailboxes WHERE workspace_id = $1 AND mailbox_id = $2',
      [workspace_id, mailbox_id],
    )
    if (known.length === 0) throw new AppError('mailbox_not_found')
    const waiting = `SELECT l.campaign_lead_id, l.campaign_id FROM campaign_leads l
        JOIN recipient_domains r ON r.domain = split_part(l.email, '@', 2)
      WHERE l.workspace_id = $1 AND l.status = 'active' AND l.reason = 'provider_paused'
        AND l.next_action_at = l.put_off_until AND r.provider::text = $3 AND (l.mailbox_id = $2 OR l.mailbox_id IS NULL)`
    const asked = [workspace_id, mailbox_id, provider]
    // Campaigns before leads, as claims lock them; who waits is read again then.
    const { rows: before } = await client.query<{ campaign_id: string }>(waiting, asked)
    await lockCampaigns(client, [...new Set(before.map((lead) => lead.campaign_id))])
    const { rows: ended } = await client.query(
      `UPDATE provider_pauses SET until = $4 WHERE workspace_id = $1 AND mailbox_id = $2 AND provider::text = $3
         AND until > $4 RETURNING provider`,
      [...asked, now],
    )
    const locked = new Set(before.map((lead) => lead.campaign_id))
    const { rows } = await client.query<{ campaign_lead_id: string; campaign_id: string }>(waiting, asked)
    const woken = ended.length === 0 ? [] : rows.filter((lead) => locked.has(lead.campaign_id))
    await wakePutOff(
      client,
      woken.map(({ campaign_lead_id }) => ({ campaign_lead_id, at: now })),
    )
    await wakeCampaigns(client, [...new Set(woken.map((lead) => lead.campaign_id))], now)
    return { provider, resumed: ended.length > 0 }
  })
}
