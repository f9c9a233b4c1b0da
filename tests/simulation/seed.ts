import pg from 'pg'
import { inngest } from '#lib/events/client'
import { dispatchDue } from '#lib/services/dispatch/run'
import { judge, judgeOffer, type Witness } from '#tests/simulation/invariants'
import { drain, emptyLedger } from '#tests/simulation/ledger'
import {
  anyEvent,
  isRefusal,
  type Outside,
  type OutsideEvent,
  remedies,
  widen,
} from '#tests/simulation/outside'
import { judgePromise, promiseOf } from '#tests/simulation/promised'
import { simulatedMail } from '#tests/simulation/provider'
import { rngOf } from '#tests/simulation/random'
import { judgeEnd, recount } from '#tests/simulation/recount'
import { prepareDatabase, setScene } from '#tests/simulation/scene'
import { createStage, play, type Stage, start, type Task } from '#tests/simulation/stage'
import { Violation } from '#tests/simulation/violation'
import { type WorldSpec, worldOf } from '#tests/simulation/world'

export type Verdict = {
  seed: number
  invariant: string | null
  message: string
  log: string[]
  offers: number
  wakes: number
}

const MOST_WAKES = 2_000
const MINUTE_MS = 60_000
const kept = globalThis as typeof globalThis & { opener_pool?: pg.Pool }

export type Theatre = { stage: Stage; control: pg.Client; close(): Promise<void> }

/** One database in which one world after the other is played. */
export async function openTheatre(url: string): Promise<Theatre> {
  const control = new pg.Client({ connectionString: url })
  await control.connect()
  await prepareDatabase(control)
  const stage = createStage(url, control)
  // Events are hints to another process; here the next wake-up stands for all of them.
  Object.assign(inngest, { send: async () => ({ ids: [] }) })
  kept.opener_pool = stage.gate.openPool('owner')
  return {
    stage,
    control,
    close: async () => {
      await stage.gate.close()
      await control.end()
    },
  }
}

