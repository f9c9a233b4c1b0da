import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterAll, describe, expect, test } from 'vitest'
import { childHost, threadHost } from '#lib/providers/reader/hosts'
import { makeReader } from '#lib/providers/reader/pool'
import type { Host } from '#lib/providers/reader/port'
import type { ILL_TASKS } from '#tests/support/reader/main'

const ENTRY = path.resolve(import.meta.dirname, '../../support/reader/main.ts')
const started: Host[] = []
const child = () => childHost(ENTRY, [], { heap_mb: 128, young_mb: 8 })
const thread = () => threadHost(new Worker(ENTRY, { resourceLimits: { maxOldGenerationSizeMb: 64 } }))

type Admit = (owner: string) => Promise<(() => Promise<void>) | null>

function readerOf(start: (attempt: number) => Host = child, size = 1, admit?: Admit) {
  return makeReader<typeof ILL_TASKS>({
    size,
    memory_mb: 160,
    idle_ms: null,
    ...(admit && { admit }),
    start(attempt) {
      const host = start(attempt)
      started.push(host)
      return host
    },
  })
}

afterAll(() => {
  for (const host of started) host.kill()
})

const patient = { owner: 'a', deadline_ms: 60_000 }
const hurried = { owner: 'a', deadline_ms: 500 }
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
const A_MANY = `${'a'.repeat(40)}!`

describe('a reader process', () => {
  test('stays warm: one answers task after task, and says what each took', async () => {
    const reader = readerOf()
    const first = await reader.read('pid', undefined, patient)
    expect(first).toMatchObject({ outcome: 'done', cpu_ms: expect.any(Number) })
    expect(await reader.read('pid', undefined, patient)).toMatchObject({
      value: 'value' in first && first.value,
    })
    const spun = await reader.read('spin', 100, patient)
    expect('cpu_ms' in spun && spun.cpu_ms).toBeGreaterThan(0)
  })

  test('is started for a task that is about to come, once, and takes it', async () => {
    const before = started.length
    const reader = readerOf(child, 2)
    reader.warm()
    reader.warm()
    expect(started.length).toBe(before + 1)
    expect(await reader.read('length', new Uint8Array(3), patient)).toMatchObject({ value: 3 })
    reader.warm()
    expect(started.length).toBe(before + 1)
  })

  test('is handed no secret', async () => {
    const answer = await readerOf().read('secrets', undefined, patient)
    const names = 'value' in answer ? answer.value : []
    expect(names).toContain('PATH')
    expect(names.filter((name) => /KEY|SECRET|TOKEN|DATABASE|URL/.test(name))).toEqual([])
  })

  test('takes a file of 25 MiB and leaves it to the caller', async () => {
    const bytes = new Uint8Array(25 * 1024 * 1024)
    expect(await readerOf().read('length', bytes, patient)).toMatchObject({ value: bytes.length })
    expect(bytes.length).toBe(25 * 1024 * 1024)
  })

  test('is killed at the deadline, even within an expression, and the next task has a new one', async () => {
    const reader = readerOf()
    expect(await reader.read('regexp', A_MANY, hurried)).toEqual({ outcome: 'over_time' })
    expect(await reader.read('length', new Uint8Array(3), patient)).toMatchObject({ value: 3 })
  })

  test('is ended when its task takes more computing time than it may', async () => {
    expect(await readerOf().read('regexp', A_MANY, { ...patient, cpu_ms: 300 })).toEqual({
      outcome: 'over_time',
    })
  })

  test('is ended when it takes more memory than it may, in the heap and beside it', async () => {
    const reader = readerOf()
    expect(await reader.read('heap', undefined, patient)).toEqual({ outcome: 'over_memory' })
    expect(await reader.read('buffers', undefined, patient)).toEqual({ outcome: 'over_memory' })
    expect(await reader.read('pid', undefined, patient)).toMatchObject({ outcome: 'done' })
  })

  test('that has grown gives way to a new one, which starts before there is work for it', async () => {
    const hosts: Host[] = []
    const reader = readerOf(() => {
      const host = child()
      hosts.push(host)
      return host
    })
    const before = await reader.read('pid', undefined, patient)
    await reader.read('grow', undefined, patient)
    expect(hosts).toHaveLength(2)
    const after = await reader.read('pid', undefined, patient)
    expect('value' in after && after.value).not.toBe('value' in before && before.value)
    expect(hosts).toHaveLength(2)
  })

  test('is not ended for the limits of the task before, nor for none', async () => {
    const reader = readerOf()
    for (let n = 0; n < 40; n++) {
      expect(await reader.read('spin', 60, { ...patient, cpu_ms: 5_000 })).toMatchObject({ outcome: 'done' })
      // Long enough that the watchdog waits again.
      await new Promise((resolve) => setTimeout(resolve, n % 4 === 0 ? 120 : 0))
    }
  })

  test('tells a refusal from a fault, and a fault from its death', async () => {
    const reader = readerOf()
    expect(await reader.read('refuse', undefined, patient)).toEqual({
      outcome: 'refused',
      code: 'too_many',
      message: 'The words are too many.',
    })
    expect(await reader.read('break', undefined, patient)).toEqual({
      outcome: 'died',
      message: 'A fault of ours.',
    })
    expect(await reader.read('exit', undefined, patient)).toMatchObject({ outcome: 'died' })
  })

  test('hands parts on no faster than they are taken, and waiting for that is not its time', async () => {
    const parts = readerOf().readParts('count', 6, hurried)
    const taken: number[] = []
    let next = await parts.next()
    for (; !next.done; next = await parts.next()) {
      taken.push(next.value)
      if (taken.length < 3) await new Promise((resolve) => setTimeout(resolve, 700))
    }
    expect(taken).toEqual([0, 1, 2, 3, 4, 5])
    expect(next.value).toMatchObject({ outcome: 'done', value: 6 })
  })

  test('ends with the work when nobody takes its parts any more', async () => {
    const reader = readerOf()
    for await (const part of reader.readParts('count', 1_000_000, patient)) if (part === 2) break
    expect(await reader.read('length', new Uint8Array(1), patient)).toMatchObject({ value: 1 })
  })

  test('dies with its parent, even while it is deaf', async () => {
    const pids = await orphaned()
    await expect.poll(() => pids.filter(isAlive)).toEqual([])
  })
})

