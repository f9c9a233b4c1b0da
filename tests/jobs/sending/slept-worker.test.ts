import { afterEach, expect, test } from 'vitest'
import { db } from '#lib/db/client'
import { resolveUncertainAction } from '#lib/services/leads/uncertain-actions'
import { LEASE_MS } from '#lib/services/sending/leases'
import { dispatchDue } from '#lib/services/sending/run'
import { dispatchAt, FIRST, launched, MONDAY } from '#tests/support/scenes/launched'
import { aProvider, aSink } from '#tests/support/scenes/smtp'

afterEach(async () => {
  await db.campaign.deleteMany()
})

const later = (ms: number) => new Date(MONDAY.getTime() + ms)

/** A worker that has claimed three mails; its server holds the first, and two wait for the only connection. */
async function atWork() {
  const holding = Promise.withResolvers<void>()
  const sink = await aSink({ beforeMessage: () => holding.promise })
  const made = await launched({ steps_config: [FIRST] }, 3)
  const { mailbox_id } = made.mailbox
  const smtp = { host: '127.0.0.1', port: sink.port, security: 'none', username: null }
  await db.mailbox.update({ where: { mailbox_id }, data: { smtp } })
  const self = { now: MONDAY }
  const mail = aProvider({ pool: { per_mailbox: 1 } })
  const work = dispatchDue({ mail, clock: () => self.now })
  const isHeld = () => sink.commands.includes('DATA')
  await expect.poll(isHeld).toBe(true)
  const actions = () =>
    db.action.findMany({
      where: { campaign_id: made.campaign_id },
      orderBy: { lead: { lead_index: 'asc' } },
    })
  const wake = async () => {
    holding.resolve()
    await work
  }
  return Object.assign(self, { ...made, sink, actions, wake })
}

test('a worker that slept until its leases ran out offers nothing of what it had claimed, and it is due again', async () => {
  const worker = await atWork()
  worker.now = later(8 * 3_600_000)
  await worker.wake()
  expect(worker.sink.messages).toHaveLength(1)
  expect((await worker.actions()).map(({ status, attempts }) => [status, attempts])).toEqual([
    ['sent', 1],
    ['retry', 0],
    ['retry', 0],
  ])
  const again = await dispatchAt(later(9 * 3_600_000))
  expect(again.outbox).toHaveLength(2)
})

test('what its owner said was not sent, and another worker sent since, it does not send once more', async () => {
  const worker = await atWork()
  const { owner, campaign_id } = worker
  const at = later(LEASE_MS + 1)
  expect(await dispatchAt(at)).toMatchObject({ expired: 3, offered: 0 })
  const [, second] = await worker.actions()
  await resolveUncertainAction(owner.workspace_id, campaign_id, second?.action_id ?? '', 'not_sent', at)
  const { outbox } = await dispatchAt(later(LEASE_MS + 180_000))
  expect(outbox).toHaveLength(1)
  worker.now = later(LEASE_MS + 240_000)
  await worker.wake()
  expect(worker.sink.messages.map(({ to }) => to[0])).not.toContain(outbox[0]?.to.address)
  expect((await worker.actions()).map(({ status }) => status)).toEqual(['sent', 'sent', 'retry'])
})
