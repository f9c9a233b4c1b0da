import { afterEach, expect, test } from 'vitest'
import { db, pool } from '#lib/db/client'
import { activateCampaign, enrolLeads } from '#lib/services/launch/enrolment'
import { launchCampaign } from '#lib/services/launch/lifecycle'
import { suppress } from '#lib/services/leads/endings'
import { noteReadable } from '#lib/services/senders/sender-failures'
import { dispatchDue } from '#lib/services/sending/run'
import { memoryMail } from '#tests/support/doubles/memory-mail'
import { aCampaign, aDataset, aMailbox, aUser } from '#tests/support/scenes/factories'

const MONDAY = new Date('2026-03-02T10:00:00.000Z')
const later = (minutes: number) => new Date(MONDAY.getTime() + minutes * 60_000)
const DAY = 24 * 60
const IMAP = { host: 'imap.example.com', port: 993, security: 'tls', username: null }
const open = {
  sending_window_start: '00:00',
  sending_window_end: '00:00',
  min_interval_seconds: 0,
  daily_limit: 1_000,
}
const STEPS = [
  { subject: 'Hello', message_template: 'A word.' },
  { delay_days: 1, message_template: 'Did you see it?' },
]

afterEach(async () => {
  await db.campaign.deleteMany()
})

async function launched(leads: number, imap: object | null = IMAP) {
  const owner = await aUser()
  const { mailbox_id } = await aMailbox(owner)
  await db.mailbox.update({ where: { mailbox_id }, data: imap ? { imap, inbox_polled_at: null } : {} })
  const { dataset_id } = await aDataset(owner, leads)
  const { campaign_id } = await aCampaign(owner, { ...open, dataset_id, steps_config: STEPS })
  await launchCampaign(owner.workspace_id, campaign_id, null, MONDAY)
  await enrolLeads(campaign_id, MONDAY)
  await activateCampaign(campaign_id, MONDAY)
  return { ...owner, campaign_id, mailbox_id }
}

/** Dispatches once; `found` is the result of a read. */
async function dispatch(at: Date, found: (mailboxIds: string[]) => Promise<unknown> = async () => undefined) {
  const mail = memoryMail()
  const read: string[][] = []
  const result = await dispatchDue({
    mail: mail.provider,
    clock: () => at,
    read: async (mailboxIds) => {
      read.push(mailboxIds)
      await db.mailbox.updateMany({
        where: { mailbox_id: { in: mailboxIds } },
        data: { inbox_polled_at: at, inbox_error: null },
      })
      await found(mailboxIds)
    },
  })
  return { ...result, read, to: mail.outbox.map((one) => one.to.address) }
}
const mailboxOf = (mailbox_id: string) => db.mailbox.findUniqueOrThrow({ where: { mailbox_id } })

test('before follow-ups leave, their mailbox is read once; before first mails it is not', async () => {
  const { mailbox_id } = await launched(3)
  expect(await dispatch(MONDAY)).toMatchObject({ offered: 3, read: [] })
  expect(await dispatch(later(DAY))).toMatchObject({ offered: 3, read: [[mailbox_id]] })
})

test('who had answered in mail that nobody had read gets no follow-up', async () => {
  const { workspace_id } = await launched(3)
  const [first = ''] = (await dispatch(MONDAY)).to
  const answers = () =>
    suppress(
      pool(),
      { workspace_id, values: [first], reason: 'unsubscribe', status: 'unsubscribed' },
      later(DAY),
    )
  const { offered, to } = await dispatch(later(DAY), answers)
  expect(offered).toBe(2)
  expect(to).not.toContain(first)
})

test.each([
  { ago: 5, reads: 0 },
  { ago: 6, reads: 1 },
])('a mailbox that was read $ago minutes ago is read $reads times', async ({ ago, reads }) => {
  const { mailbox_id } = await launched(1)
  await dispatch(MONDAY)
  await db.mailbox.update({ where: { mailbox_id }, data: { inbox_polled_at: later(DAY - ago) } })
  expect(await dispatch(later(DAY))).toMatchObject({ offered: 1, read: Array(reads).fill([mailbox_id]) })
})

test('a mailbox that cannot be read sends no follow-up, says so once, and goes on when it can be', async () => {
  const { campaign_id, mailbox_id, workspace_id } = await launched(3)
  await dispatch(MONDAY)
  const fails = (mailboxIds: string[]) =>
    db.mailbox.updateMany({
      where: { mailbox_id: { in: mailboxIds } },
      data: { inbox_error: 'The server refuses the password.' },
    })
  expect(await dispatch(later(DAY), fails)).toMatchObject({ offered: 0, read: [[mailbox_id]] })
  expect(await mailboxOf(mailbox_id)).toMatchObject({
    status: 'failing',
    failing_cause: 'unreadable',
    last_error: 'The server refuses the password.',
    next_try_at: later(DAY + 1),
  })
  // Not before its next try, which is later each time.
  expect(await dispatch(later(DAY + 0.5), fails)).toMatchObject({ offered: 0, read: [] })
  expect(await dispatch(later(DAY + 1), fails)).toMatchObject({ offered: 0, read: [[mailbox_id]] })
  expect(await mailboxOf(mailbox_id)).toMatchObject({ failing_tries: 2, next_try_at: later(DAY + 3) })
  expect(await db.notification.count({ where: { workspace_id, kind: 'mailbox_failing' } })).toBe(1)

  await db.mailbox.update({
    where: { mailbox_id },
    data: { inbox_polled_at: later(DAY + 2), inbox_error: null },
  })
  await noteReadable(pool(), mailbox_id, later(DAY + 2))
  expect(await dispatch(later(DAY + 2))).toMatchObject({ offered: 3, read: [] })
  expect(await db.campaignLead.count({ where: { campaign_id, status: 'completed' } })).toBe(3)
})

test('a mailbox that holds more than a reading takes is read to its end first, and counts as working', async () => {
  const { mailbox_id } = await launched(1)
  await dispatch(MONDAY)
  let readings = 0
  const takesMore = (mailboxIds: string[]) =>
    db.mailbox.updateMany({
      where: { mailbox_id: { in: mailboxIds } },
      data: { inbox_behind: ++readings < 3 },
    })
  expect(await dispatch(later(DAY), takesMore)).toMatchObject({
    offered: 1,
    read: Array(3).fill([mailbox_id]),
  })
  expect(await mailboxOf(mailbox_id)).toMatchObject({ status: 'connected', failing_cause: null })
})

test('a mailbox that nobody can read sends as ever', async () => {
  await launched(2, null)
  await dispatch(MONDAY)
  expect(await dispatch(later(DAY))).toMatchObject({ offered: 2, read: [] })
})

test('while one mailbox is read, other campaigns send', async () => {
  const slow = await launched(1)
  await dispatch(MONDAY)
  const quick = await launched(1)
  await db.campaign.update({ where: { campaign_id: quick.campaign_id }, data: { next_slot_at: later(DAY) } })
  const { promise, resolve } = Promise.withResolvers<void>()
  const sent = async () => (await db.action.count({ where: { campaign_id: quick.campaign_id } })) === 1
  const work = dispatch(later(DAY), async () => {
    await expect.poll(sent).toBe(true)
    resolve()
  })
  await promise
  expect(await db.action.count({ where: { campaign_id: slow.campaign_id, step: 2 } })).toBe(0)
  expect(await work).toMatchObject({ offered: 2 })
})
