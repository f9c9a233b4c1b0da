import { afterEach, expect, test } from 'vitest'
import { ReadMailbox, UpdateMailbox } from '#lib/contracts/senders/mailboxes'
import { db } from '#lib/db/client'
import { wholeForecast } from '#lib/services/forecast/forecasts'
import { getMailbox, updateMailbox } from '#lib/services/senders/mailboxes'
import { mailboxRampHistory } from '#lib/services/senders/ramp/ramp-history'
import { call } from '#tests/support/call'
import { ACCEPTED, memoryMail } from '#tests/support/doubles/memory-mail'
import { launchedOver } from '#tests/support/scenes/begun'
import { aDataset, aMailbox, aUser } from '#tests/support/scenes/factories'
import { dispatchAt, FIRST, MONDAY, minutes } from '#tests/support/scenes/launched'

const DAY = 24 * 60
const REFUSED = {
  outcome: 'refused_for_good',
  code: 550,
  response: '550 5.1.1 no such user',
  stage: 'rcpt',
  enhanced: null,
  blames: 'recipient',
} as const
/** Addresses that begin with "gone" are refused. */
const mail = () => memoryMail(({ to }) => (to.address.startsWith('gone') ? REFUSED : ACCEPTED))

// Tests share a database: none may leave work behind that another would find due.
afterEach(async () => {
  await db.campaign.deleteMany()
  await db.mailbox.deleteMany()
})

/** A mailbox that starts with 10 a day on MONDAY, and a campaign over people, the first of whom are gone. */
type Ramp = { start: number; increase_per_day: number; by_health: boolean }

async function ramping(gone: number, ramp: Partial<Ramp> = {}, started = MONDAY) {
  const owner = await aUser()
  const mailbox = await aMailbox(owner, {
    daily_limit: 100,
    ramp_up: { start: 10, increase_per_day: 4, by_health: true, ...ramp },
    ramp_up_started_at: started,
  })
  const rows = Array.from({ length: 150 }, (_, place) => ({
    email: place < gone ? `gone${place}@example.com` : `ann${place}@example.com`,
  }))
  const { dataset_id } = await aDataset(owner, rows)
  const { campaign_id } = await launchedOver({ owner, mailbox, campaign_id: '', dataset_id }, dataset_id, {
    daily_limit: 1_000,
    alias_ids: [mailbox.mailbox_id],
    steps_config: [{ ...FIRST, subject: 'Hello', message_template: 'A word.' }],
  })
  return { owner, mailbox, campaign_id }
}

/** The number of mails sent at the first moment of each of that many days after MONDAY. */
async function days(count: number, from = 0) {
  const left: number[] = []
  for (let day = from; day < count; day++) {
    const at = day === 0 ? MONDAY : new Date(Date.parse('2026-03-02T00:00Z') + day * DAY * 60_000)
    left.push((await dispatchAt(at, mail())).offered)
  }
  return left
}

const kept = (mailbox_id: string) =>
  db.rampDay.findMany({
    where: { mailbox_id },
    orderBy: { local_date: 'asc' },
    select: { allowed: true, verdict: true, cause: true },
  })

test('in good health a mailbox rises by its calendar, and each day is kept', async () => {
  const { mailbox } = await ramping(0)
  expect(await days(3)).toEqual([10, 14, 18])
  expect(await kept(mailbox.mailbox_id)).toEqual(
    [10, 14, 18].map((allowed) => ({ allowed, verdict: 'rise', cause: null })),
  )
})

test('after bounces it falls, says why, and then does what was forecast', async () => {
  const wednesday = new Date('2026-02-25T10:00Z')
  const { owner, mailbox, campaign_id } = await ramping(4, { start: 5, increase_per_day: 5 }, wednesday)
  expect(await days(1)).toEqual([30])
  const tuesday = new Date('2026-03-03T00:00Z')
  const planned = await wholeForecast(owner.workspace_id, campaign_id, tuesday)
  expect(planned.warnings).toContainEqual({
    code: 'ramp_held',
    message: `${mailbox.address} was lowered to 15 a day until Thu 5 Mar 2026: 4 of 30 emails bounced. The forecast assumes the mailbox stays healthy from now on.`,
  })
  expect(planned.days.map((day) => day.planned)).toEqual([15, 15, 15, 20, 35, 20])
  // Nothing is sent at the weekend, and the limit still rises.
  expect(await days(8, 1)).toEqual([15, 15, 15, 20, 0, 0, 35])

  const { limits } = await getMailbox(owner.workspace_id, mailbox.mailbox_id, tuesday)
  expect(limits.ramp_up).toMatchObject({ by_health: true })
  const log = await db.campaignEvent.findMany({
    where: { campaign_id, kind: 'ramp_held' },
    orderBy: { at: 'asc' },
  })
  expect(log.map(({ detail }) => detail)).toMatchObject([
    { verdict: 'fall', cause: 'bounces', allowed: 15 },
    { verdict: 'hold', cause: 'bounces', allowed: 15 },
    { verdict: 'hold', cause: 'bounces', allowed: 15 },
  ])
  const history = await mailboxRampHistory(
    owner.workspace_id,
    mailbox.mailbox_id,
    new Date('2026-03-09T09:00Z'),
  )
  expect(history.map(({ limit }) => limit)).toEqual([5, 10, 15, 20, 25, 30, 15, 15, 15, 20, 25, 30])
})