test('what waits is served by turns of its owners: one with a flood does not delay another', async () => {
  const reader = readerOf()
  const order: string[] = []
  const ask = (owner: string, ms: number) =>
    reader.read('spin', ms, { ...patient, owner }).then(() => void order.push(owner))
  await Promise.all([...Array.from({ length: 6 }, () => ask('a', 40)), ask('b', 5), ask('c', 5)])
  expect(order.slice(0, 3)).toEqual(['a', 'b', 'c'])
})

test('with two processes another owner is served while one owner’s task runs', async () => {
  const reader = readerOf(child, 2)
  const flood = Array.from({ length: 4 }, () =>
    reader.read('regexp', A_MANY, { owner: 'a', deadline_ms: 20_000 }),
  )
  let isFloodOver = false
  flood[0]?.then(() => {
    isFloodOver = true
  })
  expect(await reader.read('length', new Uint8Array(2), { ...patient, owner: 'b' })).toMatchObject({
    value: 2,
  })
  expect(isFloodOver).toBe(false)
  for (const host of started) host.kill()
})

/** Two readers that share slots: one for each owner, and `most` in total. */
function sharing(most: number) {
  const taken: string[] = []
  const peak = { most: 0 }
  const admit = async (owner: string) => {
    if (taken.includes(owner) || taken.length >= most) return null
    peak.most = Math.max(peak.most, taken.push(owner))
    return async () => void taken.splice(taken.indexOf(owner), 1)
  }
  const [one, other] = [readerOf(child, 2, admit), readerOf(child, 2, admit)]
  return { one, other, taken, peak }
}

