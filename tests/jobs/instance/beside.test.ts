import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { keepSideProcess, type SideProcess } from '#inngest/beside/keeper'
import { startSideProcess } from '#inngest/beside/process'
import { db } from '#lib/db/client'
import { freePort } from '#lib/db/free-port'
import { inspectProcess } from '#lib/db/processes'
import { inngest } from '#lib/events/client'
import { metricsText } from '#lib/metrics'
import { ring } from '#lib/services/instance/bells'
import { launchCampaign } from '#lib/services/launch/lifecycle'
import { ROOT } from '#scripts/up/settings'
import { seeded } from '#tests/support/drill/random'
import { drillSink } from '#tests/support/drill/sink'
import { pointSdkAt, spawnEngine, until } from '#tests/support/engine'
import { removeThrowaway, throwawayFolder } from '#tests/support/files/throwaway'
import { aCampaign, aDataset, aMailbox, aUser } from '#tests/support/scenes/factories'

const LEADS = 12

const folder = throwawayFolder()
afterAll(() => removeThrowaway(folder))

/** A web process that is always busy, as its calls show. */
async function aBusyProcess() {
  const { answerEngine } = await import('#inngest/door')
  const begun: SideProcess[] = []
  const ends: Promise<void>[] = []
  const keeper = keepSideProcess({
    start: (over) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const one = startSideProcess(() => {
        over()
        resolve()
      })
      begun.push(one)
      ends.push(promise)
      return one
    },
    busy: () => 1,
    answerHere: answerEngine,
    now: () => performance.now(),
  })
  const server: Server = createServer((request, response) => void keeper.answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/api/inngest`
  const isThere = async () => {
    // Refused without a signature, but it still counts as a call.
    await (await fetch(url, { method: 'POST', body: '{}' })).text()
    return begun[0]?.port()
  }
  await until(isThere, 'a process to listen beside this one')
  const stop = async () => {
    keeper.stop()
    await Promise.all(ends)
    server.closeAllConnections()
    server.close()
  }
  return { url, stop }
}

/** Launches a campaign that sends everything at once, at any hour; returns its id. */
async function unpaced(smtpPort: number): Promise<string> {
  const owner = await aUser()
  const mailbox = await aMailbox(owner, { port: smtpPort, min_interval_seconds: 0 })
  const people = Array.from({ length: LEADS }, (_, n) => ({ email: `lead-${n}@example.com` }))
  const { dataset_id } = await aDataset(owner, people)
  const { campaign_id } = await aCampaign(owner, {
    dataset_id,
    alias_ids: [mailbox.mailbox_id],
    sending_window_start: '00:00',
    sending_window_end: '00:00',
    send_days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
    min_interval_seconds: 0,
    steps_config: [{ subject: 'Hello', message_template: 'Hello' }],
  })
  await launchCampaign(owner.workspace_id, campaign_id, undefined, new Date())
  await ring()
  return campaign_id
}

const sends = async () => {
  const { text } = await metricsText([])
  const lines = text.split('\n').filter((line) => line.startsWith('opener_sends_total{'))
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

test('a campaign is sent by the process beside a busy one, and counted by the one that is asked', async () => {
  const enginePort = await freePort()
  pointSdkAt(enginePort)
  inngest.setEnvVars({ ...process.env })
  process.env.ALLOW_PRIVATE_HOSTS = '1'
  const sink = await drillSink(path.join(folder, 'taken.jsonl'), seeded(1), { from: 0, to: 0 })
  const web = await aBusyProcess()
  const engine = await spawnEngine(web.url, enginePort)
  try {
    const campaign_id = await unpaced(sink.port)
    const status = async () =>
      (await db.campaign.findUniqueOrThrow({ where: { campaign_id }, select: { status: true } })).status
    await until(async () => (await status()) === 'completed', 'the campaign to complete')
    expect(new Set(sink.taken().map(({ to }) => to)).size).toBe(LEADS)
    expect(sink.taken()).toHaveLength(LEADS)
  } finally {
    engine.kill('SIGKILL')
    await once(engine, 'exit')
    await web.stop()
    await sink.close()
  }
  // Reported when it ended, and stored.
  expect(await sends()).toBe(LEADS)
}, 240_000)

test('it ends with the process that it is beside, however that ends', async () => {
  const script = path.join(folder, 'parent.ts')
  fs.writeFileSync(
    script,
    `import { startSideProcess } from ${JSON.stringify(path.join(ROOT, 'inngest/beside/process.ts'))}
     const one = startSideProcess(() => undefined)
     setInterval(() => one.port() && console.log(one.port()), 100)`,
  )
  const parent = spawn(process.execPath, [script], { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] })
  const [said] = await once(parent.stdout, 'data')
  const port = Number(`${said}`.split('\n')[0])
  const answers = () =>
    fetch(`http://127.0.0.1:${port}/api/inngest`, { method: 'POST', body: '{}' }).then(
      (response) => response.body?.cancel().then(() => true),
      () => false,
    )
  expect(await answers()).toBe(true)
  parent.kill('SIGKILL')
  await once(parent, 'exit')
  expect(inspectProcess(parent.pid ?? 0)).toBe(null)
  await until(async () => !(await answers()), 'it to end')
}, 120_000)

