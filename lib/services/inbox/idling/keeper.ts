import { randomInt } from 'node:crypto'
import type { Pool } from 'pg'
import type { InboxListener, Listened } from '#lib/providers/inbox/idle'
import {
  type Audible,
  findAudible,
  giveUpPlace,
  renewPlaces,
  takePlace,
} from '#lib/services/inbox/idling/places'
import { spaced } from '#lib/services/inbox/idling/spaced'
import { loadCursors } from '#lib/services/inbox/mailboxes/cursors'
import { listenTo } from '#lib/services/inbox/mailboxes/provider'
import type { Vendors } from '#lib/services/senders/grants/access-token'

export type KeeperOptions = {
  pool: Pool
  listen: InboxListener
  /** Called when new mail arrived, to read it at once. */
  wake: (mailboxId: string) => Promise<void>
  clock: () => Date
  /** Most connections to one host, over all processes and purposes. */
  most_per_host: number
  /** Most inboxes this process listens to. */
  most: number
  /** Renews OAuth tokens. Default: the vendors configured in the environment. */
  vendors?: Vendors
  beat_ms?: number
  /** How long a dead process keeps its places. */
  hold_ms?: number
  /** Shortest pause between two reads that one inbox asks for. */
  pause_ms?: number
}

export type IdleKeeper = {
  /** Starts to listen to inboxes nobody listens to yet, as far as there is room. */
  look: () => Promise<void>
  /** Renews places and stops listening where a place was lost. Runs on a timer; tests call it. */
  beat: () => Promise<void>
  stop: () => Promise<void>
}

const BEAT_MS = 15_000
const HOLD_MS = 60_000
const PAUSE_MS = 10_000
/** A connection that lasted this long is reopened at once when it breaks. */
const LASTED_MS = 5 * 60_000
const FIRST_REST_MS = 10_000
const LONGEST_REST_MS = 60 * 60_000
/** How long a server without IDLE is left alone: servers rarely gain it. */
const UNSUPPORTED_REST_MS = 24 * 60 * 60_000

type Held = { place: string; way: string; since: number | null; line: AbortController; done: Promise<void> }
type State = { is_stopped: boolean; renewed_at: number; beats?: NodeJS.Timeout }
type Rest = { way: string; tries: number; until: number; is_over: boolean }

/**
 * Listens to inboxes over IMAP IDLE, so that new mail is read within seconds. At most half of a host's connections are used for
 * that; the others read, search and file. Inboxes nobody listens to are polled, and all others too, once an hour.
 */
