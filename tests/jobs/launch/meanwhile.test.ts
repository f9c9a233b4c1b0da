import { afterEach, expect, test } from 'vitest'
import { db, pool } from '#lib/db/client'
import { updateCampaign } from '#lib/services/changes/update'
import { activateCampaign, enrolLeads } from '#lib/services/launch/enrolment'
import {
  launchCampaign,
  pauseCampaign,
  resumeCampaign,
  startDueCampaigns,
} from '#lib/services/launch/lifecycle'
import { aCampaign, aDataset, aMailbox, aUser } from '#tests/support/scenes/factories'
import {
  campaignOf,
  dispatchAt,
  FIRST,
  launched,
  MONDAY,
  minutes,
  OPEN,
} from '#tests/support/scenes/launched'

// Tests share a database: none may leave work behind that another would find due.
afterEach(async () => {
  await db.campaign.deleteMany()
})

/**
 * Starts `work` while another transaction holds the campaign's lock, and lets it continue after that transaction changed the campaign by
 * `sql`.
 */
async function meanwhile<T>(campaign_id: string, sql: string, work: () => Promise<T>): Promise<T> {
  const other = await pool().connect()
  try {
    await other.query('BEGIN')
    await other.query('SELECT 1 FROM campaigns WHERE campaign_id = $1 FOR NO KEY UPDATE', [campaign_id])
    const done = work()
    done.catch(() => undefined)
    const waits =
      'SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))'
    await expect.poll(async () => (await other.query(waits)).rowCount, { timeout: 60_000 }).toBeGreaterThan(0)
    await other.query(sql, [campaign_id])
    await other.query('COMMIT')
    return await done
  } finally {
    other.release(true)
  }
}

async function drafted() {
  const owner = await aUser()
  await aMailbox(owner)
  const { dataset_id } = await aDataset(owner, 2)
  const { campaign_id } = await aCampaign(owner, { ...OPEN, dataset_id, steps_config: [FIRST] })
  return { owner, campaign_id }
}

test('a start that is put off while it is due does not happen', async () => {
  const { owner, campaign_id } = await drafted()
  await launchCampaign(owner.workspace_id, campaign_id, minutes(60), MONDAY)
  const putOff = `UPDATE campaigns SET start_date = '2026-04-01T00:00:00Z' WHERE campaign_id = $1`
  await meanwhile(campaign_id, putOff, () => startDueCampaigns(minutes(60)))
  expect(await campaignOf(campaign_id)).toMatchObject({ status: 'scheduled', launch_job_id: null })
})

test('what was edited since it was checked is not launched', async () => {
  const { owner, campaign_id } = await drafted()
  const edit = `UPDATE campaigns SET daily_limit = 7, version = version + 1 WHERE campaign_id = $1`
  const launch = meanwhile(campaign_id, edit, () =>
    launchCampaign(owner.workspace_id, campaign_id, null, MONDAY),
  )
  await expect(launch).rejects.toMatchObject({ code: 'conflict' })
  expect((await campaignOf(campaign_id)).status).toBe('draft')
})

test('a resumed campaign goes on as what it has become while it was paused', async () => {
  const { owner, campaign_id } = await launched({ steps_config: [FIRST] }, 1)
  await dispatchAt(MONDAY)
  await db.campaign.update({ where: { campaign_id }, data: { status: 'paused', paused_from: 'draining' } })
  const restarted = `UPDATE campaigns SET paused_from = 'active' WHERE campaign_id = $1`
  await meanwhile(campaign_id, restarted, () => resumeCampaign(owner.workspace_id, campaign_id, minutes(1)))
  expect(await campaignOf(campaign_id)).toMatchObject({ status: 'active', next_slot_at: minutes(1) })
})

test('a resume for one reason leaves what stands still for another', async () => {
  const { owner, campaign_id } = await launched({ steps_config: [FIRST] }, 1)
  await pauseCampaign(owner.workspace_id, campaign_id, minutes(1))
  const resumed = resumeCampaign(owner.workspace_id, campaign_id, minutes(2), 'sender_disconnected')
  await expect(resumed).rejects.toMatchObject({ code: 'conflict' })
  expect(await campaignOf(campaign_id)).toMatchObject({ status: 'paused', paused_reason: 'user' })
  await resumeCampaign(owner.workspace_id, campaign_id, minutes(2), 'user')
  expect((await campaignOf(campaign_id)).status).toBe('active')
})

test('of two edits at once that name no version both are kept, and the log says what each replaced', async () => {
  const { owner, campaign_id } = await drafted()
  await launchCampaign(owner.workspace_id, campaign_id, null, MONDAY)
  await enrolLeads(campaign_id, MONDAY)
  await activateCampaign(campaign_id, MONDAY)
  await pauseCampaign(owner.workspace_id, campaign_id, minutes(1))
  const first = `UPDATE campaigns SET daily_limit = 7, version = version + 1 WHERE campaign_id = $1`
  await meanwhile(campaign_id, first, () =>
    updateCampaign(owner.workspace_id, campaign_id, { daily_limit: 8, name: 'Other' }, minutes(2)),
  )
  expect(await campaignOf(campaign_id)).toMatchObject({ daily_limit: 8, name: 'Other' })
  const [edit] = await db.campaignEdit.findMany({ where: { campaign_id } })
  expect(edit?.before).toMatchObject({ settings: { daily_limit: 7 } })
})
