import type { PoolClient } from 'pg'
import type { StepConfig } from '#lib/contracts/campaigns/steps'
import { type Bounce, SENDING_LIMIT } from '#lib/domain/inbox/bounce'
import { limitWaitMs } from '#lib/domain/inbox/status-code'
import { decideConsequence, type Outcome } from '#lib/domain/sending/outcome'
import { wakeCampaigns } from '#lib/services/campaigns/state'
import type { FoundLead } from '#lib/services/inbox/arrived-mail'
import { type Context, timelineEntry } from '#lib/services/inbox/effects'
import { suppressWithin } from '#lib/services/leads/endings'
import { comeBack } from '#lib/services/leads/ledger'
import { endLeads } from '#lib/services/leads/state/endings'
import { forgetGoneSenders } from '#lib/services/leads/state/gone-senders'
import { offerStepAgain } from '#lib/services/leads/state/owner'
import { writeLeadLog } from '#lib/services/leads/told'

type Bounced = { lead: FoundLead; bounce: Bounce; context: Context }

/**
 * A bounce has the effect that the same refusal at delivery would have had (`decideConsequence`): permanent and about the address,
 * the lead is bounced and suppressed; permanent otherwise, it failed; temporary, the step is tried again. While the other server
 * still tries, nothing is decided. The ledger keeps that the message was handed over.
 */
export async function onBounces(client: PoolClient, bounces: readonly Bounced[], now: Date): Promise<void> {
  const hard = bounces.filter(({ bounce }) => bounce.severity !== 'soft')
  await endLeads(
    client,
    hard.map(({ lead, bounce }) => ({
      ...lead,
      status: isOfAddress(bounce) ? 'bounced' : 'failed',
      reason: responseIn(bounce),
    })),
    now,
  )
  await writeLeadLog(
    client,
    hard.map((one) => {
      const detail = { ...toDetail(one.bounce), blames: one.bounce.blames }
      return timelineEntry(one, 'bounced', now, { reason: responseIn(one.bounce), detail })
    }),
  )
  const values = hard.filter(({ bounce }) => isOfAddress(bounce)).map(({ lead }) => lead.email)
  const [first] = hard
  if (first && values.length > 0) {
    const { workspace_id } = first.lead
    const entry = { workspace_id, values, reason: 'hard_bounce', status: 'bounced' } as const
    await suppressWithin(client, entry, now)
  }
  for (const one of bounces) if (one.bounce.severity === 'soft') await onSoftBounce(client, one, now)
}

async function onSoftBounce(client: PoolClient, one: Bounced, now: Date): Promise<void> {
  const { lead, bounce } = one
  const response = responseIn(bounce)
  // A mail over the sender's limit is retried once that is over; before that it would bounce again.
  const isLimit = bounce.evidence.some(({ rule }) => rule === SENDING_LIMIT)
  const said = { response, retry_after_ms: isLimit ? limitWaitMs(response) : null }
  const again_at = bounce.is_final ? await tryAgain(client, lead, said, now) : null
  const detail = { ...toDetail(bounce), again_at: again_at?.toISOString() ?? null }
  await writeLeadLog(client, [timelineEntry(one, 'soft_bounced', now, { reason: response, detail })])
}

const isOfAddress = ({ blames }: Bounce) => blames === 'recipient'
const responseIn = ({ diagnostic, status }: Bounce) => diagnostic ?? status ?? 'The message bounced.'
const toDetail = (bounce: Bounce) => ({
  status: bounce.status,
  diagnostic: responseIn(bounce).slice(0, 1_000),
  is_final: bounce.is_final,
})

type Row = {
  step: number
  performed_at: Date
  attempts: number
  action_type: string
  steps_config: StepConfig[]
  timezone: string
  campaign_status: string
}

/**
 * When to try the step again; null if its tries are used up, the lead or its campaign moved on, or its row is gone. Also null if
 * somebody wrote to the lead by hand: the bounce may be of that mail, and a step that did arrive must not be repeated.
 */
async function tryAgain(
  client: PoolClient,
  lead: FoundLead,
  { response, retry_after_ms }: Required<Pick<Outcome, 'response' | 'retry_after_ms'>>,
  now: Date,
): Promise<Date | null> {
  const { rows } = await client.query<Row>(
    `SELECT a.step, a.performed_at, a.attempts, a.action_type, c.steps_config, coalesce(l.timezone, c.timezone) AS timezone,
       c.status::text AS campaign_status
     FROM actions a JOIN campaigns c USING (campaign_id) JOIN campaign_leads l USING (campaign_lead_id)
     WHERE a.action_id = $1 AND a.status IN ('sent', 'uncertain') AND l.status IN ('active', 'completed')
       AND NOT EXISTS (SELECT 1 FROM actions later
         WHERE later.campaign_lead_id = a.campaign_lead_id AND later.step > a.step)
       AND EXISTS (SELECT 1 FROM dataset_rows r WHERE r.dataset_id = l.dataset_id AND r.lead_index = l.lead_index)
       AND NOT EXISTS (SELECT 1 FROM inbox_messages m JOIN threads t USING (thread_id)
         WHERE t.campaign_lead_id = a.campaign_lead_id AND m.direction = 'out')
     FOR NO KEY UPDATE OF a, l`,
    [lead.action_id],
  )
  const [row] = rows
  if (!row) return null
  const outcome: Outcome = { outcome: 'refused_for_now', response, retry_after_ms }
  const means = decideConsequence(
    { ...row, performed_at: row.performed_at.getTime() },
    outcome,
    now.getTime(),
  )
  const isOver = !['active', 'draining', 'paused'].includes(row.campaign_status)
  if (!means.next || isOver) {
    await endLeads(client, [{ ...lead, status: 'failed', reason: means.reason ?? response }], now)
    return null
  }
  const due_at = new Date(means.next.due_at)
  await comeBack(client, lead.action_id, response, now)
  await forgetGoneSenders(client, [lead.campaign_lead_id])
  const again = {
    campaign_lead_id: lead.campaign_lead_id,
    step: row.step,
    due_at,
    action_type: row.action_type,
    channel: 'email',
    reason: response,
    current_step: null,
  }
  await offerStepAgain(client, again, 'retry', now)
  await wakeCampaigns(client, [lead.campaign_id], due_at)
  return due_at
}
