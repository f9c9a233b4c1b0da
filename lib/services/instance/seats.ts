import type { Pool } from 'pg'
import { pool } from '#lib/db/client'
import { prepared } from '#lib/db/prepared'
import { AppError } from '#lib/errors'
import { processState } from '#lib/process-state'

/** How long a seat stays taken without renewal: a killed process does not give its seats back. */
export const LEASE_MS = 60_000

/** Gives a seat back, once. Never throws, since a seat that cannot be given back is free when its lease ends. */
export type GiveBack = () => Promise<void>

/** Limits per holder and in total, across all machines. */
export type Seats = { called: string; of_holder: number; of_all: number }

type Taken = { give_back: GiveBack } | { give_back: null; mine: number }

/** The seats that this process holds, by the database pool they were taken from. */
const held = processState('seats held', () => ({
  ids: new Map<Pool, Set<string>>(),
  timers: new Map<Pool, NodeJS.Timeout>(),
}))

/** Takes a seat in one statement; the process holds it until it is given back or the process ends. */
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

/**
 * Renews all seats of this process in one statement. If the database is unavailable, there is time for another try before the lease ends.
 */
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

/** Takes a seat, or throws `rate_limited` naming what there is too much of. */
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

/** For answers that somebody waits for; the engine limits background runs. */
export const AI_SEATS: Seats = { called: 'questions to models and mail servers', of_holder: 4, of_all: 32 }
/** Each export may hold a database connection. */
export const EXPORT_SEATS: Seats = { called: 'exports', of_holder: 2, of_all: 6 }
/** Each holds a whole email in memory, and may hold a mailbox connection. */
export const MAIL_FILE_SEATS: Seats = { called: 'files of emails', of_holder: 2, of_all: 6 }
/** Each uses a CPU for seconds, and writes its rows to the database at the same time. At most two at once per machine. */
export const SHEET_SEATS: Seats = { called: 'spreadsheets', of_holder: 1, of_all: 8 }
