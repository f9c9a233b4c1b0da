import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'
import { createGate, type GatedClient, type Statement } from '#tests/simulation/checks/gate'
import { Violation } from '#tests/simulation/checks/violation'
import type { Rng } from '#tests/simulation/worlds/random'
import { realTimeout, type Timers, virtualTimers } from '#tests/simulation/worlds/timers'

/** One thing that may happen next. */
type Choice = { actor: string; label: string; go(): Promise<void> }

/** Something that an actor waits for and that the stage triggers, such as a provider's answer. */
export type Cue = { actor: string; label: string; give(): void }

export type Task = { actor: string; done: boolean; dead: boolean; error: unknown }

export type Faults = {
  /** Per statement: probability that the connection breaks before it is sent, or before its answer arrives. */
  lose_connection: number
  /** Per statement: probability that the process dies before or after it. */
  die: number
  /** Per choice: probability that time passes meanwhile. */
  time_passes: number
}

export type Stage = ReturnType<typeof createStage>

const actors = new AsyncLocalStorage<string>()
const clock = { now: 0 }
let timers: Timers | undefined

/** The parts that persist between seeds: virtual timers, and the gate to the database. */
export function createStage(url: string, control: pg.Client) {
  timers ??= virtualTimers(
    () => clock.now,
    () => actors.getStore() ?? 'nobody',
  )
  const gate = createGate(url, control)
  const cues: Cue[] = []
  const log: string[] = []
  const say = (line: string) => void log.push(`${new Date(clock.now).toISOString()} ${line}`)
  return {
    clock,
    gate,
    cues,
    log,
    say,
    timers,
    actors,
    /** Commits seen so far. */
    commits: 0,
    /** Actors that lost a connection; only their errors are expected. */
    lost: new Set<string>(),
    /** The workspace on whose behalf an outside actor is acting now. */
    acting: new Map<string, string>(),
    committed: async (_client: GatedClient, _actor: string): Promise<void> => undefined,
  }
}

/** Runs work as an actor; its error is kept in the task. */
export function start(stage: Stage, actor: string, work: () => Promise<unknown>): Task {
  const task: Task = { actor, done: false, dead: false, error: null }
  stage.actors.run(actor, () =>
    work().then(
      () => {
        task.done = true
      },
      (error: unknown) => {
        task.done = true
        task.error = error
      },
    ),
  )
  return task
}

const MOST_TURNS = 5_000

/** Lets one thing happen after another, as the seed chooses, until every task is done or dead. */
export async function play(stage: Stage, tasks: Task[], rng: Rng, faults: Faults, sticky: number) {
  let last = ''
  for (let turn = 0; ; turn++) {
    if (turn > MOST_TURNS) throw new Violation('livelock', `still at it after ${MOST_TURNS} turns`)
    await rest(stage, tasks)
    if (tasks.every((task) => task.done)) return
    const choices = choicesOf(stage)
    if (choices.length === 0) {
      const blocked = stage.gate.parked.map((one) => `${one.actor}: ${brief(one.sql)}`)
      throw new Violation('deadlock', `nothing can go on; waiting: ${blocked.join(' | ')}`)
    }
    if (rng.chance(faults.time_passes)) {
      stage.clock.now += rng.pick([1, 500, 30_000, 100_000, 100_000])
      stage.say('time passes')
    }
    const same = choices.filter((choice) => choice.actor === last)
    const choice = rng.pick(same.length > 0 && rng.chance(sticky) ? same : choices)
    last = choice.actor
    const victim = tasks.find((task) => task.actor === choice.actor)
    if (victim && choice.actor.startsWith('worker') && rng.chance(faults.die)) {
      if (rng.chance(0.5)) await choice.go()
      stage.say(`${choice.actor} dies at: ${choice.label}`)
      await bury(stage, victim)
    } else await choice.go()
    await recheckBlocked(stage)
  }

  function choicesOf(on: Stage): Choice[] {
    const { gate, cues, clock: time } = on
    const statements = gate.parked.filter((one) => one.state === 'parked')
    return [
      ...statements.map((one) => ({
        actor: one.actor,
        label: brief(one.sql),
        go: () => pass(on, one, rng, faults),
      })),
      ...cues.map((cue) => ({
        actor: cue.actor,
        label: cue.label,
        go: async () => {
          cues.splice(cues.indexOf(cue), 1)
          on.say(`${cue.actor} ${cue.label}`)
          cue.give()
        },
      })),
      ...on.timers.ready(time.now).map((timer) => ({
        actor: timer.actor,
        label: timer.every === null ? 'timer' : 'heartbeat',
        go: async () => on.actors.run(timer.actor, () => on.timers.fire(timer, time.now)),
      })),
    ].sort((a, b) => (a.actor < b.actor ? -1 : a.actor > b.actor ? 1 : 0))
  }
}

