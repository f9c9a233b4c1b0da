import { expect, test } from 'vitest'
import { db } from '#lib/db/client'
import { readHome } from '#lib/services/campaigns/home'
import { readNextDay } from '#lib/services/forecast/next-day'
import { launchAt } from '#lib/services/launch/lifecycle'
import {
  aCampaign,
  aDataset,
  aMailbox,
  anAccount,
  anEnrolledLead,
  aUser,
} from '#tests/support/scenes/factories'
import { FAILING } from '#tests/support/scenes/failing'
import { launched, MONDAY, minutes } from '#tests/support/scenes/launched'

const NOW = new Date('2026-11-21T12:30:00Z')

test('home counts what left in each of the last 24 hours, of this owner only', async () => {
  const owner = await aUser()
  const stranger = await aUser()
  await sends(owner, ['2026-11-21T12:10:00Z', '2026-11-21T12:29:00Z', '2026-11-20T13:00:00Z'])
  await sends(owner, ['2026-11-20T12:59:00Z'])
  await sends(stranger, ['2026-11-21T12:10:00Z'])

  const { hours } = await readHome(owner.workspace_id, NOW)

  expect(hours).toHaveLength(24)
  expect(hours[0]).toEqual({ from: new Date('2026-11-20T13:00:00Z'), sent: 1 })
  expect(hours[23]).toEqual({ from: new Date('2026-11-21T12:00:00Z'), sent: 2 })
  expect(hours.reduce((sum, hour) => sum + hour.sent, 0)).toBe(3)
})

async function sends(owner: { workspace_id: string; user_id: string }, instants: string[]) {
  for (const [index, performed_at] of instants.entries()) {
    const { campaign_lead_id, campaign_id } = await anEnrolledLead(owner, { lead_index: index })
    await db.action.create({
      data: {
        campaign_lead_id,
        campaign_id,
        workspace_id: owner.workspace_id,
        step: 1,
        channel: 'email',
        action_type: 'email',
        status: 'sent',
        performed_at: new Date(performed_at),
      },
    })
  }
}

test('home names what needs a hand, and the first steps that are done', async () => {
  const owner = await aUser()
  const before = await readHome(owner.workspace_id, NOW)
  expect(new Set(Object.values(before.first_steps))).toEqual(new Set([false]))

  const dataset = await aDataset(owner)
  const { mailbox_id } = await aMailbox(owner)
  const failed = await aCampaign(owner, { dataset_id: dataset.dataset_id })
  await db.campaign.update({
    where: { campaign_id: failed.campaign_id },
    data: { status: 'failed', launch_error: 'No lead could be enrolled.' },
  })
  const halted = await aCampaign(owner, { dataset_id: dataset.dataset_id })
  const byHand = await aCampaign(owner, { dataset_id: dataset.dataset_id })
  for (const [campaign, paused_reason] of [
    [halted, 'bounce_rate'],
    [byHand, 'user'],
  ] as const)
    await db.campaign.update({
      where: { campaign_id: campaign.campaign_id },
      data: { status: 'paused', paused_reason, paused_from: 'active' },
    })

  const connected = await readHome(owner.workspace_id, NOW)
  expect(connected.first_steps).toMatchObject({ has_mailbox: true, has_leads: true, has_campaign: true })
  expect(connected.first_steps).toMatchObject({ has_sequence: false, has_launched: false })
  expect(connected.problems.failed.map((one) => one.launch_error)).toEqual(['No lead could be enrolled.'])
  expect(connected.problems.halted.map((one) => one.campaign_id)).toEqual([halted.campaign_id])

  await db.mailbox.update({ where: { mailbox_id }, data: { ...FAILING, last_error: 'refused' } })
  const { problems, first_steps } = await readHome(owner.workspace_id, NOW)
  expect(problems.failing).toMatchObject([{ mailbox_id, last_error: 'refused' }])
  expect(first_steps.has_mailbox).toBe(true)
})

