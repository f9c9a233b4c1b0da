import { pool } from '#lib/db/client'
import { armAt, type Bell, EARLY_MS, LOST_MS } from '#lib/domain/sending/wake'
import { env } from '#lib/env'
import { BELL_EVENTS } from '#lib/events/bells'
import { emit } from '#lib/events/client'
import { readDueWork } from '#lib/services/instance/due-work'

type Ringing = {
  /** Minimum pause between two rings of a bell. Default: WAKE_PAUSE_SECONDS; 0 if somebody is waiting. */
  pause_ms?: number
  /** Arms every bell with due work, even if one seems to be on its way. */
  anew?: boolean
  /** A bell whose work ran out of time: it rings again at once. */
  goes_on?: Bell | undefined
}
type Armed = { bell: Bell; at: Date; gen: string }

/**
 * Makes sure that background work starts when it is due. Call it after committing new work: it costs one query, and one more statement
 * and an event only if a bell must ring earlier than it would. Returns the bells it armed.
 */
export async function ring(now = new Date(), { pause_ms, anew, goes_on }: Ringing = {}): Promise<Armed[]> {
  const pause = pause_ms ?? env().WAKE_PAUSE_SECONDS * 1_000
  const time = (at: Date | null) => at?.getTime() ?? null
  const wanted = (await readDueWork(pool())).flatMap(({ bell, due, armed_for, rung_at }) => {
    const state = { armed_for: anew ? null : time(armed_for), rung_at: time(rung_at) }
    const at = armAt(bell === goes_on ? { ...state, rung_at: null } : state, time(due), now.getTime(), pause)
    return at === null ? [] : [{ bell, at: new Date(at) }]
  })
  if (wanted.length === 0) return []
  const armed = await arm(wanted, now, anew ?? false)
  if (armed.length === 0) return []
  const sent = await emit(
    armed.map(({ bell, at, gen }) =>
      BELL_EVENTS[bell].create(
        { armed_for: at.toISOString() },
        { ts: at.getTime(), id: `wake:${bell}:${Math.floor(at.getTime() / 60_000)}:${gen}` },
      ),
    ),
  )
  if (!sent) await giveUp(armed, now)
  return armed
}

/** The same for callers that must not fail because of it; the sweep makes up for a missed ring. */
export async function ringQuietly(now?: Date, how?: Ringing): Promise<void> {
  await ring(now, how).catch(() => undefined)
}

/** Rings after a step of longer work, whether or not it succeeded: what it wrote may be due. */
export async function ringAfter<Done>(work: Promise<Done>): Promise<Done> {
  return work.finally(() => ringQuietly())
}

/** Of several callers at once only one arms a bell: the guard is checked again under the row's lock. */
async function arm(wanted: { bell: Bell; at: Date }[], now: Date, anew: boolean): Promise<Armed[]> {
  const { rows } = await pool().query<Armed>(
    `INSERT INTO wake AS w (bell, armed_for, gen)
     SELECT bell, at, 1 FROM unnest($1::text[], $2::timestamptz[]) a (bell, at) ORDER BY bell
     ON CONFLICT (bell) DO UPDATE SET armed_for = excluded.armed_for, gen = w.gen + 1
     WHERE $4 OR w.armed_for IS NULL OR w.armed_for > excluded.armed_for OR w.armed_for < $3
     RETURNING bell, armed_for AS at, gen`,
    [wanted.map(({ bell }) => bell), wanted.map(({ at }) => at), new Date(now.getTime() - LOST_MS), anew],
  )
  return rows
}

/** If the engine does not answer, nobody asks it again until the bell counts as lost. */
async function giveUp(armed: Armed[], now: Date): Promise<void> {
  await pool().query(
    `UPDATE wake w SET armed_for = $3 FROM unnest($1::text[], $2::bigint[]) a (bell, gen)
     WHERE w.bell = a.bell AND w.gen = a.gen`,
    [armed.map(({ bell }) => bell), armed.map(({ gen }) => gen), now],
  )
}

/** The result of background work: whether its time ran out before everything was done. */
export type Worked = { goes_on?: boolean }

/**
 * Handles a bell: does its work and arms the bells for what is due next, even if the work failed, so that the chain does not end. A
 * bell that was superseded finds nothing to do.
 */
export async function answerBell<Done extends Worked>(bell: Bell, work: () => Promise<Done>): Promise<Done> {
  await noteRing(bell, new Date())
  let done: Done | undefined
  try {
    done = await work()
    return done
  } finally {
    await ring(new Date(), { goes_on: done?.goes_on ? bell : undefined })
  }
}

/** Clears the bell if its time has come; one that is armed for later stays armed. */
export async function noteRing(bell: Bell, now: Date): Promise<void> {
  await pool().query(
    `INSERT INTO wake AS w (bell, rung_at) VALUES ($1, $2)
     ON CONFLICT (bell) DO UPDATE SET rung_at = excluded.rung_at,
       armed_for = CASE WHEN w.armed_for > $3 THEN w.armed_for END`,
    [bell, now, new Date(now.getTime() + EARLY_MS)],
  )
}
