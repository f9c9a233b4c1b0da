import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { functions } from '#inngest/functions'
import { db, pool } from '#lib/db/client'
import { SEND_DAYS } from '#lib/domain/calendar/schedule'
import type { RunningEngine } from '#lib/engine/engine'
import { SweepRequested } from '#lib/events/bells'
import { inngest } from '#lib/events/client'
import { noteRing, ring } from '#lib/services/instance/bells'
import { readDueWork } from '#lib/services/instance/due-work'
import { type App, sql, startApp, startTestEngine, until } from '#tests/support/engine'
import { aCampaign, aDataset, aMailbox, aUser } from '#tests/support/scenes/factories'

const MINUTE_MS = 60_000
const STEPS = [{ subject: 'Hello', message_template: 'A word, {{ first_name }}.' }]

let app: App
let engine: RunningEngine
beforeAll(async () => {
  app = await startApp(inngest, () => functions)
  engine = await startTestEngine(app.url)
})
afterAll(async () => {
  await engine.stop()
  await app.close()
})
beforeEach(async () => {
  const busy = () => sql('select 1 from graphile_worker.jobs where run_at <= now()')
  await until(async () => (await busy()).length === 0, 'the engine to rest')
  await db.campaign.deleteMany()
  await db.mailbox.deleteMany()
  await db.wake.deleteMany()
})

/** A weekday on which no campaign of these tests may send, so that none reads a mailbox, whenever the tests run. */
const OTHER_DAY = SEND_DAYS[(new Date().getUTCDay() + 2) % 7]

/** A campaign that is to start at an instant; no bell is armed for it. */
async function scheduled(start: Date) {
  const owner = await aUser()
  await aMailbox(owner)
  await db.mailbox.updateMany({ data: { inbox_due_at: null } })
  const { dataset_id } = await aDataset(owner, 1)
  const { campaign_id } = await aCampaign(owner, { dataset_id, steps_config: STEPS, send_days: [OTHER_DAY] })
  await db.campaign.update({
    where: { campaign_id },
    data: { status: 'scheduled', launch_type: 'scheduled', start_date: start },
  })
  return () => db.campaign.findUniqueOrThrow({ where: { campaign_id } })
}
const runsOf = async (fn: string) =>
  (await sql('select 1 from engine.runs where fn_id = $1 and ended_at is not null', [`opener-${fn}`])).length
const armedFor = async (bell: string) =>
  (await db.wake.findUnique({ where: { bell } }))?.armed_for?.getTime() ?? null

test('a campaign starts at its time though nothing looks before, and what follows from it rings on', async () => {
  const start = new Date(Date.now() + 2_000)
  const read = await scheduled(start)
  const before = await runsOf('do-chores')
  expect((await ring()).map(({ bell, at }) => [bell, at])).toEqual([['chores', start]])
  await until(async () => (await read()).status === 'active', 'the campaign to start')
  expect((await read()).launched_at?.getTime()).toBeGreaterThanOrEqual(start.getTime())
  await until(async () => (await runsOf('do-chores')) === before + 1, 'the one wake-up to end')
  // Outside its window it is checked once, and then when the window opens: soon, or by a sweep.
  await until(async () => (await runsOf('dispatch-due-actions')) > 0, 'dispatch to look')
})

test('a launch that takes long is asked for again once a minute, and not for as long as it waits', async () => {
  const requested = new Date(Date.now() - 5 * MINUTE_MS)
  await scheduled(requested)
  await db.campaign.updateMany({ data: { status: 'launching', launch_requested_at: requested } })
  const due = async () => (await readDueWork(pool())).find(({ bell }) => bell === 'chores')?.due?.getTime()
  expect(await due()).toBe(requested.getTime() + MINUTE_MS)
  const rung = new Date()
  await noteRing('chores', rung)
  expect(await due()).toBe(rung.getTime() + MINUTE_MS)
  await db.campaign.updateMany({ data: { status: 'draft' } })
  expect(await due()).toBeUndefined()
})

test('many that write work at once send one event, and one that is earlier moves the bell', async () => {
  const later = new Date(Date.now() + 50 * MINUTE_MS)
  await scheduled(later)
  const armed = await Promise.all(Array.from({ length: 20 }, () => ring()))
  expect(armed.flat().map(({ bell, at, gen }) => [bell, at, gen])).toEqual([['chores', later, '1']])
  expect(await ring()).toEqual([])
  const sooner = new Date(Date.now() + 40 * MINUTE_MS)
  await scheduled(sooner)
  expect((await ring()).map(({ at, gen }) => [at, gen])).toEqual([[sooner, '2']])
})

