import type { z } from 'zod'
import type { StepConfig } from '#lib/contracts/campaigns/steps'
import { TimelineEvent } from '#lib/contracts/leads/lead-timelines'
import { db } from '#lib/db/client'
import type { ActionModel, CampaignEventModel, CampaignLeadModel } from '#lib/db/generated/models'
import { compileSchedule } from '#lib/domain/calendar/schedule'
import { stepAction } from '#lib/domain/campaigns/campaign-type'
import { type ForecastAction, forecastOfLead } from '#lib/domain/forecast/forecast'
import { unreachedSteps } from '#lib/domain/forecast/unreached-steps'
import { oneLineReason } from '#lib/domain/leads/lead-reasons'
import { goOn } from '#lib/domain/sending/outcome'
import { AppError } from '#lib/errors'
import { getCampaign } from '#lib/services/campaigns/campaigns'
import { trackedEvents } from '#lib/services/campaigns/tracking-results'
import { wholeForecast } from '#lib/services/forecast/forecasts'
import { whyUnreached } from '#lib/services/sending/out-of-reach'

const Detail = TimelineEvent.shape.detail
type Campaign = Awaited<ReturnType<typeof getCampaign>>
type Event = Omit<z.input<typeof TimelineEvent>, 'at'> & { at: Date }

/**
 * Every decision made for one lead, with the reason, followed by what is planned. Sends come from the ledger,
 * the end from the lead itself and everything else from the decision log. Events of the campaign are included
 * from the lead's enrolment to its end.
 */
export async function leadTimeline(workspaceId: string, campaignId: string, leadId: string, now: Date) {
  const campaign = await getCampaign(workspaceId, campaignId)
  const lead = await db.campaignLead.findFirst({
    where: { campaign_lead_id: leadId, campaign_id: campaignId, workspace_id: workspaceId },
  })
  if (!lead) throw new AppError('lead_not_found')
  const isOver = lead.status !== 'pending' && lead.status !== 'active'
  const [actions, log, watched, planned] = await Promise.all([
    db.action.findMany({ where: { campaign_lead_id: leadId }, orderBy: { step: 'asc' } }),
    db.campaignEvent.findMany({
      where: {
        campaign_id: campaignId,
        OR: [{ campaign_lead_id: leadId }, { campaign_lead_id: null, at: { gte: lead.created_at } }],
      },
      orderBy: [{ at: 'asc' }, { event_id: 'asc' }],
    }),
    trackedEvents(leadId),
    isOver || campaign.status === 'draft' || campaign.status === 'failed'
      ? []
      : wholeForecast(workspaceId, campaignId, now).then((whole) => forecastOfLead(whole, lead.lead_index)),
  ])
  const ended = isOver ? toEndEvent(lead) : null
  const own = log.filter((event) => event.campaign_lead_id !== null || !ended || event.at <= ended.at)
  const past: Event[] = [
    enrolled(lead),
    ...(await namedHolders(workspaceId, own)),
    ...watched,
    ...actions.flatMap((action) => actionEvent(action, campaign.steps_config, log)),
    ...(ended &&
    !log.some((event) => event.campaign_lead_id !== null && tellsEnd(event.kind, lead)) &&
    !actions.some((action) => isFailure(action, ended))
      ? [ended]
      : []),
  ]
  past.sort((a, b) => a.at.getTime() - b.at.getTime())
  const toCome = isOver
    ? []
    : [...plannedSteps(campaign, planned), ...stepsToSkip(campaign, lead, actions, planned, now)]
  toCome.sort((a, b) => a.at.getTime() - b.at.getTime() || (a.step ?? 0) - (b.step ?? 0))
  return { events: [...past, ...toCome] }
}

/** The log entries, with the names of the campaigns that the lead had to wait for. */
async function namedHolders(workspaceId: string, log: CampaignEventModel[]): Promise<Event[]> {
  const events = log.map((event) => ({ ...event, detail: Detail.parse(event.detail) }))
  const held = events.flatMap(({ kind, detail }) =>
    kind === 'put_off' && typeof detail.campaign_id === 'string' ? [detail.campaign_id] : [],
  )
  if (held.length === 0) return events
  const campaigns = await db.campaign.findMany({
    where: { workspace_id: workspaceId, campaign_id: { in: held } },
    select: { campaign_id: true, name: true },
  })
  const names = new Map(campaigns.map((one) => [one.campaign_id, one.name]))
  return events.map((event) => {
    const name = event.kind === 'put_off' ? names.get(String(event.detail.campaign_id)) : undefined
    return name === undefined ? event : { ...event, detail: { ...event.detail, campaign_name: name } }
  })
}

const NONE = { step: null, channel: null, reason: null, detail: {} }