test('a launch at a local time is one in the zone of the campaign, and never one that has passed', async () => {
  const owner = await aUser()
  await aMailbox(owner)
  const { campaign_id } = await aCampaign(owner, {
    timezone: 'America/New_York',
    steps_config: [{ subject: 'Hello', message_template: 'A word?' }],
  })

  await expect(launchAt(owner.workspace_id, campaign_id, '', NOW)).rejects.toThrow('Choose a date and a time')
  await expect(launchAt(owner.workspace_id, campaign_id, '2026-11-21T07:29', NOW)).rejects.toThrow(
    'in the future',
  )
  expect(await db.campaign.findUnique({ where: { campaign_id } })).toMatchObject({ status: 'draft' })

  const launched = await launchAt(owner.workspace_id, campaign_id, '2026-11-23T09:00', NOW)
  expect(launched).toMatchObject({ status: 'scheduled', start_date: new Date('2026-11-23T14:00:00Z') })
})

test('a domain that failed, or lacks a record, is a problem; one in order, or still awaited, is none', async () => {
  const owner = await aUser()
  const { workspace_id } = owner
  await db.mailDomain.createMany({
    data: [
      { workspace_id, domain: 'failed.example.com', status: 'failed' },
      { workspace_id, domain: 'lacking.example.com', status: 'verified', failing_since: NOW },
      { workspace_id, domain: 'good.example.com', status: 'verified' },
      { workspace_id, domain: 'awaited.example.com', status: 'verifying' },
    ],
  })
  const { problems } = await readHome(workspace_id, NOW)
  expect(problems.domains.map(({ domain }) => domain).toSorted()).toEqual([
    'failed.example.com',
    'lacking.example.com',
  ])
})

test('the next 24 hours are told by hour and sender, of this owner only', async () => {
  const { owner, mailbox } = await launched({ daily_limit: 2, min_interval_seconds: 3_600 }, 5)
  await launched({}, 3)
  const { hours, planned, senders, left_out } = await readNextDay(owner.workspace_id, minutes(1))
  expect([hours.length, planned.length, left_out]).toEqual([24, 24, 0])
  expect(hours[0]).toEqual(MONDAY)
  expect(senders.map(({ sender_id, name }) => [sender_id, name])).toEqual([
    [mailbox.mailbox_id, mailbox.address],
  ])
  expect(planned.slice(0, 3)).toEqual([1, 1, 0])
  expect(planned).toEqual(senders[0]?.planned)
  expect(await readNextDay((await aUser()).workspace_id, MONDAY)).toMatchObject({ senders: [], left_out: 0 })
})

test('an account that is signed out, replies that are not read and a post that did not go out are problems', async () => {
  const owner = await aUser()
  const { workspace_id, user_id } = owner
  const off = await anAccount(owner, { status: 'disconnected', status_reason: 'Signed out.' })
  await anAccount(owner)
  const unread = await aMailbox(owner)
  await aMailbox(owner)
  await db.mailbox.update({
    where: { mailbox_id: unread.mailbox_id },
    data: { inbox_error: 'The server hung up.' },
  })
  await db.socialPost.createMany({
    data: [
      { workspace_id, user_id, status: 'failed', text: 'failed' },
      { workspace_id, user_id, status: 'publishing', uncertain: true, text: 'uncertain' },
      { workspace_id, user_id, status: 'draft', text: 'draft' },
    ],
  })
  const { problems } = await readHome(workspace_id, NOW)
  expect(problems.accounts).toMatchObject([{ account_id: off.account_id, status_reason: 'Signed out.' }])
  expect(problems.unread).toMatchObject([
    { mailbox_id: unread.mailbox_id, inbox_error: 'The server hung up.' },
  ])
  expect(problems.posts.map(({ text }) => text).toSorted()).toEqual(['failed', 'uncertain'])
})