export function createIdleKeeper(options: KeeperOptions): IdleKeeper {
  const { pool, clock, most, most_per_host, hold_ms = HOLD_MS } = options
  const bounds = { most: most_per_host, share: Math.floor(most_per_host / 2), hold_ms }
  const held = new Map<string, Held>()
  const resting = new Map<string, Rest>()
  const state: State = { is_stopped: false, renewed_at: 0 }

  const begin = (mailbox: Audible, place: string) => {
    const line = new AbortController()
    const one: Held = { place, way: mailbox.way, since: null, line, done: Promise.resolve() }
    held.set(mailbox.mailbox_id, one)
    one.done = stay(options, mailbox, one).then((outcome) => leave(mailbox, one, outcome))
  }

  const leave = async ({ mailbox_id }: Audible, { place, way, since }: Held, outcome: Listened) => {
    held.delete(mailbox_id)
    // A place that cannot be released now expires by itself.
    await giveUpPlace(pool, place).catch(() => undefined)
    if (outcome.ok && outcome.ended === 'stopped') return
    const now = clock().getTime()
    const known = resting.get(mailbox_id)
    const hasLasted = since !== null && now - since >= LASTED_MS
    const tries = hasLasted || known?.way !== way ? 1 : known.tries + 1
    resting.set(mailbox_id, { way, tries, until: now + restMs(outcome, tries), is_over: false })
    // A read would fail the same way and tell the owner.
    if (!outcome.ok && outcome.reason === 'auth') await options.wake(mailbox_id).catch(() => undefined)
  }

  const look = async () => {
    if (state.is_stopped || bounds.share === 0) return
    state.beats ??= setInterval(() => void beat().catch(() => undefined), options.beat_ms ?? BEAT_MS).unref()
    const room = most - held.size
    if (room <= 0) return
    const now = clock().getTime()
    const left = [...resting].flatMap(([id, { way, until }]) => (until > now ? [id + way] : []))
    for (const mailbox of await findAudible(pool, { share: bounds.share, room, resting: left })) {
      if (state.is_stopped || held.has(mailbox.mailbox_id) || held.size >= most) continue
      const place = await takePlace(pool, mailbox, bounds)
      if (!place) continue
      if (held.size === 0) state.renewed_at = now
      begin(mailbox, place)
    }
    // The keeper may have been stopped meanwhile, without knowing of the last connection.
    if (state.is_stopped) await endAll()
  }

  const beat = async () => {
    const now = clock().getTime()
    // If this process failed to renew its places for too long, others have taken them by now.
    if (held.size > 0 && now - state.renewed_at >= hold_ms) await endAll()
    let isLost = false
    if (held.size > 0) {
      const places = [...held.values()]
      const ways = await renewPlaces(
        pool,
        places.map(({ place }) => place),
        hold_ms,
      )
      state.renewed_at = now
      const lost = places.filter(({ place, way }) => ways.get(place) !== way)
      isLost = lost.length > 0
      await end(lost)
    }
    if (isLost || endRests(resting, now)) await look()
  }

  const end = async (ones: Held[]) => {
    for (const { line } of ones) line.abort()
    await Promise.all(ones.map(({ done }) => done))
  }
  const endAll = () => end([...held.values()])

  return {
    look,
    beat,
    async stop() {
      state.is_stopped = true
      clearInterval(state.beats)
      await endAll()
    },
  }
}

/**
 * Ends the rests that are over; a mailbox that rested long ago starts as if it never had. Returns whether
 * there were any.
 */
function endRests(resting: Map<string, Rest>, now: number): boolean {
  let isOne = false
  for (const [id, rest] of resting) {
    if (rest.until > now) continue
    isOne ||= !rest.is_over
    rest.is_over = true
    if (now - rest.until > UNSUPPORTED_REST_MS) resting.delete(id)
  }
  return isOne
}

function restMs(outcome: Listened, tries: number): number {
  if (outcome.ok) return UNSUPPORTED_REST_MS
  // Some servers lock an account after too many sign-ins.
  if (outcome.reason === 'auth') return LONGEST_REST_MS
  const ms = Math.min(FIRST_REST_MS * 2 ** Math.min(tries - 1, 20), LONGEST_REST_MS)
  // Spread out, so that a server that comes back is not hit by all of them at once.
  return randomInt(ms / 2, ms + 1)
}

async function stay(options: KeeperOptions, mailbox: Audible, one: Held): Promise<Listened> {
  const { pool, clock, wake, pause_ms = PAUSE_MS } = options
  const { mailbox_id } = mailbox
  // If this call fails, the mailbox is read on schedule.
  const arrived = spaced(() => void wake(mailbox_id).catch(() => undefined), pause_ms)
  const begun = async (uidNext: number) => {
    one.since = clock().getTime()
    const known = (await loadCursors(pool, mailbox_id)).get('INBOX')
    // Mail may have arrived since the last read, while nobody listened.
    if (uidNext > (known?.last_uid ?? 0) + 1) arrived()
  }
  try {
    return await listenTo({ ...options, now: clock() }, mailbox, {
      begun: (uidNext) => void begun(uidNext).catch(() => undefined),
      arrived,
      signal: one.line.signal,
    })
  } catch (error) {
    return { ok: false, reason: 'connect', error: String(error) }
  }
}
