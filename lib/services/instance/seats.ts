import type { Pool } from 'pg'
import { pool } from '#lib/db/client'
import { prepared } from '#lib/db/prepared'
import { AppError } from '#lib/errors'
import { processState } from '#lib/process-state'

/** How long a place stays taken of which nothing is heard: whoever was killed gives back none. */
export const LEASE_MS = 60_000

/** Gives a place back, once; never throws, since a place that cannot be given back is free when its lease ends. */
export type GiveBack = () => Promise<void>

/** So many for one holder, and so many for all, on all machines together. */
export type Seats = { called: string; of_holder: number; of_all: number }

type Taken = { give_back: GiveBack } | { give_back: null; mine: number }

/** The places that this process holds, by the pool that holds them. */
const held = processState('seats held', () => ({
  ids: new Map<Pool, Set<string>>(),
  timers: new Map<Pool, NodeJS.Timeout>(),
}))

/** Takes a place in one statement, and holds it until it is given back or this process ends. */
export async function takeSeat(
  from: Pool,
  { called, of_holder, of_all }: Seats,
  holder: string,
  leaseMs = LEASE_MS,
): Promise<Taken> {
  const { rows } = await from.query<{ taken: string | null; mine: number }>(
    prepared('SELECT taken, mine FROM take_seat($1, $2, $3, $4, $5)', [
      called,
      holder,
      of_holder,
      of_all,
      leaseMs,
    ]),
  )
  const { taken = null, mine = 0 } = rows[0] ?? {}
  if (!taken) return { give_back: null, mine }
  hold(from, taken, leaseMs)
  return { give_back: () => release(from, taken) }
}

function hold(from: Pool, seatId: string, leaseMs: number): void {
  const ids = held.ids.get(from) ?? new Set()
  held.ids.set(from, ids.add(seatId))
  if (held.timers.has(from)) return
  held.timers.set(from, setInterval(() => void renew(from, leaseMs), leaseMs / 3).unref())
}

/** One statement for all places of this process; where the database is away, the next one has time left. */
async function renew(from: Pool, leaseMs: number): Promise<void> {
  const ids = [...(held.ids.get(from) ?? [])]
  await from
    .query(
      `UPDATE seats SET held_until = clock_timestamp() + $2::int * interval '1 millisecond'
       WHERE seat_id = ANY ($1::uuid[])`,
      [ids, leaseMs],
    )
    .catch(() => undefined)
}

async function release(from: Pool, seatId: string): Promise<void> {
  const ids = held.ids.get(from)
  if (!ids?.delete(seatId)) return
  if (ids.size === 0) {
    clearInterval(held.timers.get(from))
    held.timers.delete(from)
    held.ids.delete(from)
  }
  await from.query(prepared('DELETE FROM seats WHERE seat_id = $1', [seatId])).catch(() => undefined)
}

/** A place, or `rate_limited` in words that say of what there are too many. */
export async function seatOrRefusal(seats: Seats, holder: string): Promise<GiveBack> {
  const taken = await takeSeat(pool(), seats, holder)
  if (taken.give_back) return taken.give_back
  const { called, of_holder } = seats
  throw new AppError('rate_limited', {
    message:
      taken.mine >= of_holder
        ? `You already have ${of_holder} ${called} running. Wait until one has finished.`
        : `Too many ${called} are running right now. Try again in a moment.`,
    retryAfterSeconds: 10,
  })
}

/** Whose answer somebody waits for; runs in the background are counted by the engine. */
export const AI_SEATS: Seats = { called: 'questions to models and mail servers', of_holder: 4, of_all: 32 }
/** Each may hold a connection to the database. */
export const EXPORT_SEATS: Seats = { called: 'exports', of_holder: 2, of_all: 6 }
/** Each holds a whole email in memory, and may hold a connection to a mailbox. */
export const MAIL_FILE_SEATS: Seats = { called: 'files of emails', of_holder: 2, of_all: 6 }
/** Each takes a processor for seconds, and its rows go into the database at once. Two at a time on each machine. */
export const SHEET_SEATS: Seats = { called: 'spreadsheets', of_holder: 1, of_all: 8 }
