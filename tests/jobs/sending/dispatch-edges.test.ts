import type { Pool } from 'pg'
import { afterEach, expect, test } from 'vitest'
import { db, pool } from '#lib/db/client'
import type { MailOutcome } from '#lib/providers/mail/port'
import { blockingProblems } from '#lib/services/launch/checks'
import { deleteMailbox, updateMailbox } from '#lib/services/senders/mailboxes'
import { dispatchRound } from '#lib/services/sending/round'
import { dispatchDue } from '#lib/services/sending/run'
import { memoryMail } from '#tests/support/doubles/memory-mail'
import { aCampaign, aMailbox, aUser } from '#tests/support/scenes/factories'
import { FAILING } from '#tests/support/scenes/failing'
import {
  campaignOf,
  dispatchAt,
  FIRST,
  launched,
  MONDAY,
  minutes,
  SECOND,
  WATCHED,
} from '#tests/support/scenes/launched'

// Faults that the simulation has found, each as a test of its own.

afterEach(async () => {
  await db.campaign.deleteMany()
})

const actionsOf = (campaign_id: string) =>
  db.action.findMany({ where: { campaign_id }, orderBy: { step: 'asc' } })
const leadOf = (campaign_id: string) => db.campaignLead.findFirstOrThrow({ where: { campaign_id } })

test('a step that is skipped and the next one share a slot', async () => {
  const opened = { ...SECOND, delay_days: 0, condition: 'opened' }
  const { campaign_id } = await launched({ steps_config: [WATCHED, opened, { ...SECOND, delay_days: 0 }] }, 2)
  await dispatchAt(MONDAY)
  expect((await dispatchAt(minutes(1))).offered).toBe(2)
  expect((await actionsOf(campaign_id)).map(({ step, status }) => [step, status])).toEqual([
    [1, 'sent'],
    [1, 'sent'],
    [2, 'skipped'],
    [2, 'skipped'],
    [3, 'sent'],
    [3, 'sent'],
  ])
  expect(await campaignOf(campaign_id)).toMatchObject({ status: 'completed', processed_leads: 2 })
})

test('a mail that follows only mails that may be skipped needs a subject of its own', async () => {
  const owner = await aUser()
  await aMailbox(owner)
  const unsure = { ...FIRST, condition: 'not_clicked' }
  const codes = async (second: object) => {
    const campaign = await aCampaign(owner, { steps_config: [unsure, second] })
    return (await blockingProblems(campaign)).map((problem) => [problem.code, problem.step])
  }
  expect(await codes(SECOND)).toEqual([['subject_missing', 2]])
  expect(await codes(FIRST)).toEqual([])
})

test('an address that bounced is on the list even where the process dies right after it recorded that', async () => {
  const { owner } = await launched({ steps_config: [FIRST] }, 1)
  const bounced: MailOutcome = {
    outcome: 'refused_for_good',
    stage: 'rcpt',
    code: 550,
    enhanced: '5.1.1',
    response: '550 5.1.1 No such user',
    blames: 'recipient',
  }
  const listed = () =>
    db.suppression.count({ where: { workspace_id: owner.workspace_id, reason: 'hard_bounce' } })
  let commits = 0
  // The claim and the record may commit; later requests for a connection fail.
  const dying = new Proxy(pool(), {
    get: (target, key) => {
      if (key !== 'connect') return Reflect.get(target, key).bind?.(target) ?? Reflect.get(target, key)
      return async () => {
        if ((await db.action.count({ where: { status: 'failed' } })) > 0) throw new Error('dead')
        commits += 1
        return target.connect()
      }
    },
  }) as Pool
  const work = dispatchDue({ mail: memoryMail(() => bounced).provider, clock: () => MONDAY, pool: dying })
  await expect(work).rejects.toThrow('dead')
  expect(commits).toBeGreaterThan(1)
  expect(await listed()).toBe(1)
})

/** A worker that is taken for dead while its message is on the way, and reports the outcome afterwards. */
async function lateWorker(fields: Record<string, unknown>) {
  const { campaign_id, owner, mailbox } = await launched(fields, 1)
  const answer = Promise.withResolvers<MailOutcome>()
  const slow = memoryMail(() => answer.promise)
  const work = dispatchDue({ mail: slow.provider, clock: () => MONDAY })
  await expect.poll(() => slow.outbox.length).toBe(1)
  expect(await dispatchAt(minutes(10))).toMatchObject({ expired: 1, offered: 0 })
  const speak = async () => {
    answer.resolve({ outcome: 'never_left', reason: 'connect', error: 'ECONNREFUSED' })
    await work
  }
  return { campaign_id, owner, mailbox, speak }
}

