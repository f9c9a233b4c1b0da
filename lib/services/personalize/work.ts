import { db } from '#lib/db/client'
import { isRunUnderWay } from '#lib/domain/personalize/run-moves'
import { env } from '#lib/env'
import type { Writer } from '#lib/providers/ai/port'
import { buildMaterial, snapshotNames } from '#lib/services/personalize/material'
import { completeRun, giveUpRun, leaveRun, takeRun } from '#lib/services/personalize/state/runs'
import {
  type Claimed,
  claimLeads,
  type LeadOutcome,
  type Outcome,
  recordLeads,
  type Worker,
} from '#lib/services/personalize/state/texts'
import { storedSources } from '#lib/services/personalize/stored'
import { writeText } from '#lib/services/personalize/write-text'
import { findPrice } from '#lib/services/personalize/writer'
import { withinAiBudget } from '#lib/services/workspaces/ai-budget'

export type WorkOptions = {
  writer: Writer
  /** Read at every claim and every outcome. */
  clock: () => Date
  until: Date
  concurrency?: number
  worker?: string
  lease_ms?: number
}

/** `wake_at`: when another round is worthwhile; null if the run has ended or another worker has it. */
export type Worked = { state: 'done' | 'more' | 'waiting' | 'busy'; wake_at: Date | null }

/** A text is searched for the names of this many neighbouring leads: a model that mixes up leads mixes up those near each other. */
const NEIGHBOURS = 16
/** An offline writer makes no calls, so its cost is writing to the database: more texts at once mean fewer commits. */
const OFFLINE_CONCURRENCY = 64

/** After this many rounds in which the provider accepted nothing, a run gives up. */
const MOST_IDLE = 12
const LONGEST_WAIT_MS = 300_000

/**
 * Writes texts for a while. A failure of one lead stops no other. A call that the provider does not accept is retried after a growing
 * delay, or after the delay the provider asks for. Every lead is in the ledger before its call, so that after a crash only calls whose
 * outcome is unknown can be paid twice.
 */
export async function workRun(runId: string, options: WorkOptions): Promise<Worked> {
  const { writer, clock, until } = options
  const { concurrency = writer.offline ? OFFLINE_CONCURRENCY : env().AI_CONCURRENCY } = options
  const worker: Worker = {
    run_id: runId,
    worker: options.worker ?? crypto.randomUUID(),
    lease_ms: options.lease_ms ?? (env().AI_TIMEOUT_SECONDS + 60) * 1_000,
  }
  if (!(await takeRun(worker, clock()))) return busyOrDone(runId)
  const run = await db.personalizationRun.findUniqueOrThrow({ where: { run_id: runId } })
  const price = findPrice(writer)
  const sources = await storedSources(run)
  const budgeted = withinAiBudget(writer, run.workspace_id, clock)
  const record = inGroups<Outcome>((outcomes) => recordLeads(worker, outcomes, { model: writer.name, price }))
  while (clock() < until) {
    const claimed = await claimLeads(worker, concurrency * 4, clock())
    if (!claimed) {
      await leaveRun(worker, clock())
      return { state: 'done', wake_at: null }
    }
    if (claimed.length === 0) {
      await completeRun(worker, clock())
      return { state: 'done', wake_at: null }
    }
    const named = claimed.map((lead) => ({ lead, names: snapshotNames(lead.lead_snapshot) }))
    const stop = await workEach(claimed, concurrency, async (lead, stopped): Promise<LeadOutcome | null> => {
      const others = namesBeside(named, lead)
      const result = stopped ? NOT_ASKED : await writeLead(budgeted, sources, lead, others)
      await record({ lead, result, at: clock() })
      return result.outcome === 'later' || result.outcome === 'rejected' ? result : null
    })
    if (stop) return stopped(worker, stop, clock())
  }
  await leaveRun(worker, clock())
  return { state: 'more', wake_at: clock() }
}

type Named = { lead: Claimed; names: string[] }

function namesBeside(named: Named[], lead: Claimed): string[] {
  const at = named.findIndex((one) => one.lead === lead)
  const first = at - (at % NEIGHBOURS)
  return named.slice(first, first + NEIGHBOURS).flatMap((one) => (one.lead === lead ? [] : one.names))
}

const NOT_ASKED: LeadOutcome = { outcome: 'later', error: 'Not asked.', retry_after_ms: null }

/** Groups writes: items that arrive while a write is under way go out with the next one, so that many lanes need few commits. */
function inGroups<T>(write: (items: T[]) => Promise<void>): (item: T) => Promise<void> {
  let next: { items: T[]; written: Promise<void> } | null = null
  let last: Promise<unknown> = Promise.resolve()
  return (item) => {
    if (!next) {
      const items: T[] = []
      const written = last.then(() => {
        next = null
        return write(items)
      })
      next = { items, written }
      // The lanes of a group get its error; later groups go on.
      last = written.catch(() => undefined)
    }
    next.items.push(item)
    return next.written
  }
}

async function busyOrDone(runId: string): Promise<Worked> {
  const run = await db.personalizationRun.findUnique({ where: { run_id: runId } })
  return run && isRunUnderWay(run.status)
    ? { state: 'busy', wake_at: run.lease_until }
    : { state: 'done', wake_at: null }
}

async function writeLead(
  writer: Writer,
  sources: Parameters<typeof buildMaterial>[0],
  lead: Claimed,
  others: readonly string[],
): Promise<LeadOutcome> {
  const made = buildMaterial(sources, lead.lead_snapshot, lead.lead_index)
  if (!made.ok) return { outcome: 'impossible', error: made.error }
  return writeText(writer, made.material, others)
}

/** Runs some at once. The first reason to stop is returned, and work that had not begun by then is told of it. */
async function workEach(
  leads: Claimed[],
  concurrency: number,
  work: (lead: Claimed, stopped: boolean) => Promise<LeadOutcome | null>,
): Promise<LeadOutcome | null> {
  const queue = [...leads]
  let stop: LeadOutcome | null = null
  const lane = async () => {
    for (let lead = queue.shift(); lead; lead = queue.shift()) {
      const said = await work(lead, stop !== null)
      stop ??= said
    }
  }
  await Promise.all(Array.from({ length: concurrency }, lane))
  return stop
}

async function stopped(worker: Worker, why: LeadOutcome, now: Date): Promise<Worked> {
  const error = 'error' in why ? why.error : ''
  if (why.outcome === 'rejected') {
    await giveUpRun(worker, error, now)
    return { state: 'done', wake_at: null }
  }
  const { idle_rounds } = await db.personalizationRun.findUniqueOrThrow({ where: { run_id: worker.run_id } })
  if (idle_rounds + 1 >= MOST_IDLE) {
    await giveUpRun(worker, `The provider accepted nothing ${MOST_IDLE} times in a row. ${error}`, now)
    return { state: 'done', wake_at: null }
  }
  await leaveRun(worker, now, true)
  const asked = why.outcome === 'later' ? why.retry_after_ms : null
  const wait = Math.min(LONGEST_WAIT_MS, Math.max(asked ?? 0, asked === null ? 1_000 * 2 ** idle_rounds : 0))
  return { state: 'waiting', wake_at: new Date(now.getTime() + wait) }
}
