import type { PoolClient, QueryConfig } from 'pg'
import { expect, test } from 'vitest'
import { db, pool } from '#lib/db/client'
import { inTransaction } from '#lib/db/transaction'
import { activateCampaign, enrolLeads } from '#lib/services/launch/enrolment'
import { launchCampaign } from '#lib/services/launch/lifecycle'
import { listSuppressed, suppressWithin } from '#lib/services/leads/endings'
import { dispatchDue } from '#lib/services/sending/run'
import { memoryMail } from '#tests/support/doubles/memory-mail'
import { aCampaign, aDataset, aMailbox, aUser } from '#tests/support/scenes/factories'

const MONDAY = new Date('2026-03-02T10:00:00.000Z')
const EMAIL = 'ada@example.com'

async function launch(owner: { workspace_id: string; user_id: string }) {
  const open = { sending_window_start: '00:00', sending_window_end: '00:00', min_interval_seconds: 0 }
  const { dataset_id } = await aDataset(owner, [{ email: EMAIL, first_name: 'Ada' }])
  const steps_config = [{ subject: 'Hello', message_template: 'A word.' }]
  const { campaign_id } = await aCampaign(owner, { ...open, dataset_id, steps_config })
  await launchCampaign(owner.workspace_id, campaign_id, null, MONDAY)
  await enrolLeads(campaign_id, MONDAY)
  await activateCampaign(campaign_id, MONDAY)
  return campaign_id
}

const statusIn = async (campaign_id: string) =>
  (await db.campaignLead.findFirstOrThrow({ where: { campaign_id } })).status

/** Runs `meanwhile` after the campaigns to lock were looked up and before they are locked. */
function interrupting(client: PoolClient, meanwhile: () => Promise<void>): PoolClient {
  let isDone = false
  return new Proxy(client, {
    get(target, key) {
      if (key !== 'query') return Reflect.get(target, key, target)
      return async (asked: string | QueryConfig, ...values: unknown[]) => {
        const answer = await Reflect.apply(target.query, target, [asked, ...values])
        const text = typeof asked === 'string' ? asked : asked.text
        if (!isDone && text.includes('SELECT DISTINCT campaign_id')) {
          isDone = true
          await meanwhile()
        }
        return answer
      }
    },
  })
}

test('a suppression waits for no campaign that takes the address in meanwhile, and its claim ends the lead', async () => {
  const owner = await aUser()
  await aMailbox(owner)
  const before = await launch(owner)
  const claim = await pool().connect()
  const client = await pool().connect()
  let meanwhile = ''
  try {
    await client.query('BEGIN')
    await client.query("SET LOCAL lock_timeout = '10s'")
    const asking = interrupting(client, async () => {
      meanwhile = await launch(owner)
      await claim.query('BEGIN')
      await claim.query('SELECT 1 FROM campaigns WHERE campaign_id = $1 FOR NO KEY UPDATE', [meanwhile])
    })
    const entry = {
      workspace_id: owner.workspace_id,
      values: [EMAIL],
      reason: 'manual',
      status: 'unsubscribed',
    } as const
    await suppressWithin(asking, entry, MONDAY)
    await client.query('COMMIT')
    await claim.query('COMMIT')
  } finally {
    client.release(true)
    claim.release(true)
  }
  expect(await statusIn(before)).toBe('unsubscribed')
  expect(await statusIn(meanwhile)).toBe('pending')

  const { provider, outbox } = memoryMail()
  await dispatchDue({ mail: provider, clock: () => MONDAY })
  expect(outbox).toEqual([])
  expect(await statusIn(meanwhile)).toBe('unsubscribed')
})

test('of a workspace that is erased meanwhile nothing is listed, and nothing fails', async () => {
  const owner = await aUser()
  const other = await aUser()
  await aMailbox(owner)
  await launch(owner)
  const client = await pool().connect()
  const found = await client
    .query('BEGIN')
    .then(() => {
      const erasing = interrupting(client, async () => {
        await db.campaign.deleteMany({ where: { workspace_id: owner.workspace_id } })
        await db.workspace.delete({ where: { workspace_id: owner.workspace_id } })
      })
      return suppressWithin(
        erasing,
        { workspace_id: owner.workspace_id, values: [EMAIL], reason: 'hard_bounce', status: 'bounced' },
        MONDAY,
      )
    })
    .finally(() => client.query('COMMIT').finally(() => client.release(true)))
  expect(found).toEqual({ added: 0, ended: 0 })

  const both = [owner, other].map(({ workspace_id }) => ({ workspace_id, value: EMAIL }))
  expect(await inTransaction(pool(), (one) => listSuppressed(one, both, 'hard_bounce', MONDAY))).toBe(1)
  const listed = { value: EMAIL, workspace_id: { in: both.map((one) => one.workspace_id) } }
  expect(await db.suppression.findMany({ where: listed, select: { workspace_id: true } })).toEqual([
    { workspace_id: other.workspace_id },
  ])
})