test('readers of several machines keep to the places they share, and every task gets its turn', async () => {
  const { one, other, taken, peak } = sharing(2)
  const owners = ['a', 'a', 'b', 'c']
  const asked = owners.flatMap((owner) =>
    [one, other].map((reader) => reader.read('spin', 20, { ...patient, owner })),
  )
  for (const end of await Promise.all(asked)) expect(end).toMatchObject({ outcome: 'done' })
  expect([peak.most, taken]).toEqual([2, []])
})

test('a task that waits for a place holds up no other owner, and its place comes back if it is killed', async () => {
  const { one, other, taken } = sharing(2)
  const long = one.read('regexp', A_MANY, { owner: 'a', deadline_ms: 1_500 })
  await expect.poll(() => taken).toEqual(['a'])
  const waiting = other.read('pid', undefined, patient)
  expect(await other.read('pid', undefined, { ...patient, owner: 'b' })).toMatchObject({ outcome: 'done' })
  expect(await long).toEqual({ outcome: 'over_time' })
  expect(await waiting).toMatchObject({ outcome: 'done' })
  expect(taken).toEqual([])
})

test('a process that is ready while a place is still asked for is given the task once', async () => {
  const isReady = Promise.withResolvers<void>()
  const sent: string[] = []
  const start = (): Host => {
    const host = child()
    const send: Host['send'] = (message) => {
      sent.push(message.type)
      host.send(message)
    }
    const onMessage: Host['onMessage'] = (hear) =>
      host.onMessage((message) => {
        hear(message)
        isReady.resolve()
      })
    return { ...host, send, onMessage }
  }
  const reader = readerOf(start, 1, async () => {
    await isReady.promise
    return async () => undefined
  })
  reader.warm()
  const taken: number[] = []
  for await (const part of reader.readParts('count', 4, patient)) taken.push(part)
  expect(taken).toEqual([0, 1, 2, 3])
  expect(sent.filter((type) => type === 'task')).toHaveLength(1)
})

test('where no place can be asked for, the caller hears of it', async () => {
  const reader = readerOf(child, 1, () => Promise.reject(new Error('The database is away.')))
  expect(await reader.read('pid', undefined, patient)).toMatchObject({ outcome: 'absent' })
})

test('where no process starts, a thread does the same', async () => {
  const reader = readerOf((attempt) =>
    attempt < 2 ? childHost('/nowhere.ts', [], { heap_mb: 64, young_mb: 8 }) : thread(),
  )
  expect(await reader.read('length', new Uint8Array(4), patient)).toMatchObject({ value: 4 })
  expect(await reader.read('regexp', A_MANY, hurried)).toEqual({ outcome: 'over_time' })
  expect(await reader.read('refuse', undefined, patient)).toMatchObject({ outcome: 'refused' })
})

test('where nothing starts at all, the caller hears of it', async () => {
  const reader = readerOf(() => childHost('/nowhere.ts', [], { heap_mb: 64, young_mb: 8 }))
  expect(await reader.read('pid', undefined, patient)).toMatchObject({
    outcome: 'absent',
    message: expect.stringContaining('nowhere'),
  })
})

/** A process that starts a reader, gives it endless work, and is killed with -9. */
async function orphaned(): Promise<number[]> {
  const { spawn } = await import('node:child_process')
  const code = `
    import { childHost } from '#lib/providers/reader/hosts'
    import { makeReader } from '#lib/providers/reader/pool'
    const reader = makeReader({ size: 1, memory_mb: 160, idle_ms: null, start: () => childHost(${JSON.stringify(ENTRY)}, [], { heap_mb: 64, young_mb: 8 }) })
    const patient = { owner: 'a', deadline_ms: 600_000 }
    const { value } = await reader.read('pid', undefined, patient)
    reader.read('regexp', ${JSON.stringify(A_MANY)}, patient)
    setTimeout(() => console.log(value), 200)`
  const parent = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const said = await new Promise<string>((resolve) =>
    parent.stdout.once('data', (piece) => resolve(`${piece}`)),
  )
  parent.kill('SIGKILL')
  return [Number(said), parent.pid ?? 0]
}
