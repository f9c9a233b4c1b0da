import { afterEach, expect, test } from 'vitest'
import { type App, createClient, endOf, startApp, until } from '#tests/support/engine'
import { type MortalServer, startMortalServer } from '#tests/support/servers/inngest'

/** A server that dies, comes back, and changes its key. INNGEST_SERVER must start a real one. */
const client = createClient('loss')
const calls: string[] = []
const count = (name: string) => calls.filter((call) => call === name).length

const chain = client.createFunction(
  { id: 'chain', triggers: [{ event: 'chain' }], retries: 4 },
  async ({ event, step }) => {
    const { run } = event.data
    await step.run('first', () => void calls.push(`${run} first`))
    await step.sleep('nap', '2s')
    await step.run('second', () => void calls.push(`${run} second`))
    return run
  },
)

let app: App | undefined
let server: MortalServer | undefined
afterEach(async () => {
  await server?.stop()
  await app?.close()
  delete process.env.INNGEST_SIGNING_KEY_FALLBACK
})

const begin = async (run: string) => (await client.send({ name: 'chain', data: { run } })).ids[0] ?? ''
async function play(run: string): Promise<void> {
  expect(await endOf(await begin(run))).toMatchObject([{ status: 'Completed', output: run }])
}

const start = async () => {
  app = await startApp(client, () => [chain])
  server = await startMortalServer(app)
  return server
}

test('a server that is killed goes on with its runs, and repeats no step that ended', async () => {
  const mortal = await start()
  const id = await begin('killed')
  await until(() => count('killed first') === 1, 'the first step')
  // The end of the run must have reached the server.
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  await mortal.kill()
  await mortal.revive()
  expect(await endOf(id)).toMatchObject([{ status: 'Completed' }])
  expect([count('killed first'), count('killed second')]).toEqual([1, 1])
})

test('the signing key is changed without a pause: the app, the server, and the old one goes', async () => {
  const mortal = await start()
  const old = process.env.INNGEST_SIGNING_KEY ?? ''
  await play('old')
  Object.assign(process.env, {
    INNGEST_SIGNING_KEY: `${old.slice(0, -8)}0123abcd`,
    INNGEST_SIGNING_KEY_FALLBACK: old,
  })
  await play('app')
  await mortal.kill()
  await mortal.revive()
  await play('server')
  delete process.env.INNGEST_SIGNING_KEY_FALLBACK
  await play('new')
})