/** A process dies: its transactions are rolled back, its messages stay offered, and it learns no outcome. */
async function bury(stage: Stage, task: Task) {
  await stage.gate.kill(task.actor)
  stage.timers.drop(task.actor)
  for (const cue of stage.cues.filter((one) => one.actor === task.actor))
    stage.cues.splice(stage.cues.indexOf(cue), 1)
  task.done = true
  task.dead = true
}

/** Sends a statement, or breaks its connection before or after. */
async function pass(stage: Stage, one: Statement, rng: Rng, faults: Faults) {
  const lost = rng.chance(faults.lose_connection)
  const before = rng.chance(0.5)
  stage.say(
    `${one.actor} ${brief(one.sql)}${lost ? ` (connection lost ${before ? 'before' : 'after'})` : ''}`,
  )
  if (lost && before) return lose(stage, one)
  if (/^\s*BEGIN/i.test(one.sql)) one.client.began = stage.commits
  const answered = one.send().then(() => {
    one.state = 'done'
  })
  await answeredOrBlocked(stage, one, answered)
  if (one.state === 'blocked') return
  await finish(stage, one, lost)
}

async function finish(stage: Stage, one: Statement, lost: boolean) {
  if (!one.client.inside && !/^\s*(SELECT|ROLLBACK)/i.test(one.sql)) {
    stage.commits += 1
    await stage.committed(one.client, one.actor)
  }
  if (lost) return lose(stage, one)
  leave(stage, one)
  one.deliver()
}

async function lose(stage: Stage, one: Statement) {
  stage.lost.add(one.actor)
  await stage.gate.cut(one.client)
  leave(stage, one)
  one.fail(new Error('Connection terminated unexpectedly'))
}

function leave(stage: Stage, one: Statement) {
  stage.gate.parked = stage.gate.parked.filter((other) => other !== one)
}

/** The holder of a lock is paused by the stage, so a blocked statement stays blocked until another one continues. */
async function answeredOrBlocked(stage: Stage, one: Statement, answered: Promise<void>) {
  if (!stage.gate.mayBlock(one.client) && one.state !== 'blocked') return answered
  for (let wait = 5; one.state !== 'done'; wait = Math.min(wait * 2, 50)) {
    await Promise.race([answered, new Promise((resolve) => realTimeout(resolve, wait))])
    const isDone = (state: Statement['state']) => state === 'done'
    if (isDone(one.state)) return
    if ((await stage.gate.blockers(one.client)).length > 0 && !isDone(one.state)) {
      stage.say(`${one.actor} waits for a lock`)
      one.state = 'blocked'
      waiting.set(one, answered)
      return
    }
  }
}

const waiting = new Map<Statement, Promise<void>>()

async function recheckBlocked(stage: Stage) {
  for (let moved = true; moved; ) {
    moved = false
    for (const [one, answered] of waiting) {
      if (!stage.gate.parked.includes(one)) {
        waiting.delete(one)
        continue
      }
      if (one.state === 'blocked' && (await stage.gate.blockers(one.client)).length > 0) continue
      waiting.delete(one)
      const had = stage.log.length
      await answeredOrBlocked(stage, one, answered)
      const state: Statement['state'] = one.state
      if (state === 'blocked') {
        stage.log.length = had
        continue
      }
      moved = true
      await finish(stage, one, false)
    }
  }
}

/** Waits until everything that runs by itself has run: each task is stopped at the gate, waits for a cue or timer, or is done. */
async function rest(stage: Stage, tasks: Task[]) {
  for (let quiet = 0; quiet < 3; ) {
    await new Promise((resolve) => setImmediate(resolve))
    quiet = stage.gate.connecting() > 0 ? 0 : quiet + 1
    if (stage.gate.connecting() > 0) await new Promise((resolve) => realTimeout(resolve, 1))
  }
  // Prisma's engine and the mail reader may need a moment of their own.
  const stands = (actor: string) => stage.gate.parked.some((one) => one.actor === actor)
  for (let tries = 0; tries < 2_000; tries++) {
    const busy = tasks.some(({ actor, done }) => !done && !actor.startsWith('worker') && !stands(actor))
    if (!busy && stage.gate.connecting() === 0) return
    await new Promise((resolve) => realTimeout(resolve, 1))
  }
}

export const brief = (sql: string) => sql.replace(/\s+/g, ' ').trim().slice(0, 70)