/** Plays the world of a seed to its end. The same seed on the same code always plays the same. */
export async function playSeed(theatre: Theatre, seed: number): Promise<Verdict> {
  const { stage } = theatre
  stage.log.length = 0
  const count = { offers: 0, wakes: 0 }
  const verdict = (invariant: string | null, message: string): Verdict => ({
    seed,
    invariant,
    message,
    log: [...stage.log],
    ...count,
  })
  try {
    await playWorld(theatre, worldOf(seed), count)
    return verdict(null, 'held')
  } catch (error) {
    if (error instanceof Violation) return verdict(error.invariant, error.message)
    return verdict('error', error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
}

async function playWorld(
  { stage, control }: Theatre,
  spec: WorldSpec,
  count: { offers: number; wakes: number },
) {
  stage.gate.open = true
  stage.clock.now = spec.starts_at
  stage.commits = 0
  const ledger = emptyLedger()
  const scene = await setScene(control, spec)
  const rng = {
    turns: rngOf(spec.seed, 'turns'),
    events: rngOf(spec.seed, 'events'),
    mail: rngOf(spec.seed, 'mail'),
  }
  const witness: Witness = {
    owner_timezone: spec.owner_timezone,
    offers: [],
    words: new Set(),
    places: new Map(scene.campaigns.map(({ campaign_id }, place) => [campaign_id, place])),
    now: spec.starts_at,
    commits: 0,
    began: 0,
  }
  const look = async (began: number) => {
    const changes = await drain(control)
    judge(ledger, changes, Object.assign(witness, { now: stage.clock.now, commits: stage.commits, began }))
  }
  await look(0)
  let broken: unknown = null
  const offered = (offer: Witness['offers'][number]) => {
    count.offers += 1
    try {
      judgeOffer(ledger, offer, witness)
    } catch (error) {
      broken ??= error
    }
    witness.offers.push(offer)
  }
  stage.committed = async (client) => {
    await look(client.began ?? stage.commits)
    if (broken) throw broken
  }
  const pools = new Map<string, pg.Pool>([['inbound', stage.gate.openPool('inbound')]])
  const outside: Outside = {
    scene,
    ledger,
    rng: rng.events,
    inbound: pools.get('inbound') as pg.Pool,
    offers: witness.offers,
    words: witness.words,
  }
  const planned = new Map<string, { at: number; event: () => OutsideEvent }>()
  const promises = new Map<string, Awaited<ReturnType<typeof promiseOf>>>()
  let events = 0
  let born = 0
  let widened = 0
  stage.gate.open = false
  try {
    for (; ; count.wakes++) {
      if (count.wakes > MOST_WAKES) throw new Violation('I7', `not over after ${MOST_WAKES} wake-ups`)
      for (const [key, event] of remedies(outside, events < spec.events.most))
        if (!planned.has(key)) planned.set(key, { at: stage.clock.now + wait(spec, rng.events), event })
      const next = await nextInstant(
        control,
        [...planned.values()].map((plan) => plan.at),
      )
      if (next === null) {
        if ([...ledger.campaigns.values()].every((one) => one.status === 'completed')) break
        // Leads whose mailbox the owner took out of the campaign wait for it, and say so.
        if (widened++ > 2 || spec.undisturbed) break
        planned.set('widen', { at: stage.clock.now + MINUTE_MS, event: () => widen(outside) })
        continue
      }
      stage.clock.now = Math.max(stage.clock.now, next)
      if (rng.events.chance(spec.late.chance)) stage.clock.now += rng.events.int(0, spec.late.most_ms)

      const happening = [...planned].filter(([, plan]) => plan.at <= stage.clock.now)
      for (const [key] of happening) planned.delete(key)
      const todo = happening.map(([, plan]) => plan.event())
      if (events < spec.events.most && rng.events.chance(spec.events.chance)) {
        const extra = anyEvent(outside)
        if (extra) todo.push(extra)
        events += 1
      }
      const now = new Date(stage.clock.now)
      const tasks: Task[] = []
      const startDoor = (actor: 'owner' | 'inbound') => {
        const mine = todo.filter((event) => event.actor === actor)
        if (mine.length > 0) tasks.push(start(stage, actor, () => doAll(stage, mine, now)))
      }
      startDoor('owner')
      startDoor('inbound')
      const crowd = rng.turns.chance(0.5) ? spec.workers : 1
      const workers = spec.undisturbed && tasks.length > 0 ? 0 : rng.turns.int(1, crowd)
      for (let worker = 0; worker < workers; worker++) {
        const idle = [...pools.keys()].filter((name) => name.startsWith('worker'))[worker]
        const actor = idle ?? `worker${++born}`
        const pool = pools.get(actor) ?? stage.gate.openPool(actor)
        pools.set(actor, pool)
        const mail = simulatedMail(stage, actor, rng.mail, spec.answers, offered)
        const clock = () => new Date(stage.clock.now)
        tasks.push(
          start(stage, actor, () =>
            dispatchDue({ mail, clock, pool, worker: `${actor} ${count.wakes}`, capacity: spec.capacity }),
          ),
        )
      }
      stage.lost.clear()
      const heard = new Set(tasks.map((task) => task.actor))
      await play(stage, tasks, rng.turns, spec.faults, spec.sticky)
      if (broken) throw broken
      for (const task of tasks) {
        if (task.error && !task.dead && !stage.lost.has(task.actor)) throw task.error
        if (task.dead) pools.delete(task.actor)
      }
      stage.say(`rest of ${[...heard].join(', ')}`)
      await look(stage.commits)
      await recount(control, ledger)
      if (spec.undisturbed)
        for (const { campaign_id } of scene.campaigns)
          if (!promises.has(campaign_id) && ledger.campaigns.get(campaign_id)?.status === 'active')
            promises.set(
              campaign_id,
              await promiseOf(control, campaign_id, spec.owner_timezone, stage.clock.now),
            )
    }
    judgeEnd(ledger)
    for (const [campaignId, promise] of promises) judgePromise(ledger, campaignId, promise)
  } finally {
    for (const actor of pools.keys()) await stage.gate.kill(actor)
    stage.gate.parked = []
    stage.cues.length = 0
    stage.timers.drop()
  }
}

async function doAll(stage: Stage, events: OutsideEvent[], now: Date) {
  for (const event of events) {
    stage.say(`${event.actor}: ${event.label}`)
    try {
      await event.work(now)
    } catch (error) {
      if (!isRefusal(error) && !stage.lost.has(event.actor)) throw error
      stage.say(
        `${event.actor} is refused: ${error instanceof Error ? error.message.split('\n').at(-1) : error}`,
      )
    }
  }
}

/** How long somebody takes to act. */
function wait(spec: WorldSpec, rng: ReturnType<typeof rngOf>): number {
  return spec.undisturbed ? 0 : rng.pick([0, 0, 1, 7, 60, 600, 3_000]) * MINUTE_MS
}

/** The next instant at which there is something to do: a slot, a lease that ran out, or a plan. */
async function nextInstant(control: pg.Client, plans: number[]): Promise<number | null> {
  const { rows } = await control.query<{ slot: Date | null; lease: Date | null }>(
    `SELECT (SELECT min(next_slot_at) FROM campaigns WHERE status IN ('active', 'draining')) AS slot,
       (SELECT min(lease_until) FROM actions WHERE status = 'sending') AS lease`,
  )
  const { slot = null, lease = null } = rows[0] ?? {}
  const all = [...plans, ...(slot ? [slot.getTime()] : []), ...(lease ? [lease.getTime() + 1] : [])]
  return all.length > 0 ? Math.min(...all) : null
}
