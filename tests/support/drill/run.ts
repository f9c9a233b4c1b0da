import * as fs from 'node:fs'
import path from 'node:path'
import { launchDrills } from '#tests/support/drill/campaign'
import { drillInstance, pause, until, type Victim } from '#tests/support/drill/instance'
import { type DrillLedger, drillLedger } from '#tests/support/drill/ledger'
import { type Random, seeded } from '#tests/support/drill/random'
import { drillSink, type Slow } from '#tests/support/drill/sink'
import { type Felled, judge } from '#tests/support/drill/verdict'
import { drillWorkers } from '#tests/support/drill/workers'
import { startGiven } from '#tests/support/servers/inngest'

export type DrillOptions = {
  dataFolder: string
  port: number
  kills: number
  leads: number
  /** Workers besides the web server's own. */
  workers: number
  seed: number
  /** How long the mail server takes over a message, where it is not the default of seconds. */
  slow?: Slow
  say: (line: string) => void
}

const STEPS = 2

/**
 * A campaign on a whole instance (or several campaigns, if the leads need them), whose processes are killed at seeded points,
 * up to a power cut of them all. Returns the outcome of every lead, by the mail server's journal and by the ledger.
 */
export async function runDrill(options: DrillOptions) {
  const { dataFolder, port, leads, say } = options
  const random = seeded(options.seed)
  fs.mkdirSync(dataFolder, { recursive: true })
  const sink = await drillSink(path.join(dataFolder, 'taken.jsonl'), random, options.slow)
  const instance = drillInstance({ port, dataFolder, env: { ALLOW_PRIVATE_HOSTS: '1' } })
  const workers = drillWorkers(options.workers, dataFolder, () => instance.run()?.env ?? {})
  const server = await startGiven()
  try {
    await instance.start()
    const campaignIds = await launchDrills(dataFolder, sink.port, leads)
    const ledger = drillLedger(instance.run()?.env.DATABASE_URL ?? '', ...campaignIds)
    workers.start()
    const felled: Felled[] = []
    for (const victim of victims(options, random)) {
      await nextMoment(options.kills - felled.length, leads * STEPS, { ledger, sink, random })
      const at = new Date()
      if (victim === 'worker') workers.kill(random)
      else if (victim === 'all') workers.kill('all')
      // An Inngest server that replaces the engine is killed in its place.
      if (victim === 'engine' || victim === 'all') await server?.kill()
      const kill = victim === 'worker' || (victim === 'engine' && server) ? null : instance.kill(victim)
      if (victim === 'engine' || victim === 'all') await server?.revive()
      if (kill) await instance.back(kill)
      workers.start()
      const back_ms = Date.now() - at.getTime()
      felled.push({ victim, at, back_ms, underway: await ledger.underway(at) })
      const { decided } = await ledger.progress()
      say(
        `${felled.length}. ${victim} killed with ${felled.at(-1)?.underway.length} under way, back after ${back_ms} ms; ${decided} of ${leads * STEPS} decided`,
      )
    }
    sink.allow(Number.POSITIVE_INFINITY)
    const lastBack = Date.now()
    await until(
      'the campaigns to complete',
      async () => (await ledger.progress()).status === 'completed',
      Math.max(300_000, leads * STEPS * 50),
    )
    return judge({
      leads,
      steps: STEPS,
      felled,
      completedMs: Date.now() - lastBack,
      taken: sink.taken(),
      entries: await ledger.entries(),
      statuses: await ledger.leads(),
    })
  } finally {
    await workers.stop()
    await instance.stop()
    await server?.kill()
    await sink.close()
  }
}

/** Each kind of victim equally often, in random order. */
function victims({ kills, workers }: DrillOptions, random: Random): (Victim | 'worker')[] {
  const kinds: (Victim | 'worker')[] = [
    'web',
    'all',
    'engine',
    'database',
    ...(workers > 0 ? ['worker' as const] : []),
  ]
  const rounds = Array.from({ length: Math.ceil(kills / kinds.length) }, () => random.shuffle(kinds))
  return rounds.flat().slice(0, kills)
}

type Scene = {
  ledger: DrillLedger
  sink: { messages: unknown[]; allow: (count: number) => void }
  random: Random
}

/**
 * Waits until the server has taken some more messages, few enough that work is left for the remaining kills: what a worker has in
 * flight when it dies is never sent. The server takes no more than that until the next kill, however long the killed
 * process needs to come back. Throws where no work is left to be interrupted.
 */
async function nextMoment(
  killsLeft: number,
  actions: number,
  { ledger, sink, random }: Scene,
): Promise<void> {
  const { decided, underway } = await ledger.progress()
  const share = (actions - decided - underway) / (killsLeft + 1)
  const taken = sink.messages.length
  const wanted = taken + Math.max(1, Math.floor(share * (0.1 + 0.6 * random.next())))
  sink.allow(Math.max(wanted + 1, taken + Math.floor(share)))
  await until('mail to flow', async () => {
    if (sink.messages.length >= wanted) return true
    if ((await ledger.progress()).status === 'completed')
      throw new Error(`Done with ${killsLeft} kills to come.`)
    return false
  })
  await pause(random.between(0, 300))
}
