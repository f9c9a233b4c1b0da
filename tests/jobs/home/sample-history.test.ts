import { expect, test } from 'vitest'
import { ReadLaunchChecks } from '#lib/contracts/campaigns/launch-checks'
import { db, pool } from '#lib/db/client'
import { loadZone, toDay } from '#lib/domain/calendar/zoned-time'
import { removeSamples } from '#lib/services/sandbox/removal'
import { addSample } from '#lib/services/sandbox/samples'
import { importWorkspace } from '#lib/services/workspaces/archive/workspace-import'
import { call } from '#tests/support/call'
import { archive, archiveBytes, archivedRows, eraseWorkspace } from '#tests/support/files/archives'
import { aUser } from '#tests/support/scenes/factories'

process.env.SANDBOX_SMTP_PORT = '2525'

const NOW = new Date('2026-11-25T13:00:00Z')

async function aHistory(begun = async (_: Awaited<ReturnType<typeof aUser>>) => {}) {
  const owner = await aUser()
  await begun(owner)
  const items = await addSample(owner, 'history', NOW)
  const campaigns = await db.campaign.findMany({
    where: { workspace_id: owner.workspace_id },
    include: { leads: { include: { actions: true } }, days: true, launch_forecast: true },
    orderBy: { created_at: 'asc' },
  })
  return {
    owner,
    items,
    campaigns: campaigns.filter(({ status }) => status !== 'draft'),
    drafts: campaigns.filter(({ status }) => status === 'draft'),
  }
}

test('a finished and a running campaign, whose counts are those of their rows', async () => {
  const { campaigns } = await aHistory()
  expect(campaigns.map(({ status }) => status)).toEqual(['completed', 'active'])
  for (const { leads, days, launch_forecast, ...campaign } of campaigns) {
    const sent = leads.flatMap(({ actions }) => actions)
    expect(sent.length).toBeGreaterThan(50)
    expect(campaign).toMatchObject({
      sent_count: sent.length,
      total_leads: leads.length,
      processed_leads: leads.filter(({ next_step }) => next_step === null).length,
      replied_count: leads.filter(({ status }) => status === 'replied').length,
    })
    expect(campaign.replied_count).toBeGreaterThan(2)
    expect(days.reduce((sum, { used }) => sum + used, 0)).toBe(sent.length)
    expect(launch_forecast?.total_actions).toBe(leads.length * 3)
  }
})

test('a mailbox that has sent already makes the past no shorter', async () => {
  const { campaigns } = await aHistory(async (owner) => {
    await addSample(owner, 'campaign', NOW)
    await db.mailbox.updateMany({
      where: { workspace_id: owner.workspace_id },
      data: { last_action_at: NOW, ramp_up_started_at: NOW },
    })
  })
  expect(campaigns.find(({ status }) => status === 'completed')?.sent_count).toBeGreaterThan(300)
})

test('what was sent kept to the rules: once a step, in order, in the window, on working days, under the limit, nothing after an answer', async () => {
  const { campaigns } = await aHistory()
  const zone = loadZone('UTC')
  for (const { leads, daily_limit, days } of campaigns) {
    for (const { used } of days) expect(used).toBeLessThanOrEqual(daily_limit)
    for (const lead of leads) {
      const steps = lead.actions.toSorted((a, b) => a.performed_at.getTime() - b.performed_at.getTime())
      expect(steps.map(({ step }) => step)).toEqual(steps.map((_, index) => index + 1))
      for (const { performed_at } of steps) {
        expect(performed_at.getTime()).toBeLessThanOrEqual(NOW.getTime())
        expect([0, 6]).not.toContain(performed_at.getUTCDay())
        expect(performed_at.getUTCHours()).toBeGreaterThanOrEqual(9)
        expect(performed_at.getUTCHours()).toBeLessThan(17)
      }
      for (const [index, { performed_at }] of steps.slice(1).entries())
        expect(toDay(zone, performed_at.getTime())).toBeGreaterThanOrEqual(
          toDay(zone, steps[index]?.performed_at.getTime() ?? 0) + 3,
        )
      if (['replied', 'bounced', 'unsubscribed'].includes(lead.status))
        expect(lead.last_event_at?.getTime()).toBeGreaterThan(steps.at(-1)?.performed_at.getTime() ?? 0)
    }
  }
})

test('the inbox has a conversation of each intent, and nobody is told of what never was', async () => {
  const { owner } = await aHistory()
  const where = { workspace_id: owner.workspace_id }
  const threads = await db.thread.findMany({ where })
  expect(new Set(threads.map(({ intent }) => intent))).toEqual(
    new Set([
      'interested',
      'meeting',
      'later',
      'referral',
      'wrong_person',
      'not_interested',
      'stop',
      'absence',
    ]),
  )
  expect(threads.filter(({ unread }) => unread).length).toBeGreaterThan(0)
  expect(await db.notification.count({ where })).toBe(0)
  const { rows } = await pool().query('SELECT 1 FROM webhook_events WHERE workspace_id = $1', [
    owner.workspace_id,
  ])
  expect(rows).toEqual([])
  expect(await db.mailbox.count({ where: { ...where, status: 'failing' } })).toBe(1)
})

test('one act removes all of it, people and companies too; a second history waits for that', async () => {
  const { owner } = await aHistory()
  await expect(addSample(owner, 'history', NOW)).rejects.toMatchObject({ code: 'invalid_state' })
  const { kept } = await removeSamples(owner.workspace_id, NOW)
  expect(kept).toEqual([])
  const where = { workspace_id: owner.workspace_id }
  expect(
    await Promise.all([
      db.campaign.count({ where }),
      db.dataset.count({ where }),
      db.template.count({ where }),
      db.mailbox.count({ where }),
      db.thread.count({ where }),
      db.inboundMessage.count({ where }),
      db.suppression.count({ where }),
      db.person.count({ where }),
      db.company.count({ where }),
      db.sampleItem.count({ where }),
    ]),
  ).toEqual(Array(10).fill(0))
  expect((await addSample(owner, 'history', NOW)).length).toBeGreaterThan(5)
})

test('a draft waits for a reviewer: none of its texts is approved, each names its cells, and its launch says so', async () => {
  const { owner, drafts } = await aHistory()
  const [draft, ...others] = drafts
  if (!draft || others.length > 0) throw new Error('one draft was to be made')
  const { workspace_id } = owner
  const texts = await db.generation.findMany({ where: { campaign_id: draft.campaign_id, workspace_id } })
  expect(texts).toHaveLength(12)
  for (const { status, approved_at, claims, body } of texts) {
    expect([status, approved_at]).toEqual(['generated', null])
    for (const claim of Array.isArray(claims) ? claims : []) expect(body).toContain(Object(claim).text)
  }
  const { body } = await call(ReadLaunchChecks, { as: owner, params: draft })
  expect(body.blocks).toEqual([])
  expect([...body.warns, ...body.informs].map(({ code }) => code)).toContain('texts_held')
})

test('a workspace that has it comes back from its export', async () => {
  const { owner } = await aHistory()
  const lines = await archive(owner)
  await eraseWorkspace(owner)
  const { rows } = await importWorkspace((await aUser()).user_id, archiveBytes(lines), NOW)
  expect(rows).toBe(archivedRows(lines).length)
  expect(await db.thread.count({ where: { workspace_id: owner.workspace_id } })).toBeGreaterThan(5)
})