test.each([
  ['before its next step', [FIRST, SECOND]],
  ['after its last step', [FIRST]],
])('a message that turns out not to have left goes out after all, %s', async (_, steps_config) => {
  const { campaign_id, speak } = await lateWorker({ steps_config })
  await speak()
  expect(await leadOf(campaign_id)).toMatchObject({ status: 'active', current_step: 0, next_step: 1 })
  expect((await dispatchAt(minutes(60))).offered).toBe(1)
  expect((await actionsOf(campaign_id)).map(({ step, status }) => [step, status])).toEqual([[1, 'sent']])
  expect(await campaignOf(campaign_id)).toMatchObject({ sent_count: 1, uncertain_count: 0 })
})

test('a message that turns out not to have left goes out from another mailbox where its own was removed', async () => {
  const { campaign_id, owner, mailbox, speak } = await lateWorker({ steps_config: [FIRST] })
  const other = await aMailbox(owner)
  await deleteMailbox(owner.workspace_id, mailbox.mailbox_id)
  await speak()
  const { outbox } = await dispatchAt(minutes(60))
  expect(outbox.map(({ from }) => from.address)).toEqual([other.address])
  expect(await campaignOf(campaign_id)).toMatchObject({ status: 'completed', sent_count: 1 })
})

test('a message that turns out not to have left once the lead is past it stays unsent, and nothing waits for it', async () => {
  const { campaign_id, speak } = await lateWorker({ steps_config: [FIRST, SECOND] })
  expect((await dispatchAt(minutes(24 * 60))).offered).toBe(1)
  await speak()
  expect((await actionsOf(campaign_id)).map(({ step, status }) => [step, status])).toEqual([
    [1, 'failed'],
    [2, 'sent'],
  ])
  expect(await leadOf(campaign_id)).toMatchObject({ status: 'completed', current_step: 2 })
})

test('an address listed while its lead was being enrolled gets nothing', async () => {
  const { campaign_id, owner } = await launched({ steps_config: [FIRST] }, 2)
  const { email } = await leadOf(campaign_id)
  await db.suppression.create({
    data: { workspace_id: owner.workspace_id, value: email ?? '', reason: 'manual' },
  })
  const { outbox } = await dispatchAt(MONDAY)
  expect(outbox.map((mail) => mail.to.address)).not.toContain(email)
  expect(outbox).toHaveLength(1)
})

test('the database itself refuses a second row of the ledger for the same lead and step', async () => {
  const { campaign_id } = await launched({ steps_config: [FIRST] }, 1)
  await dispatchAt(MONDAY)
  const [action] = await actionsOf(campaign_id)
  if (!action) throw new Error('nothing was sent')
  const { action_id: _, ...again } = action
  await expect(db.action.create({ data: again })).rejects.toThrow('campaign_lead_id')
})

test('a round whose time is over goes on with what is due', async () => {
  await launched({ steps_config: [FIRST] }, 1)
  expect(await dispatchRound(undefined, new Date(Date.now() - 1))).toEqual({ offered: 0, goes_on: true })
})

test('a mailbox that is connected while a claim finds none wakes its campaign', async () => {
  const { campaign_id, owner, mailbox } = await launched({ steps_config: [FIRST] }, 1)
  await db.mailbox.update({ where: { mailbox_id: mailbox.mailbox_id }, data: FAILING })
  const claim = await pool().connect()
  try {
    await claim.query('BEGIN')
    await claim.query('SELECT 1 FROM campaigns WHERE campaign_id = $1 FOR NO KEY UPDATE', [campaign_id])
    const smtp = { host: 'smtp.example.com', port: 25, security: 'none' as const, username: null }
    const connected = updateMailbox(owner.workspace_id, mailbox.mailbox_id, { smtp }, MONDAY)
    const waits =
      'SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))'
    await expect.poll(async () => (await claim.query(waits)).rowCount).toBeGreaterThan(0)
    await claim.query('UPDATE campaigns SET next_slot_at = NULL WHERE campaign_id = $1', [campaign_id])
    await claim.query('COMMIT')
    await connected
  } finally {
    claim.release()
  }
  expect((await campaignOf(campaign_id)).next_slot_at).toEqual(MONDAY)
  expect((await dispatchAt(MONDAY)).offered).toBe(1)
})
