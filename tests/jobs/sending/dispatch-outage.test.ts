import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { db } from '#lib/db/client'
import type { MailOutcome } from '#lib/providers/mail/port'
import { LEASE_MS } from '#lib/services/sending/leases'
import { dispatchDue } from '#lib/services/sending/run'
import { fragileWay } from '#tests/support/doubles/fragile-way'
import { ACCEPTED, memoryMail } from '#tests/support/doubles/memory-mail'
import { dispatchAt, FIRST, launched, MONDAY } from '#tests/support/scenes/launched'

let way: Awaited<ReturnType<typeof fragileWay>>
let pool: pg.Pool

beforeAll(async () => {
  way = await fragileWay(process.env.DATABASE_URL ?? '')
  pool = new pg.Pool({ connectionString: way.url })
  pool.on('error', () => undefined)
})
afterEach(async () => {
  way.restore()
  await db.campaign.deleteMany()
})
afterAll(async () => {
  await pool.end()
  await way.close()
})

/** A slow server: `answer` lets every message in flight finish. */
function slowMail(outcome: MailOutcome = ACCEPTED) {
  const gate = Promise.withResolvers<MailOutcome>()
  return { ...memoryMail(() => gate.promise), answer: () => gate.resolve(outcome) }
}

/** Waits until all messages are offered and the search for more is over: the next event is an outcome. */
const offered = (mail: ReturnType<typeof slowMail>, count: number) =>
  expect.poll(() => [mail.outbox.length, pool.totalCount - pool.idleCount]).toEqual([count, 0])
const actions = (campaign_id: string) =>
  db.action.findMany({ where: { campaign_id }, orderBy: { created_at: 'asc' } })
const later = (ms: number) => new Date(MONDAY.getTime() + ms)

test('an outcome that the database is away for is recorded as soon as it is back', async () => {
  const { campaign_id } = await launched({ steps_config: [FIRST] }, 3)
  const mail = slowMail()
  const work = dispatchDue({ mail: mail.provider, clock: () => MONDAY, pool })
  await offered(mail, 3)
  way.cut()
  mail.answer()
  await new Promise((resolve) => setTimeout(resolve, 700))
  expect((await actions(campaign_id)).map((action) => action.status)).toEqual(Array(3).fill('sending'))
  way.restore()
  await work
  expect((await actions(campaign_id)).map((action) => action.status)).toEqual(Array(3).fill('sent'))
  expect(await db.campaign.findUnique({ where: { campaign_id } })).toMatchObject({ status: 'completed' })
})

/** Simulates a full disk: statements that would extend the table fail, all others succeed. Returns a function that frees space. */
async function fillDisk(table: string): Promise<() => Promise<void>> {
  await db.$executeRawUnsafe(
    `CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$`,
  )
  await db.$executeRawUnsafe(
    `CREATE TRIGGER no_room BEFORE UPDATE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION no_room()`,
  )
  return async () => void (await db.$executeRawUnsafe('DROP FUNCTION no_room CASCADE'))
}

test('an outcome for which the disk of the database has no room is recorded once it has', async () => {
  const { campaign_id } = await launched({ steps_config: [FIRST] }, 3)
  const mail = slowMail()
  const work = dispatchDue({ mail: mail.provider, clock: () => MONDAY, pool })
  await offered(mail, 3)
  const makeRoom = await fillDisk('actions')
  mail.answer()
  await new Promise((resolve) => setTimeout(resolve, 700))
  expect((await actions(campaign_id)).map((action) => action.status)).toEqual(Array(3).fill('sending'))
  await makeRoom()
  await work
  expect((await actions(campaign_id)).map((action) => action.status)).toEqual(Array(3).fill('sent'))
  expect(await db.campaign.findUnique({ where: { campaign_id } })).toMatchObject({
    status: 'completed',
    sent_count: 3,
    uncertain_count: 0,
  })
})

test('an outcome whose lease ran out meanwhile replaces the doubt', async () => {
  const { campaign_id } = await launched({ steps_config: [FIRST] }, 1)
  const mail = slowMail()
  const work = dispatchDue({ mail: mail.provider, clock: () => MONDAY, pool })
  await offered(mail, 1)
  way.cut()
  mail.answer()
  expect(await dispatchAt(later(LEASE_MS + 1))).toMatchObject({ expired: 1, offered: 0 })
  expect((await actions(campaign_id))[0]?.status).toBe('uncertain')
  way.restore()
  await work
  expect((await actions(campaign_id))[0]?.status).toBe('sent')
})

test('a record whose commit went through unseen is written once', async () => {
  const { campaign_id } = await launched({ steps_config: [FIRST] }, 1)
  const mail = slowMail()
  const work = dispatchDue({ mail: mail.provider, clock: () => MONDAY, pool })
  await offered(mail, 1)
  way.loseNextCommit()
  mail.answer()
  await work
  expect(await db.campaign.findUnique({ where: { campaign_id } })).toMatchObject({
    status: 'completed',
    sent_count: 1,
    uncertain_count: 0,
  })
})

test('a claim that nobody heard of is given back, since it was never offered', async () => {
  const { campaign_id } = await launched({ steps_config: [FIRST] }, 2)
  const mail = memoryMail()
  way.loseNextCommit()
  await expect(dispatchDue({ mail: mail.provider, clock: () => MONDAY, pool })).rejects.toThrow()
  expect(mail.outbox).toEqual([])
  expect((await actions(campaign_id)).map((action) => action.status)).toEqual(['retry', 'retry'])
  const again = await dispatchAt(later(180_000))
  expect(again).toMatchObject({ offered: 2, expired: 0 })
  expect(await db.campaign.findUnique({ where: { campaign_id } })).toMatchObject({
    status: 'completed',
    sent_count: 2,
  })
})

test('a failed claim does not cut off what is under way', async () => {
  const { campaign_id } = await launched({ steps_config: [FIRST] }, 4)
  const mail = slowMail()
  // Capacity for two: the second claim comes when the first messages are done.
  const work = dispatchDue({ mail: mail.provider, clock: () => MONDAY, pool, capacity: 2 })
  await expect.poll(() => mail.outbox.length).toBe(2)
  way.cut()
  mail.answer()
  setTimeout(() => way.restore(), 500)
  await work.catch(() => undefined)
  await dispatchAt(later(180_000))
  const statuses = (await actions(campaign_id)).map((action) => action.status)
  expect(statuses).toEqual(Array(4).fill('sent'))
})

test('a worker says until when what is under way is leased, so that a round is there when it ends', async () => {
  await launched({ steps_config: [FIRST] }, 1)
  const never = memoryMail(() => new Promise<MailOutcome>(() => undefined))
  void dispatchAt(MONDAY, never)
  await expect.poll(() => never.outbox.length).toBe(1)
  const other = await dispatchAt(later(1_000))
  expect(other).toMatchObject({ offered: 0, next_slot_at: null, next_lease_end: later(LEASE_MS) })
})

test('while a server is slow, little more is under way than its connections hold', async () => {
  const { campaign_id } = await launched({ steps_config: [FIRST] }, 60)
  const mail = slowMail()
  const work = dispatchDue({ mail: mail.provider, clock: () => MONDAY, pool })
  await expect.poll(() => mail.outbox.length).toBeGreaterThan(0)
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(mail.outbox.length).toBeLessThanOrEqual(8)
  expect((await actions(campaign_id)).length).toBe(mail.outbox.length)
  mail.answer()
  await work
  expect(await db.campaign.findUnique({ where: { campaign_id } })).toMatchObject({ sent_count: 60 })
})