const enrolled = (lead: CampaignLeadModel): Event => ({
  ...NONE,
  at: lead.created_at,
  kind: 'enrolled',
  detail: {
    lead_index: lead.lead_index,
    email: lead.email,
    ...(lead.timezone && { timezone: lead.timezone, timezone_source: lead.timezone_source }),
  },
})

/**
 * Whether the log already has an entry for the lead's end. Its `failed` entries are earlier tries, not the
 * end.
 */
const tellsEnd = (kind: string, { status, last_event }: CampaignLeadModel) =>
  (kind === status && kind !== 'failed') || (kind === 'stopped' && last_event === 'stopped')

/** Whether the lead ended with this failed action, which the ledger describes in more detail. */
const isFailure = ({ status, step }: ActionModel, ended: Event) =>
  ended.kind === 'failed' && status === 'failed' && step === ended.step

/** The end of a lead. A row that was skipped at enrolment ended when it was enrolled. */
function toEndEvent(lead: CampaignLeadModel): Event {
  return {
    ...NONE,
    at: lead.last_event_at ?? lead.created_at,
    kind: lead.status,
    // An uncertain last step is shown from the ledger; it is not the reason why the lead is done.
    reason: lead.status === 'completed' && lead.last_event === 'uncertain' ? null : oneLineReason(lead),
    step: lead.status === 'failed' ? lead.current_step + 1 : null,
  }
}

/** The ledger's entry for one step. Refusals that were retried are in the log, each with its own text. */
function actionEvent(action: ActionModel, steps: StepConfig[], log: { kind: string }[]): Event[] {
  const { performed_at, recorded_at, status, step, channel } = action
  if (status === 'retry' && log.some((event) => event.kind === 'retry')) return []
  const condition = steps[step - 1]?.condition ?? 'always'
  const reason = {
    sending: null,
    sent: null,
    retry: action.response,
    failed: action.response,
    uncertain: action.response,
    skipped: action.response ?? `The condition “${condition}” was not met.`,
  }[status]
  const detail: Event['detail'] =
    status === 'skipped'
      ? { condition }
      : {
          action_id: action.action_id,
          action_type: action.action_type,
          subject: action.subject,
          variant: action.variant_label,
          mailbox_id: action.mailbox_id,
          ...(channel === 'social' ? { connected_account_id: action.connected_account_id } : {}),
          message_id: action.message_id,
          attempts: action.attempts,
          response: action.response,
          recorded_at: recorded_at?.toISOString() ?? null,
        }
  // A failure is dated when it became known; everything else is dated by its slot.
  const at = status === 'failed' || status === 'retry' ? (recorded_at ?? performed_at) : performed_at
  return [{ at, kind: status, step, channel, reason, detail }]
}

function plannedSteps({ status, steps_config }: Campaign, planned: ForecastAction[]): Event[] {
  return planned.map(({ step, at }) => {
    const config = steps_config[step - 1]
    return {
      at: new Date(at),
      kind: 'planned',
      step,
      channel: config?.channel ?? null,
      reason: status === 'paused' ? 'If you resume the campaign now.' : null,
      detail: { action_type: config ? stepAction(config) : null, delay_days: config?.delay_days ?? 0 },
    }
  })
}

/**
 * The steps still ahead that will be skipped because their channel does not reach the lead, with the reason.
 */
function stepsToSkip(
  campaign: Campaign,
  lead: CampaignLeadModel,
  actions: ActionModel[],
  planned: ForecastAction[],
  now: Date,
): Event[] {
  const { steps_config, status } = campaign
  if (status === 'draft' || status === 'failed') return []
  const timezone = lead.timezone ?? campaign.timezone
  const done = actions.findLast((action) => action.status !== 'retry')
  const first = Math.max(lead.next_step ?? lead.current_step + 1, (done?.step ?? 0) + 1)
  const steps = steps_config.slice(first - 1).map((config, index) => ({
    step: first + index,
    delay_days: config.delay_days,
    unreached: whyUnreached(lead, config.channel),
    planned: planned.find(({ step }) => step === first + index)?.at ?? null,
  }))
  const due =
    lead.next_action_at?.getTime() ??
    (done &&
      goOn({ steps_config, timezone, step: done.step, performed_at: done.performed_at.getTime() }).next
        ?.due_at) ??
    now.getTime()
  return unreachedSteps(steps, Math.max(due, now.getTime()), compileSchedule({ ...campaign, timezone })).map(
    ({ step, at, reason }) => ({
      at: new Date(at),
      kind: 'will_be_skipped',
      step,
      channel: steps_config[step - 1]?.channel ?? null,
      reason,
      detail: {},
    }),
  )
}