test('before anybody claims, its page says what will be decided; what comes on the day itself changes nothing', async () => {
  const { owner, mailbox } = await ramping(2, { start: 20 })
  expect(await days(1)).toEqual([20])
  const read = async (at: string) =>
    (await getMailbox(owner.workspace_id, mailbox.mailbox_id, new Date(at))).limits
  expect(await read('2026-03-03T08:00Z')).toMatchObject({
    today: 20,
    ramp_health: {
      date: '2026-03-03',
      verdict: 'hold',
      cause: 'bounces',
      reason: '2 of 20 emails bounced',
      rises_after: '2026-03-03',
      evidence: { sent: 20, bounced: 2, deferred: 0 },
    },
  })
  expect(await db.rampDay.count()).toBe(1)
  expect(await days(2, 1)).toEqual([20])
  expect(await read('2026-03-03T20:00Z')).toMatchObject({ today: 20, used_today: 20 })
  // Each sign of bad health counts only once.
  expect(await read('2026-03-04T08:00Z')).toMatchObject({ today: 24, ramp_health: { verdict: 'rise' } })
})

test('spam in its last placement test holds it, until one finds none', async () => {
  const { owner, mailbox } = await ramping(0)
  const seed = await aMailbox(owner)
  const tested = (day: string, placements: string[]) =>
    db.placementTest.createMany({
      data: placements.map((placement, index) => ({
        workspace_id: owner.workspace_id,
        mailbox_id: mailbox.mailbox_id,
        seed_mailbox_id: seed.mailbox_id,
        message_id: `${day}-${index}`,
        sent_at: new Date(`${day}T12:00Z`),
        arrived_at: new Date(`${day}T12:05Z`),
        placement,
      })),
    })
  await days(1)
  await tested('2026-03-02', ['inbox', 'inbox', 'inbox', 'spam'])
  const left = await days(3, 1)
  await tested('2026-03-04', ['inbox', 'inbox'])
  expect([...left, ...(await days(4, 3))]).toEqual([10, 10, 14])
  expect((await kept(mailbox.mailbox_id)).map(({ verdict, cause }) => cause ?? verdict)).toEqual([
    'rise',
    'spam',
    'spam',
    'rise',
  ])
})

test('a mailbox that could not send for hours stays as it is; one that goes by the calendar rises', async () => {
  const down = { outcome: 'never_left', reason: 'connect', error: 'no route' } as const
  for (const by_health of [true, false]) {
    const { mailbox } = await ramping(0, { by_health })
    for (const hour of [0, 1, 3, 5])
      await dispatchAt(minutes(hour * 60), hour < 5 ? memoryMail(() => down) : memoryMail())
    const { limits } = await getMailbox(
      mailbox.workspace_id,
      mailbox.mailbox_id,
      new Date('2026-03-03T08:00Z'),
    )
    expect(limits).toMatchObject({
      today: by_health ? 10 : 14,
      ramp_health: by_health ? { verdict: 'hold', cause: 'outage' } : null,
    })
    await db.campaign.deleteMany()
  }
})

test('a ramp is by health unless told otherwise, and one from before goes by the calendar', async () => {
  const owner = await aUser()
  const old = await aMailbox(owner, { ramp_up: { start: 5, increase_per_day: 1 } })
  const read = (params: { mailbox_id: string }) => call(ReadMailbox, { as: owner, params })
  expect((await read(old)).body.limits.ramp_up).toEqual({ start: 5, increase_per_day: 1, by_health: false })
  const change = (ramp_up: { start: number; increase_per_day: number; by_health?: boolean }) =>
    call(UpdateMailbox, { as: owner, params: old, body: { ramp_up } })
  const { body } = await change({ start: 5, increase_per_day: 2 })
  expect(body.limits).toMatchObject({ ramp_up: { by_health: true }, ramp_health: { verdict: 'rise' } })
  const off = await change({ start: 5, increase_per_day: 2, by_health: false })
  expect(off.body.limits).toMatchObject({ ramp_up: { by_health: false }, ramp_health: null })
})

test('a ramp that was ended and is set again begins anew, on the same day too', async () => {
  const { owner, mailbox } = await ramping(0, { start: 30 })
  expect(await days(1)).toEqual([30])
  const set = async (ramp_up: Ramp | null, at: Date) =>
    (await updateMailbox(owner.workspace_id, mailbox.mailbox_id, { ramp_up }, at)).limits
  expect(await set(null, minutes(5))).toMatchObject({ today: 100, ramp_health: null })
  const anew = { start: 4, increase_per_day: 2, by_health: true }
  expect(await set(anew, minutes(6))).toMatchObject({ today: 4, ramp_health: { verdict: 'rise' } })
})
