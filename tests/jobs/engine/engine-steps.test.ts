import { NonRetriableError, RetryAfterError } from 'inngest'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, createClient, endOf, startApp, until } from '#tests/support/engine'
import { type FunctionServer, startServer } from '#tests/support/servers/inngest'

const client = createClient('steps')
const calls: string[] = []
const count = (name: string) => calls.filter((call) => call === name).length
const ran = <T = string>(name: string, value: T = name as T) => {
  calls.push(name)
  return value
}

const functions = [
  client.createFunction({ id: 'plain', triggers: [{ event: 'plain' }] }, async ({ event, step }) => {
    const one = await step.run('one', () => ran('plain.one'))
    const nothing = await step.run('nothing', () => undefined)
    await step.sleep('nap', '1s')
    const two = await step.run('two', () => ran('plain.two'))
    return { one, two, nothing, given: event.data.given }
  }),
  client.createFunction(
    { id: 'flaky', triggers: [{ event: 'flaky' }], retries: 2 },
    async ({ step, attempt }) => {
      await step.run('before', () => ran('flaky.before'))
      const value = await step.run('fails twice', () => {
        ran('flaky.step')
        if (count('flaky.step') < 3) throw new Error('not yet')
        return 'at last'
      })
      return { value, attempt }
    },
  ),
  client.createFunction(
    { id: 'outside', triggers: [{ event: 'outside' }], retries: 1 },
    async ({ attempt }) => {
      ran('outside')
      if (attempt === 0) throw new Error('threw outside a step')
      return attempt
    },
  ),
  client.createFunction(
    {
      id: 'hopeless',
      triggers: [{ event: 'hopeless' }],
      retries: 1,
      onFailure: async ({ error, event, step }) => {
        await step.run('tell', () => ran(`failure: ${error.message} of ${event.data.event.data.name}`))
      },
    },
    async ({ step }) => {
      await step.run('always', () => {
        ran('hopeless.step')
        throw new Error('never works')
      })
    },
  ),
  client.createFunction({ id: 'caught', triggers: [{ event: 'caught' }], retries: 0 }, async ({ step }) => {
    try {
      await step.run('breaks', () => {
        throw new TypeError('broken')
      })
    } catch (error) {
      return await step.run('after', () => `caught ${(error as Error).message}`)
    }
  }),
  client.createFunction({ id: 'final', triggers: [{ event: 'final' }], retries: 5 }, async ({ step }) => {
    await step.run('no', () => {
      ran('final.step')
      throw new NonRetriableError('stop here')
    })
  }),
  client.createFunction({ id: 'later', triggers: [{ event: 'later' }], retries: 1 }, async ({ step }) => {
    return step.run('asks for time', () => {
      ran(`later ${Date.now()}`)
      if (calls.filter((call) => call.startsWith('later')).length < 2)
        throw new RetryAfterError('wait', 1_500)
      return 'done'
    })
  }),
  client.createFunction({ id: 'parallel', triggers: [{ event: 'parallel' }] }, async ({ step }) => {
    const chain = async (name: string) => {
      await step.run(`${name} first`, () => ran(`parallel.${name}.first`))
      return step.run(`${name} second`, () => ran(`parallel.${name}.second`))
    }
    const many = Array.from({ length: 10 }, (_, i) => step.run(`part ${i}`, () => ran('parallel.part', i)))
    const results = await Promise.all([...many, chain('a'), chain('b'), step.sleep('nap', '1s')])
    return step.run('join', () => results.filter((result) => result !== null).length)
  }),
  client.createFunction({ id: 'loop', triggers: [{ event: 'loop' }] }, async ({ step }) => {
    let sum = 0
    for (let i = 0; i < 5; i++) sum += await step.run('same id', () => ran('loop.step', i))
    return sum
  }),
]

let app: App
let server: FunctionServer
beforeAll(async () => {
  app = await startApp(client, () => functions)
  server = await startServer(app)
})
afterAll(async () => {
  await server.stop()
  await app.close()
})

const send = async (name: string, data: object = {}) => {
  const { ids } = await client.send({ name, data })
  return ids[0] ?? ''
}

test('steps run once each, in order, and their results come back after a sleep', async () => {
  const [run] = await endOf(await send('plain', { given: 'text with \u0000 and \ud83d\ude00' }))
  expect(run).toMatchObject({
    status: 'Completed',
    function_id: 'steps-plain',
    output: { one: 'plain.one', two: 'plain.two', nothing: null, given: 'text with \u0000 and \ud83d\ude00' },
  })
  expect([count('plain.one'), count('plain.two')]).toEqual([1, 1])
})

test('a failing step is tried again with its own budget, and steps before it are not', async () => {
  const [run] = await endOf(await send('flaky'))
  expect(run).toMatchObject({ status: 'Completed', output: { value: 'at last', attempt: 0 } })
  expect([count('flaky.before'), count('flaky.step')]).toEqual([1, 3])
})

test('an error outside of steps repeats the function with the next attempt', async () => {
  const [run] = await endOf(await send('outside'))
  expect(run).toMatchObject({ status: 'Completed', output: 1 })
  expect(count('outside')).toBe(2)
})

test('a step that never works fails the run, and onFailure hears of it', async () => {
  const [run] = await endOf(await send('hopeless', { name: 'my event' }))
  expect(run).toMatchObject({ status: 'Failed', output: { message: 'never works' } })
  expect(count('hopeless.step')).toBe(2)
  await until(() => count('failure: never works of my event') === 1, 'onFailure')
})

test('user code may catch the error of a failed step and go on', async () => {
  const [run] = await endOf(await send('caught'))
  expect(run).toMatchObject({ status: 'Completed', output: 'caught broken' })
})

test('a NonRetriableError is not tried again', async () => {
  const [run] = await endOf(await send('final'))
  expect(run).toMatchObject({ status: 'Failed', output: { message: 'stop here' } })
  expect(count('final.step')).toBe(1)
})

test('a RetryAfterError decides when the next attempt comes', async () => {
  const [run] = await endOf(await send('later'))
  expect(run).toMatchObject({ status: 'Completed', output: 'done' })
  const [first = 0, second = 0] = calls
    .filter((call) => call.startsWith('later'))
    .map((call) => Number(call.split(' ')[1]))
  expect(second - first).toBeGreaterThanOrEqual(900)
})

test('parallel steps, chains and a sleep beside them all run once and are joined', async () => {
  const [run] = await endOf(await send('parallel'))
  expect(run).toMatchObject({ status: 'Completed', output: 12 })
  expect(count('parallel.part')).toBe(10)
  for (const name of ['a', 'b'])
    expect([count(`parallel.${name}.first`), count(`parallel.${name}.second`)]).toEqual([1, 1])
})

test('a step id used in a loop names a new step each time', async () => {
  const [run] = await endOf(await send('loop'))
  expect(run).toMatchObject({ status: 'Completed', output: 10 })
  expect(count('loop.step')).toBe(5)
})
