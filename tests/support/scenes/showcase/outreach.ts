import { db } from '#lib/db/client'
import { aCampaign, aTemplate } from '#tests/support/scenes/factories'
import { LEADS } from './people.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const before = (now: Date, ms: number) => new Date(now.getTime() - ms)

export type Owner = { workspace_id: string; user_id: string; email: string }
type Owned = { workspace_id: string; dataset_id: string; campaign_id: string }
type Senders = { mailbox_id: string; account_id: string }

export async function someCampaigns(owner: Owner, dataset_id: string, senders: Senders, now: Date) {
  const template = await aTemplate(owner)
  const steps_config = [
    {
      variants: [
        { label: 'A', weight: 60, template_id: template.template_id },
        {
          label: 'B',
          weight: 40,
          template_id: (await aTemplate(owner, { subject: 'Ten minutes?' })).template_id,
        },
      ],
    },
    { delay_days: 3, message_template: 'Hi {{ first_name }},\n\na short reminder of my note below.' },
    {
      delay_days: 2,
      channel: 'social',
      action_type: 'connection_request',
      message_template: 'Hello {{ first_name }}',
    },
    { delay_days: 4, message_template: 'Last word from me, {{ first_name }}.', track_clicks: true },
  ]
  const make = async (name: string, more: object = {}) => {
    const made = await aCampaign(owner, {
      name,
      dataset_id,
      steps_config,
      timezone: 'Europe/Berlin',
      ...more,
    })
    await db.campaign.update({
      where: { campaign_id: made.campaign_id },
      data: { connected_account_id: senders.account_id },
    })
    return made.campaign_id
  }
  const running = await make('Autumn: heads of operations')
  const leads = await someLeads(
    { workspace_id: owner.workspace_id, dataset_id, campaign_id: running },
    senders,
    now,
  )
  await db.campaign.update({
    where: { campaign_id: running },
    data: { status: 'active', launched_at: before(now, 6 * DAY), launch_requested_at: before(now, 6 * DAY) },
  })
  const draft = await make('Winter: a question about freight', {
    holiday_country: 'DE',
    holiday_region: 'BY',
    sending_windows: [
      { start: '09:00', end: '11:30' },
      { start: '14:00', end: '17:00' },
    ],
  })
  const blocked = await make('Spring: a second try', {
    steps_config: [
      {
        subject: 'A question',
        message_template: 'Hi {{ nickname }},\n\nwho looks after freight at {{ company }}?',
      },
      { delay_days: 3, condition: 'clicked', message_template: 'Just a reminder, {{ first_name }}.' },
      { delay_days: 4 },
    ],
  })
  const done = await make('Summer: trade fair follow-up', { steps_config: steps_config.slice(0, 1) })
  await someLeads(
    { workspace_id: owner.workspace_id, dataset_id, campaign_id: done },
    senders,
    before(now, 60 * DAY),
    true,
  )
  await db.campaign.update({
    where: { campaign_id: done },
    data: { status: 'completed', launched_at: before(now, 66 * DAY), completed_at: before(now, 50 * DAY) },
  })
  return { running, draft, blocked, done, template: template.template_id, ...leads }
}

const FATES = [
  'active',
  'replied',
  'active',
  'active',
  'bounced',
  'active',
  'unsubscribed',
  'active',
] as const
const fateOf = (index: number) => FATES[index % FATES.length] ?? 'active'
const eventOf = (fate: ReturnType<typeof fateOf>) => (fate === 'active' ? 'sent' : fate)

/**
 * Each lead with what was sent to it so far. The next steps are days ahead, so that a page does not change while it is looked at. The
 * counts are kept by triggers on updates: hence leads are inserted as active and actions as `retry`, and then updated to their final
 * status.
 */
async function someLeads(owned: Owned, { mailbox_id }: Senders, now: Date, areDone = false) {
  const made = await db.campaignLead.createManyAndReturn({
    data: LEADS.map(({ email }, lead_index) => ({
      ...owned,
      lead_index,
      email,
      mailbox_id,
      status: 'active' as const,
      current_step: 1,
      next_step: 2,
      next_action_at: new Date(now.getTime() + DAY + lead_index * HOUR),
      next_action_type: 'email',
      next_sender_id: mailbox_id,
      last_event: eventOf(fateOf(lead_index)),
      last_event_at: before(now, 40 * HOUR - lead_index * HOUR),
    })),
  })
  const leads = made.toSorted((a, b) => a.lead_index - b.lead_index)
  const ids = leads.map(({ campaign_lead_id }) => campaign_lead_id)
  const actions = await db.action.createManyAndReturn({
    data: ids.map((campaign_lead_id, index) => anAction(owned, campaign_lead_id, index, mailbox_id, now)),
  })
  const doubtful = areDone ? undefined : ids[10]
  const isDoubtful = { campaign_id: owned.campaign_id, campaign_lead_id: doubtful ?? '' }
  await db.action.updateMany({
    where: { campaign_id: owned.campaign_id },
    data: { status: 'sent', outcome: 'accepted', response: '250 2.0.0 Ok: queued' },
  })
  if (doubtful)
    await db.action.updateMany({
      where: isDoubtful,
      data: { status: 'uncertain', outcome: 'unknown', response: 'The connection broke off after the text.' },
    })
  const isOver = { next_step: null, next_action_at: null, next_action_type: null, next_sender_id: null }
  for (const fate of [
    'replied',
    'bounced',
    'unsubscribed',
    ...(areDone ? (['active'] as const) : []),
  ] as const)
    await db.campaignLead.updateMany({
      where: { campaign_lead_id: { in: ids.filter((_, index) => fateOf(index) === fate) } },
      data: { ...isOver, status: fate === 'active' ? 'completed' : fate },
    })
  await db.campaignEvent.createMany({
    data: leads
      .filter(({ lead_index }) => fateOf(lead_index) !== 'active')
      .map(({ campaign_lead_id, lead_index, last_event_at }) => ({
        campaign_id: owned.campaign_id,
        workspace_id: owned.workspace_id,
        campaign_lead_id,
        kind: fateOf(lead_index),
        at: last_event_at ?? now,
      })),
  })
  const action = actions.find(({ campaign_lead_id }) => campaign_lead_id === ids[0])?.action_id ?? ''
  return { lead: ids[0] ?? '', replied: ids[1] ?? '', action }
}

function anAction(owned: Owned, campaign_lead_id: string, index: number, mailbox_id: string, now: Date) {
  const { first_name, company } = LEADS[index] ?? { first_name: 'there', company: 'you' }
  const performed_at = before(now, 6 * DAY - index * 5 * HOUR)
  return {
    campaign_lead_id,
    campaign_id: owned.campaign_id,
    workspace_id: owned.workspace_id,
    step: 1,
    channel: 'email',
    action_type: 'email',
    variant_label: index % 5 < 3 ? 'A' : 'B',
    mailbox_id,
    status: 'retry' as const,
    performed_at,
    recorded_at: performed_at,
    message_id: `<${campaign_lead_id}@opener.local>`,
    subject: `A thought about ${company}`,
    body: `Hello ${first_name},\n\nI noticed what you do at ${company}. Would a short call next week suit you?\n\nDana`,
  }
}
