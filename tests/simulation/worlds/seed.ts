import type pg from 'pg'
import { dispatchDue } from '#lib/services/sending/run'
import { judgeEnded } from '#tests/simulation/checks/grants'
import { judgePromise, promiseOf } from '#tests/simulation/checks/promised'
import { judgeEnd, recount } from '#tests/simulation/checks/recount'
import { Violation } from '#tests/simulation/checks/violation'
import { finderOf, vendorsOf } from '#tests/simulation/grants/vault'
import { anyEvent } from '#tests/simulation/worlds/outside'
import type { OutsideEvent } from '#tests/simulation/worlds/outside-event'
import { simulatedMail } from '#tests/simulation/worlds/provider'
import { isRefusal } from '#tests/simulation/worlds/refusal'
import { remedies } from '#tests/simulation/worlds/remedies'
import { play, type Stage, start, type Task } from '#tests/simulation/worlds/stage'
import { closeWorld, openWorld, type Theatre, type World } from '#tests/simulation/worlds/theatre'
import { worldOf } from '#tests/simulation/worlds/world'

export type Verdict = {
  seed: number
  /** The violated invariant; null where all held. */
  invariant: string | null
  message: string
  log: string[]
  offers: number
  wakes: number
}

const MOST_WAKES = 2_000
const MINUTE_MS = 60_000

/** Plays the world of a seed to its end. The same seed on the same code always plays the same. */
export async function playSeed(theatre: Theatre, seed: number): Promise<Verdict> {
  const { stage } = theatre
  stage.log.length = 0
  const world = await openWorld(theatre, worldOf(seed))
  const count = { wakes: 0 }
  const verdict = (invariant: string | null, message: string): Verdict => ({
    seed,
    invariant,
    message,
    log: [...stage.log],
    offers: world.witness.offers.length,
    ...count,
  })
  try {
    await playWorld(theatre, world, count)
    return verdict(null, 'held')
  } catch (error) {
    if (error instanceof Violation) return verdict(error.invariant, error.message)
    return verdict('error', error instanceof Error ? (error.stack ?? error.message) : String(error))
  } finally {
    await closeWorld(theatre, world)
  }
}

type Plans = Map<string, { at: number; event: () => OutsideEvent }>
type Promised = Map<string, Awaited<ReturnType<typeof promiseOf>>>

/** Goes from one instant at which there is something to do to the next, until nothing is left. */
async function playWorld(theatre: Theatre, world: World, count: { wakes: number }) {
  const { stage, control } = theatre
  const { spec, ledger, rng } = world
  const plans: Plans = new Map()
  const promised: Promised = new Map()
  const events = { left: spec.events.most }
  for (; ; count.wakes++) {
    if (count.wakes > MOST_WAKES) throw new Violation('I7', `not over after ${MOST_WAKES} wake-ups`)
    for (const [key, event] of remedies(world.outside, events.left > 0))
      if (!plans.has(key)) plans.set(key, { at: stage.clock.now + patience(world), event })
    const next = await nextInstant(control, plans)
    if (next === null) break
    stage.clock.now = Math.max(stage.clock.now, next)
    if (rng.events.chance(spec.late.chance)) stage.clock.now += rng.events.int(0, spec.late.most_ms)
    const outside = startOutside(stage, happenings(stage, world, plans, events))
    const workers = spec.undisturbed && outside.length > 0 ? [] : startWorkers(stage, world, count.wakes)
    await playWake(theatre, world, [...outside, ...workers])
    // The forecast is read once all campaigns are launched, and before the first action.
    if (spec.undisturbed && outside.length > 0) await notePromises(theatre, world, promised)
  }
  judgeEnd(ledger)
  for (const [campaignId, promise] of promised) judgePromise(ledger, campaignId, promise)
}

/** The events planned for now, and perhaps an unplanned one. */
function happenings(stage: Stage, world: World, plans: Plans, events: { left: number }): OutsideEvent[] {
  const due = [...plans].filter(([, plan]) => plan.at <= stage.clock.now)
  for (const [key] of due) plans.delete(key)
  const happening = due.map(([, plan]) => plan.event())
  if (events.left > 0 && world.rng.events.chance(world.spec.events.chance)) {
    events.left -= 1
    const extra = anyEvent(world.outside)
    if (extra) happening.push(extra)
  }
  return happening
}

function startOutside(stage: Stage, happening: OutsideEvent[]): Task[] {
  const now = new Date(stage.clock.now)
  return (['owner', 'inbound'] as const).flatMap((actor) => {
    const mine = happening.filter((event) => event.actor === actor)
    return mine.length > 0 ? [start(stage, actor, () => doAll(stage, mine, now))] : []
  })
}

