import { spawn } from 'node:child_process'
import pg from 'pg'
import { afterAll, expect, test, vi } from 'vitest'
import { pool } from '#lib/db/client'
import { type Seats, seatOrRefusal, takeSeat } from '#lib/services/instance/seats'

const settings = { connectionString: process.env.DATABASE_URL, application_name: 'machine', max: 5 }
const machines = [0, 1].map(() => new pg.Pool(settings))
afterAll(async () => {
  await Promise.all(machines.map((machine) => machine.end()))
  // A pool ends before the server has noticed; the database is dropped next, which would fail for remaining connections.
  await vi.waitUntil(async () => {
    const { rows } = await pool().query(`SELECT 1 FROM pg_stat_activity WHERE application_name = 'machine'
      AND datname = current_database()`)
    return rows.length === 0
  })
})

const things = (called: string): Seats => ({ called, of_holder: 3, of_all: 7 })
const [here, there] = machines as [pg.Pool, pg.Pool]

test('two machines have no more places together than there are, however many ask at once', async () => {
  const asked = Array.from({ length: 60 }, (_, i) =>
    takeSeat(i % 2 ? here : there, things('rushes'), `holder ${i % 20}`),
  )
  const given = (await Promise.all(asked)).flatMap(({ give_back }) => give_back ?? [])
  expect(given).toHaveLength(7)
  expect((await takeSeat(here, things('rushes'), 'late')).give_back).toBeNull()
  await Promise.all(given.map((giveBack) => giveBack()))
  const late = await takeSeat(there, things('rushes'), 'late')
  expect(late.give_back).not.toBeNull()
  await late.give_back?.()
})

test('a holder has no more than its own on both of them, and others have theirs', async () => {
  const asked = Array.from({ length: 12 }, (_, i) => takeSeat(i % 2 ? here : there, things('own'), 'greedy'))
  const given = (await Promise.all(asked)).flatMap(({ give_back }) => give_back ?? [])
  expect(given).toHaveLength(3)
  await expect(seatOrRefusal(things('own'), 'greedy')).rejects.toThrow('You already have 3 own running')
  const other = await takeSeat(there, things('own'), 'modest')
  await Promise.all([...given, other.give_back].map((giveBack) => giveBack?.()))
})

test('the same names of other things do not count, and a place given back twice is one', async () => {
  const one = { ...things('first'), of_holder: 1 }
  const first = await takeSeat(here, one, 'a')
  const second = await takeSeat(here, { ...one, called: 'second' }, 'a')
  expect(second.give_back).not.toBeNull()
  await first.give_back?.()
  const next = await takeSeat(there, one, 'a')
  await first.give_back?.()
  expect((await takeSeat(here, one, 'a')).give_back).toBeNull()
  for (const { give_back } of [second, next]) await give_back?.()
})

test('what is held stays held past its lease; of a machine that is killed it is free after it', async () => {
  const one = { ...things('killed'), of_holder: 1 }
  const code = `
    import { pool } from '#lib/db/client'
    import { takeSeat } from '#lib/services/instance/seats'
    const { give_back } = await takeSeat(pool(), ${JSON.stringify(one)}, 'a', 900)
    console.log(give_back !== null)
    setInterval(() => undefined, 1_000)`
  const machine = spawn(process.execPath, ['--input-type=module', '-e', code], {
    env: process.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const said = await new Promise((resolve) => machine.stdout.once('data', (piece) => resolve(`${piece}`)))
  expect(said).toBe('true\n')
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect((await takeSeat(here, one, 'a')).give_back).toBeNull()
  machine.kill('SIGKILL')
  const free = async () => (await takeSeat(here, one, 'a')).give_back
  await expect.poll(free, { timeout: 5_000 }).not.toBeNull()
})

test('a place of a database that is away is no fault of whoever gives it back', async () => {
  const machine = new pg.Pool(settings)
  const { give_back } = await takeSeat(machine, things('away'), 'a')
  await machine.end()
  await give_back?.()
  const { rows } = await pool().query(`SELECT 1 FROM seats WHERE called = 'away'`)
  expect(rows).toHaveLength(1)
})