test('what is due later than the sweep comes is left to it', async () => {
  await scheduled(new Date(Date.now() + 80 * MINUTE_MS))
  expect(await ring()).toEqual([])
})

test('a bell that is lost is made good by the next that writes, a minute after its time', async () => {
  await scheduled(new Date(Date.now() - 5 * MINUTE_MS))
  // Its event was lost.
  await db.wake.create({ data: { bell: 'chores', armed_for: new Date(Date.now() - 61_000), gen: 7n } })
  expect((await ring()).map(({ bell, gen }) => [bell, gen])).toEqual([['chores', '8']])
})

test('a bell that is lost is made good by the sweep, which does the work itself and arms all anew', async () => {
  const overdue = await scheduled(new Date(Date.now() - MINUTE_MS))
  const later = new Date(Date.now() + 30 * MINUTE_MS)
  await scheduled(later)
  // The bell seems to be on its way, so nothing else arms it.
  await db.wake.create({ data: { bell: 'chores', armed_for: new Date(Date.now() - 1_000), gen: 3n } })
  expect(await ring()).toEqual([])
  await inngest.send(SweepRequested.create({}, { id: crypto.randomUUID() }))
  await until(async () => (await overdue()).status === 'active', 'the sweep to start it')
  await until(async () => (await armedFor('chores')) === later.getTime(), 'the bell to be armed anew')
})

test('a bell whose event was lost before its time is armed anew by the sweep, under an id that was never used', async () => {
  const later = new Date(Date.now() + 30 * MINUTE_MS)
  await scheduled(later)
  await db.wake.create({ data: { bell: 'chores', armed_for: later, gen: 3n } })
  expect(await ring()).toEqual([])
  const gen = async () => (await db.wake.findUniqueOrThrow({ where: { bell: 'chores' } })).gen
  await inngest.send(SweepRequested.create({}, { id: crypto.randomUUID() }))
  await until(async () => (await gen()) > 3n, 'the sweep to arm it under a new id')
  expect(await armedFor('chores')).toBe(later.getTime())
})

test('an engine that does not answer is not asked again by everybody, and what was to ring is not forgotten', async () => {
  const { send } = inngest
  await scheduled(new Date(Date.now() + MINUTE_MS))
  Object.assign(inngest, { send: () => Promise.reject(new Error('nobody listens')) })
  try {
    const now = new Date()
    await ring(now)
    expect(await armedFor('chores')).toBe(now.getTime())
    expect(await ring(now)).toEqual([])
  } finally {
    Object.assign(inngest, { send })
  }
  expect((await ring(new Date(Date.now() + 61_000))).map(({ bell }) => bell)).toEqual(['chores'])
})

test('of each kind of work it is known when the first of it is due', async () => {
  const owner = await aUser()
  const { workspace_id } = owner
  const at = (minutes: number) => new Date(Date.now() + minutes * MINUTE_MS)
  const due = async () =>
    Object.fromEntries((await readDueWork(pool())).map((work) => [work.bell, work.due?.getTime() ?? null]))
  expect(await due()).toEqual({
    dispatch: null,
    inbox: null,
    accounts: null,
    webhooks: null,
    notifications: null,
    posts: null,
    intents: null,
    answers: null,
    chores: null,
  })
  const [mail, post, domain, told] = [at(5), at(6), at(7), at(8)]
  await scheduled(at(90))
  await db.campaign.updateMany({ data: { status: 'active', next_slot_at: at(4) } })
  await db.mailbox.updateMany({ data: { inbox_due_at: mail } })
  await db.socialPost.create({
    data: { workspace_id, user_id: owner.user_id, text: 'Hello', status: 'scheduled', next_attempt_at: post },
  })
  await db.mailDomain.create({
    data: { workspace_id, domain: 'example.com', next_check_at: domain, looked_for_since: domain },
  })
  await db.notification.create({ data: { workspace_id, kind: 'reply', created_at: told } })
  expect(await due()).toMatchObject({
    inbox: mail.getTime(),
    posts: post.getTime(),
    chores: domain.getTime(),
    notifications: told.getTime() + MINUTE_MS,
  })
  expect((await due()).dispatch).toBeGreaterThan(Date.now())
})