async function doAll(stage: Stage, events: OutsideEvent[], now: Date) {
  for (const event of events) {
    stage.say(`${event.actor}: ${event.label}`)
    if (event.workspace_id) stage.acting.set(event.actor, event.workspace_id)
    try {
      await event.work(now)
    } catch (error) {
      if (!isRefusal(error) && !stage.lost.has(event.actor)) throw error
      const text = error instanceof Error ? error.message.split('\n').at(-1) : error
      stage.say(`${event.actor} is refused: ${text}`)
    }
  }
}

/** Workers that wake at once; dead ones are replaced by new ones. */
function startWorkers(
  stage: Stage,
  { spec, rng, pools, offered, networkOf, down, vault, nap }: World,
  wake: number,
): Task[] {
  const crowd = rng.turns.chance(0.5) ? spec.workers : 1
  const living = [...pools.keys()].filter((name) => name.startsWith('worker'))
  return Array.from({ length: rng.turns.int(1, crowd) }, (_, index) => {
    const actor = living[index] ?? `worker${wake}.${index}`
    const pool = pools.get(actor) ?? stage.gate.openPool(actor)
    pools.set(actor, pool)
    const mail = simulatedMail(stage, actor, rng.mail, { ...spec, down, vault, nap }, offered)
    const clock = () => new Date(stage.clock.now)
    const { capacity } = spec
    const network = networkOf(actor)
    const read = (mailboxIds: string[]) => readInboxes(pool, mailboxIds, clock())
    const name = `${actor} at wake ${wake}`
    const vendors = vendorsOf(stage, actor, vault)
    const ways = { mail, read, find: finderOf(vault), vendors, social: () => network }
    return start(stage, actor, () => dispatchDue({ ...ways, clock, pool, worker: name, capacity }))
  })
}

/** Mail is ingested as it arrives, so reading a mailbox only records that it was read. */
const readInboxes = (pool: pg.Pool, mailboxIds: string[], now: Date) =>
  pool.query('UPDATE mailboxes SET inbox_polled_at = $2, inbox_error = NULL WHERE mailbox_id = ANY ($1)', [
    mailboxIds,
    now,
  ])

/** Plays until all tasks are done; then the stored counts must be right, and only tasks that lost a connection may have failed. */
async function playWake({ stage, control }: Theatre, world: World, tasks: Task[]) {
  stage.lost.clear()
  await play(stage, tasks, world.rng.turns, world.spec.faults, world.spec.sticky)
  world.raise()
  for (const task of tasks) {
    if (task.error && !task.dead && !stage.lost.has(task.actor)) throw task.error
    if (task.dead) world.pools.delete(task.actor)
  }
  stage.say('all at rest')
  await world.look(stage.commits)
  stage.acting.clear()
  await recount(control, world.ledger)
  await judgeEnded(control, world.ledger, stage.lost.size > 0 || tasks.some((task) => task.dead))
}

async function notePromises({ stage }: Theatre, { scene, ledger }: World, promised: Promised) {
  stage.gate.open = true
  for (const { campaign_id, workspace_id } of scene.campaigns)
    if (ledger.campaigns.get(campaign_id)?.status === 'active')
      promised.set(campaign_id, await promiseOf(workspace_id, campaign_id, new Date(stage.clock.now)))
  stage.gate.open = false
}

/** How long somebody waits before they act. */
const patience = ({ spec, rng }: World) =>
  spec.undisturbed ? 0 : rng.events.pick([0, 0, 1, 7, 60, 600, 3_000]) * MINUTE_MS

/** The next instant at which there is something to do: a slot, a lease that runs out, the end of a contact hold, or a plan. */
async function nextInstant(control: pg.Client, plans: Plans): Promise<number | null> {
  const { rows } = await control.query<{ slot: Date | null; lease: Date | null; ended: Date | null }>(
    `SELECT (SELECT min(next_slot_at) FROM campaigns WHERE status IN ('active', 'draining')) AS slot,
       (SELECT min(lease_until) FROM actions WHERE status = 'sending') AS lease,
       (SELECT min(at) FROM contact_wakes) AS ended`,
  )
  const { slot = null, lease = null, ended = null } = rows[0] ?? {}
  const all = [...plans.values()].map((plan) => plan.at)
  if (slot) all.push(slot.getTime())
  if (lease) all.push(lease.getTime() + 1)
  if (ended) all.push(ended.getTime() + 1)
  return all.length > 0 ? Math.min(...all) : null
}
