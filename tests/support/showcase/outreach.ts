import { db } from '#lib/db/client'
import { aCampaign, aDataset, aTemplate } from '#tests/support/factories'
import { LEADS } from './people.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const before = (now: Date, ms: number) => new Date(now.getTime() - ms)

export type Owner = { user_id: string; email: string }
type Owned = { user_id: string; dataset_id: string; campaign_id: string }
type Senders = { mailbox_id: string; account_id: string }

export async function someDatasets({ user_id }: Owner, now: Date) {
  const { dataset_id } = await aDataset({ user_id }, LEADS)
  const columns = Object.keys(LEADS[0] ?? {}).map((key) => ({
    name: key.replace('_', ' ').replace(/^\w/, (letter) => letter.toUpperCase()),
    key,
  }))
  await db.dataset.update({
    where: { dataset_id },
    data: { dataset_name: 'Operations leads, autumn', reject_count: 3, columns },
  })
  const bad = { dataset_id, user_id, column_name: 'Email' }
  await db.datasetReject.createMany({
    data: [
      { ...bad, row_number: 9, cell: 'A9', code: 'email_invalid', reason: 'Not an address.', value: 'n/a' },
      { ...bad, row_number: 17, cell: 'A17', code: 'email_missing', reason: 'No address.', value: null },
      {
        ...bad,
        row_number: 26,
        cell: 'A26',
        code: 'duplicate',
        reason: 'The same address as in row 4.',
        value: LEADS[2]?.email ?? '',
      },
    ],
  })
  const session_id = await someSessions({ dataset_id, user_id }, now)
  const second = await aDataset({ user_id }, LEADS.slice(0, 6))
  await db.dataset.update({
    where: { dataset_id: second.dataset_id },
    data: { dataset_name: 'Trade fair visitors' },
  })
  return { dataset: dataset_id, session: session_id }
}

async function someSessions(owned: { dataset_id: string; user_id: string }, now: Date) {
  const done = { ...owned, status: 'completed' as const, leads_count: LEADS.length, next_index: LEADS.length }
  await db.datasetSession.create({
    data: {
      ...done,
      filename: 'operations-leads-autumn.xlsx',
      processed_count: LEADS.length,
      session_created_at: before(now, 9 * DAY),
      completed_at: before(now, 9 * DAY - 4_000),
    },
  })
  const { session_id } = await db.datasetSession.create({
    data: {
      ...done,
      work: 'extraction',
      pipeline_type: 'extraction',
      options: { fields: ['company_domain', 'seniority'] },
      processed_count: LEADS.length,
      summary: {
        company_domain: { filled: 22, skipped: { already_filled: 2 } },
        seniority: { filled: 17, skipped: { nothing_found: 7 } },
      },
      session_created_at: before(now, 8 * DAY),
      completed_at: before(now, 8 * DAY - 6_000),
    },
  })
  const found = await db.datasetSession.create({
    data: {
      ...done,
      work: 'email_finder',
      processed_count: 8,
      leads_count: 8,
      session_created_at: before(now, 7 * DAY),
      completed_at: before(now, 7 * DAY - 60_000),
    },
  })
  await db.emailFinderResult.createMany({
    data: LEADS.slice(0, 8).map(({ email }, lead_index) => ({
      session_id: found.session_id,
      lead_index,
      user_id: owned.user_id,
      email: lead_index === 5 ? null : email,
      confidence: lead_index === 5 ? 0 : 95 - lead_index * 6,
      status: lead_index === 5 ? 'unknown' : lead_index > 5 ? 'risky' : 'valid',
      reason:
        lead_index === 5 ? 'No address of theirs was taken.' : 'The mail server takes it, and not any other.',
      filled: lead_index < 5,
    })),
  })
  await db.datasetCellChange.createMany({
    data: LEADS.slice(0, 17).map(({ email }, lead_index) => ({
      ...owned,
      session_id,
      lead_index,
      field: lead_index % 3 === 0 ? 'seniority' : 'company_domain',
      new_value: lead_index % 3 === 0 ? 'director' : (email.split('@')[1] ?? ''),
      rule: lead_index % 3 === 0 ? 'title_words' : 'domain_of_email',
      source: lead_index % 3 === 0 ? 'job_title' : 'email',
      certainty: 'likely',
    })),
  })
  return found.session_id
}

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
  const leads = await someLeads({ user_id: owner.user_id, dataset_id, campaign_id: running }, senders, now)
  await db.campaign.update({
    where: { campaign_id: running },
    data: { status: 'active', launched_at: before(now, 6 * DAY), launch_requested_at: before(now, 6 * DAY) },
  })
  const draft = await make('Winter: a question about freight')
  const done = await make('Summer: trade fair follow-up', { steps_config: steps_config.slice(0, 1) })
  await someLeads(
    { user_id: owner.user_id, dataset_id, campaign_id: done },
    senders,
    before(now, 60 * DAY),
    true,
  )
  await db.campaign.update({
    where: { campaign_id: done },
    data: { status: 'completed', launched_at: before(now, 66 * DAY), completed_at: before(now, 50 * DAY) },
  })
  return { running, draft, done, template: template.template_id, ...leads }
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

/**
 * Each lead with what left to it so far; the instants of the next steps lie days ahead, so that a page holds still. What
 * is counted and told of is so by triggers on changes: hence first under way, then over.
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
      last_event: fateOf(lead_index) === 'active' ? 'sent' : fateOf(lead_index),
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
  const action = actions.find(({ campaign_lead_id }) => campaign_lead_id === ids[0])?.action_id ?? ''
  return { lead: ids[0] ?? '', replied: ids[1] ?? '', action }
}

function anAction(owned: Owned, campaign_lead_id: string, index: number, mailbox_id: string, now: Date) {
  const { first_name, company } = LEADS[index] ?? { first_name: 'there', company: 'you' }
  const performed_at = before(now, 6 * DAY - index * 5 * HOUR)
  return {
    campaign_lead_id,
    campaign_id: owned.campaign_id,
    user_id: owned.user_id,
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
