import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { db } from '#lib/db/client'
import { freePort } from '#lib/db/free-port'
import { inngest } from '#lib/events/client'
import { ring } from '#lib/services/instance/bells'
import { launchCampaign, pauseCampaign, resumeCampaign } from '#lib/services/launch/lifecycle'
import { ROOT } from '#scripts/up/settings'
import { type DrillLedger, drillLedger } from '#tests/support/drill/ledger'
import { seeded } from '#tests/support/drill/random'
import { drillSink, MARKS } from '#tests/support/drill/sink'
import { type Felled, isFlawless, judge } from '#tests/support/drill/verdict'
import { type App, databaseUrl, until } from '#tests/support/engine'
import { removeThrowaway, throwawayFolder } from '#tests/support/files/throwaway'
import { aCampaign, aDataset, aMailbox, aUser } from '#tests/support/scenes/factories'
import { mayKill, startMortalServer } from '#tests/support/servers/inngest'

/**
 * The core of the product: a campaign run by its functions in a worker of its own, on the embedded engine or on the Inngest server
 * that INNGEST_BASE_URL names. ENGINE_LEADS and ENGINE_KILLS set the size of the run; the crash drill covers kills of
 * the embedded engine.
 */
const LEADS = Number(process.env.ENGINE_LEADS ?? 20)
const KILLS = Number(process.env.ENGINE_KILLS ?? 0)
const LIMIT_MS = 240_000 + LEADS * 100
const STEPS = 2

const folder = throwawayFolder()
let worker: ChildProcess | undefined
afterAll(async () => {
  await kill(worker)
  removeThrowaway(folder)
})

async function kill(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}

async function startWorker(port: number): Promise<void> {
  const log = fs.openSync(path.join(folder, 'worker.log'), 'a')
  worker = spawn(process.execPath, ['inngest/main.ts'], {
    cwd: ROOT,
    stdio: ['ignore', log, log],
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      PORT: `${port}`,
      DATA_DIR: folder,
      ALLOW_PRIVATE_HOSTS: '1',
      LOG_LEVEL: 'error',
    },
  })
  fs.closeSync(log)
  const answers = () => fetch(`http://127.0.0.1:${port}/api/v1/health`).then(Boolean, () => false)
  await until(answers, 'the worker to answer')
}

/** As many leads as one campaign may send two mails within a day. */
const OF_ONE = 5_000

/** Campaigns that are open around the clock and without pacing, the follow-up due at once. */
async function launchAll(port: number) {
  const owner = await aUser()
  const fast = { port, daily_limit: 1_000_000, min_interval_seconds: 0 }
  const mailboxes = [await aMailbox(owner, fast), await aMailbox(owner, fast), await aMailbox(owner, fast)]
  const people = Array.from({ length: LEADS }, (_, n) => ({
    email: `lead-${n}@example.com`,
    first_name: `${n}`,
  }))
  const ids: string[] = []
  for (let from = 0; from < LEADS; from += OF_ONE) {
    const { dataset_id } = await aDataset(owner, people.slice(from, from + OF_ONE))
    const { campaign_id } = await aCampaign(owner, {
      dataset_id,
      alias_ids: mailboxes.map(({ mailbox_id }) => mailbox_id),
      sending_window_start: '00:00',
      sending_window_end: '00:00',
      send_days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
      min_interval_seconds: 0,
      daily_limit: 10_000,
      steps_config: [
        { subject: 'Hello {{ first_name }}', message_template: `${MARKS[0]}` },
        { delay_days: 0, message_template: `${MARKS[1]}` },
      ],
    })
    ids.push(campaign_id)
  }
  for (const id of ids) await launchCampaign(owner.workspace_id, id, undefined, new Date())
  // As the API does after each write: a launch whose event was lost on a busy machine is found within a minute.
  await ring()
  const ledgers = ids.map((id) => drillLedger(databaseUrl(), id))
  const all = async <T>(ask: (ledger: DrillLedger) => Promise<T[]>) =>
    (await Promise.all(ledgers.map(ask))).flat()
  return { owner, ids, all }
}

test(
  'a campaign gets each mail to each lead once, paused in the middle, and whichever side is killed',
  async () => {
    const random = seeded(1)
    const sink = await drillSink(path.join(folder, 'taken.jsonl'), random, {
      from: 0,
      to: KILLS > 0 ? 60 : 0,
    })
    const port = await freePort()
    const app: App = {
      url: `http://127.0.0.1:${port}/api/inngest`,
      port,
      requests: [],
      close: async () => {},
    }
    const server = await startMortalServer(app, () => startWorker(port))
    // The client was created before the server had an address, and this process serves no app that would tell it.
    inngest.setEnvVars({ ...process.env })
    const begun = Date.now()
    const { owner, ids, all } = await launchAll(sink.port)
    const progress = () => all(async (ledger) => [await ledger.progress()])
    const taken = (share: number) =>
      until(() => sink.messages.length >= share * LEADS * STEPS, `${share} of the mail`, LIMIT_MS)

    await taken(0.1)
    for (const id of ids) await pauseCampaign(owner.workspace_id, id, new Date())
    const isQuiet = async () => (await progress()).every(({ underway }) => underway === 0)
    await until(isQuiet, 'what is under way to be sent')
    const before = sink.messages.length
    // Longer than a further round would take to start.
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    expect(sink.messages.length).toBe(before)
    for (const id of ids) await resumeCampaign(owner.workspace_id, id, new Date())
    await ring()

    const felled: Felled[] = []
    for (let n = 0; n < (mayKill ? KILLS : 0); n++) {
      await taken(0.2 + (0.6 * n) / KILLS)
      const at = new Date()
      const victim = n % 2 === 0 ? 'engine' : 'web'
      if (victim === 'engine') {
        await server.kill()
        await server.revive()
      } else {
        await kill(worker)
        await startWorker(port)
      }
      const underway = await all((ledger) => ledger.underway(at))
      felled.push({ victim, at, back_ms: Date.now() - at.getTime(), underway })
    }
    const lastBack = Date.now()
    const completed = async () => (await progress()).every(({ status }) => status === 'completed')
    await until(completed, 'the campaign to complete', LIMIT_MS)
    const verdict = judge({
      leads: LEADS,
      steps: STEPS,
      felled,
      completedMs: Date.now() - lastBack,
      taken: sink.taken(),
      entries: await all((ledger) => ledger.entries()),
      statuses: await all((ledger) => ledger.leads()),
    })
    if (process.env.ENGINE_LEADS) console.log({ ...verdict, whole_ms: Date.now() - begun })
    expect(isFlawless({ ...verdict, completed_ms: 0 })).toBe(true)
    await server.stop()
    await sink.close()
    await db.campaign.deleteMany()
  },
  LIMIT_MS * 2,
)