test('one that hangs is ended, so that its calls break off and come again', async () => {
  const over = Promise.withResolvers<void>()
  const one = startSideProcess(over.resolve, 1)
  await until(async () => one.port() !== null, 'it to listen')
  const listed = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,command='], { encoding: 'utf8' })
  const lines = listed.split('\n').filter((line) => line.includes('inngest/beside/main.ts'))
  const [pid = Number.NaN] =
    lines.map((line) => line.trim().split(/ +/).map(Number)).find(([, ppid]) => ppid === process.pid) ?? []
  process.kill(pid, 'SIGSTOP')
  await over.promise
  expect(one.port()).toBe(null)
}, 120_000)

test('what it has under way when the web process is killed it brings to its end', async () => {
  const enginePort = await freePort()
  pointSdkAt(enginePort)
  inngest.setEnvVars({ ...process.env })
  process.env.ALLOW_PRIVATE_HOSTS = '1'
  const sink = await drillSink(path.join(folder, 'held.jsonl'), seeded(1), { from: 0, to: 0 })
  sink.allow(0)
  const script = path.join(folder, 'web.ts')
  fs.writeFileSync(
    script,
    `import { createServer } from 'node:http'
     import { keepSideProcess } from ${JSON.stringify(path.join(ROOT, 'inngest/beside/keeper.ts'))}
     import { startSideProcess } from ${JSON.stringify(path.join(ROOT, 'inngest/beside/process.ts'))}
     import { answerEngine } from ${JSON.stringify(path.join(ROOT, 'inngest/door.ts'))}
     let one
     const start = (over) => (one = startSideProcess(over))
     const keeper = keepSideProcess({ start, busy: () => 1, answerHere: answerEngine, now: () => performance.now() })
     const server = createServer((request, response) => void keeper.answer(request, response))
     server.listen(0, '127.0.0.1', () => {
       const url = \`http://127.0.0.1:\${server.address().port}/api/inngest\`
       const asking = setInterval(async () => {
         await (await fetch(url, { method: 'POST', body: '{}' })).text()
         if (!one?.port()) return
         clearInterval(asking)
         console.log(url)
       }, 200)
     })`,
  )
  const web = spawn(process.execPath, [script], { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] })
  const [said] = await once(web.stdout, 'data')
  const engine = await spawnEngine(`${said}`.trim(), enginePort)
  try {
    const campaign_id = await unpaced(sink.port)
    const actions = () => db.action.findMany({ where: { campaign_id }, select: { status: true } })
    await until(async () => sink.counts.connections > 0, 'the first mail to be offered')
    web.kill('SIGKILL')
    await once(web, 'exit')
    engine.kill('SIGKILL')
    const claimed = await actions()
    expect(new Set(claimed.map(({ status }) => status))).toEqual(new Set(['sending']))
    sink.allow(LEADS)
    await until(
      async () => (await actions()).every(({ status }) => status !== 'sending'),
      'what was under way to be written',
    )
    expect((await actions()).map(({ status }) => status)).toEqual(claimed.map(() => 'sent'))
    expect(sink.taken()).toHaveLength(claimed.length)
  } finally {
    web.kill('SIGKILL')
    engine.kill('SIGKILL')
    await sink.close()
  }
}, 120_000)
