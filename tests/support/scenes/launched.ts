import { db, pool } from '#lib/db/client'
import { forecastCampaign } from '#lib/services/forecast/forecasts'
import { activateCampaign, enrolLeads } from '#lib/services/launch/enrolment'
import { launchCampaign } from '#lib/services/launch/lifecycle'
import { dispatchDue } from '#lib/services/sending/run'
import { memoryMail } from '#tests/support/doubles/memory-mail'
import { aCampaign, aDataset, aMailbox, aUser } from '#tests/support/scenes/factories'

export const MONDAY = new Date('2026-03-02T10:00:00.000Z')
export const minutes = (count: number) => new Date(MONDAY.getTime() + count * 60_000)
export const FIRST = { subject: 'Hello {{ first_name }}', message_template: 'A word about {{ company }}.' }
/** The same with open tracking. */
export const WATCHED = { ...FIRST, track_opens: true }
export const SECOND = { delay_days: 1, message_template: 'Did you see my mail, {{ first_name }}?' }

/** Open around the clock, without an interval: what is due leaves at once. */
export const OPEN = {
  sending_window_start: '00:00',
  sending_window_end: '00:00',
  min_interval_seconds: 0,
  daily_limit: 1_000,
  steps_config: [FIRST, SECOND],
}

/** A campaign with its owner and one mailbox, launched on MONDAY in the same way as the background functions launch it. */
export async function launched(fields: Record<string, unknown> = {}, leads = 3) {
  const owner = await aUser()
  const mailbox = await aMailbox(owner)
  return { owner, mailbox, ...(await launchedFor(owner, fields, leads)) }
}

/** The same for an owner who already has a mailbox. */
export async function launchedFor(
  owner: Awaited<ReturnType<typeof aUser>>,
  fields: Record<string, unknown> = {},
  leads = 3,
) {
  const { dataset_id } = await aDataset(owner, leads)
  const campaign = await aCampaign(owner, { ...OPEN, dataset_id, ...fields })
  await launchCampaign(owner.workspace_id, campaign.campaign_id, null, MONDAY)
  await enrolLeads(campaign.campaign_id, MONDAY)
  await activateCampaign(campaign.campaign_id, MONDAY)
  return { campaign_id: campaign.campaign_id, dataset_id }
}

/** One worker that sends everything due at an instant. */
export const dispatchAt = (at: Date, mail = memoryMail()) =>
  dispatchDue({ mail: mail.provider, clock: () => at }).then((result) => ({ ...result, outbox: mail.outbox }))

/** Office hours in the time zone of each lead, for a campaign in Berlin. */
export const BY_LEADS = {
  timezone: 'Europe/Berlin',
  schedule_timezone: 'lead',
  sending_window_start: '09:00',
  sending_window_end: '17:00',
  send_days: ['mon', 'tue', 'wed', 'thu', 'fri'],
  min_interval_seconds: 0,
  daily_limit: 100,
  steps_config: [FIRST],
}

type Row = { first_name: string; [field: string]: string }

/** A draft over people in several places, each identified by their first name. */
export async function drafted(fields: Record<string, unknown>, people: Row[]) {
  const owner = await aUser()
  const mailbox = await aMailbox(owner)
  const rows = people.map((row, index) => ({
    email: `${row.first_name.toLowerCase()}-${index}@example.com`,
    company: 'Acme',
    ...row,
  }))
  const { dataset_id } = await aDataset(owner, rows)
  const { campaign_id } = await aCampaign(owner, { ...BY_LEADS, dataset_id, ...fields })
  return { owner, mailbox, dataset_id, campaign_id }
}

/** The same, launched on MONDAY at 10:00 UTC. */
export async function launchedByClocks(fields: Record<string, unknown>, people: Row[]) {
  const scene = await drafted(fields, people)
  await launchCampaign(scene.owner.workspace_id, scene.campaign_id, null, MONDAY)
  await enrolLeads(scene.campaign_id, MONDAY)
  await activateCampaign(scene.campaign_id, MONDAY)
  return scene
}

const told = (names: Map<number, string>, of: { lead_index: number; step: number; at: number }[]) =>
  of.map(
    ({ lead_index, step, at }) =>
      `${names.get(lead_index)} ${step} ${new Date(at).toISOString().slice(0, 16)}`,
  )

async function firstNames(campaign_id: string) {
  const { dataset_id } = await db.campaign.findUniqueOrThrow({ where: { campaign_id } })
  const rows = await db.datasetRow.findMany({ where: { dataset_id } })
  return new Map(rows.map(({ lead_index, data }) => [lead_index, (data as Row).first_name]))
}

/** "Ada 1 2026-03-02T14:00": which lead is planned to get which step when. */
export async function planned(workspace_id: string, campaign_id: string, now = MONDAY) {
  const { actions } = await forecastCampaign(workspace_id, campaign_id, { offset: 0, limit: 100 }, now)
  return told(await firstNames(campaign_id), actions)
}

/** Dispatches whenever the dispatcher asked to be woken, until it asks no more; returns what was performed, in the same format. */
export async function playOut(campaign_id: string, mail = memoryMail()) {
  let { next_slot_at } = await db.campaign.findUniqueOrThrow({ where: { campaign_id } })
  for (let looks = 0; looks < 200 && next_slot_at; looks++) {
    ;({ next_slot_at } = await dispatchAt(next_slot_at, mail))
    const { status } = await db.campaign.findUniqueOrThrow({ where: { campaign_id } })
    if (status === 'completed') break
  }
  return performed(campaign_id)
}

export async function performed(campaign_id: string) {
  const actions = await db.action.findMany({
    where: { campaign_id, status: { in: ['sent', 'uncertain'] } },
    include: { lead: { select: { lead_index: true } } },
    orderBy: [{ performed_at: 'asc' }, { lead: { lead_index: 'asc' } }],
  })
  return told(
    await firstNames(campaign_id),
    actions.map(({ lead, step, performed_at }) => ({
      lead_index: lead.lead_index,
      step,
      at: performed_at.getTime(),
    })),
  )
}

/** By first name: the time zone of each lead, and the column that it was taken from. */
export async function clocks(campaign_id: string) {
  const names = await firstNames(campaign_id)
  const leads = await db.campaignLead.findMany({ where: { campaign_id }, orderBy: { lead_index: 'asc' } })
  return Object.fromEntries(
    leads.map(({ lead_index, timezone, timezone_source }) => [
      names.get(lead_index),
      [timezone, timezone_source],
    ]),
  )
}

/** Two campaigns over the same dataset, with this many active leads each, and no action yet. */
export async function twoCampaigns(leads: number) {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner, leads)
  const ids: string[] = []
  for (const _ of [1, 2]) {
    const { campaign_id } = await aCampaign(owner, { dataset_id })
    ids.push(campaign_id)
    await pool().query(
      `INSERT INTO campaign_leads (campaign_id, workspace_id, dataset_id, lead_index, status)
       SELECT $1, workspace_id, dataset_id, lead_index, 'active' FROM dataset_rows WHERE dataset_id = $2`,
      [campaign_id, dataset_id],
    )
  }
  return { owner, ids }
}

export const campaignOf = (campaign_id: string) => db.campaign.findUniqueOrThrow({ where: { campaign_id } })

export const leadsOf = (campaign_id: string) =>
  db.campaignLead.findMany({ where: { campaign_id }, orderBy: { lead_index: 'asc' } })

export const actionsOf = (campaign_id: string) =>
  db.action.findMany({ where: { campaign_id }, orderBy: [{ step: 'asc' }, { created_at: 'asc' }] })
