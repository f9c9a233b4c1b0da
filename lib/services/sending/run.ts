import type { Pool } from 'pg'
import { pool as appPool } from '#lib/db/client'
import { retryDuringOutage } from '#lib/db/outage'
import { keyFor } from '#lib/db/seal'
import type { Outcome } from '#lib/domain/sending/outcome'
import { bounceAddress } from '#lib/domain/tokens/bounce-token'
import type { MailProvider, MayLeave, OutgoingMail } from '#lib/providers/mail/port'
import { createCollector } from '#lib/services/instance/collector'
import { type Carry, createCarried } from '#lib/services/messages/attached/carried-files'
import type { Vendors } from '#lib/services/senders/grants/access-token'
import { createOpener, type Opener, sendFrom } from '#lib/services/senders/mailbox-connection'
import { toOutcome } from '#lib/services/senders/sent/mail-outcome'
import { type SentCopy, sentCopy } from '#lib/services/senders/sent/sent-copies'
import { type FindSent, IN_SENT, toMark } from '#lib/services/senders/sent/sent-mark'
import { socialProvider } from '#lib/services/senders/social-provider'
import { type Claim, claimDueCampaign } from '#lib/services/sending/claim'
import type { Composed } from '#lib/services/sending/compose'
import { wakeWaiting } from '#lib/services/sending/contact-wakes'
import { createGate, type Gate } from '#lib/services/sending/failure-gate'
import { createReads, type ReadMailboxes } from '#lib/services/sending/fresh-read'
import { inTurns } from '#lib/services/sending/in-turns'
import {
  createHold,
  expireLeases,
  HEARTBEAT_MS,
  type Look,
  lookAhead,
  releaseUnacknowledged,
  renewLeases,
} from '#lib/services/sending/leases'
import { type Result, recordResults } from '#lib/services/sending/record'
import type { Claimed } from '#lib/services/sending/social/compose-social'
import { createSocialOffers, type SocialDrivers } from '#lib/services/sending/social/offer-social'
import { createTurns, createUnderway, createWindow } from '#lib/services/sending/underway'
import { PlanOutdated } from '#lib/services/sending/write'

export type DispatchOptions = {
  mail: MailProvider
  /** Reads mailboxes before their follow-ups leave. Absent: follow-ups leave without. */
  read?: ReadMailboxes
  /** Looks an unconfirmed mail up in the Sent folder before its action is called uncertain. */
  find?: FindSent
  /** The driver of each account's network. */
  social?: SocialDrivers
  /** Read at every claim and every outcome. */
  clock: () => Date
  pool?: Pool
  /** Renews OAuth tokens. Default: the vendors configured in the environment. */
  vendors?: Vendors
  /** This worker's name in the leases. */
  worker?: string
  /** Most actions under way at once, and so the most that one crash can leave uncertain. */
  capacity?: number
  /** No new claim after this instant. */
  until?: Date
  /** True once the process is about to end: no new claims. */
  stopping?: () => boolean
}

export type Dispatched = {
  claims: number
  offered: number
  expired: number
  /** The earliest slot of any campaign, or null if none has one. */
  next_slot_at: Date | null
  /** When the first lease of any action under way runs out, or null if none is under way. */
  next_lease_end: Date | null
}

/**
 * What the fastest server accepts in a fifth of a second. With half of that, workers waited for their own
 * claims.
 */
const CAPACITY = 300

/**
 * How long a worker keeps trying to write outcomes while the database is down or its disk is full: no other
 * process knows them.
 */
const OUTAGE_MS = 60 * 60_000

/** Claims and sends until nothing is due: the whole work of one wake-up. */
export async function dispatchDue(options: DispatchOptions): Promise<Dispatched> {
  const {
    mail,
    read,
    find,
    social = socialProvider,
    clock,
    pool = appPool(),
    vendors,
    worker = crypto.randomUUID(),
    capacity = CAPACITY,
    until,
    stopping,
  } = options
  let seen: Look | null = await lookAhead(pool, clock())
  const isLate = seen.next_lease_end !== null && seen.next_lease_end < clock()
  const expired = isLate ? await expireLeases(pool, clock()) : 0
  if (isLate) seen = null
  const window = createWindow(capacity, clock)
  const inTurn = createTurns()
  const gate = createGate(clock)
  const opener = createOpener(pool, clock, vendors)
  const hold = createHold(clock)
  const networks = createSocialOffers(pool, social, clock, gate)
  const carry = createCarried()
  const send = { mail, opener, find, gate, carry, copies: new Map(), social: networks }
  const sending = sender(send, window, (batch) =>
    inTurn(() => retryDuringOutage(() => recordResults(pool, batch, { worker }, clock()), OUTAGE_MS)),
  )
  const reads = createReads(pool, read, clock)
  const renew = async () => {
    const at = clock()
    await renewLeases(pool, worker, at)
    hold.renewed(at)
  }
  // A failed renewal is made up for by the next one.
  const heartbeat = setInterval(() => void renew().catch(() => undefined), HEARTBEAT_MS)
  let claims = 0
  let offered = 0
  let wide = false
  try {
    while (sending.failures.length === 0) {
      const places = window.size()
      // The window may have become narrower than what is under way.
      await sending.underway.fallTo(places - 1)
      const room = places - sending.underway.count()
      const isOver = (until && clock() >= until) || stopping?.()
      const asked = clock().getTime()
      const except = reads.campaigns()
      const first = seen
      seen = null
      // Read the clock only once it is this claim's turn: earlier outcomes may have waited for a database
      // that was down.
      const claimNow = async (now: Date) => ({
        now,
        ...(await claimDue(pool, worker, now, room, { wide, fresh: reads.isAsked, except, first })),
      })
      const { now, look, claim } = isOver
        ? { now: clock(), look: null, claim: null }
        : await inTurn(() => claimNow(clock()))
      window.claimed(clock().getTime() - asked)
      if (claim?.unread) {
        reads.begin(claim.campaign.campaign_id, claim.unread)
        continue
      }
      wide = claim?.goes_on === true && claim.actions.length === 0
      if (claim) {
        claims += 1
        offered += claim.actions.length
        await sending.begin(claim.actions, claim.campaign.campaign_id, () => hold.stands(now))
      } else if (sending.underway.count() === 0) {
        seen = look
        if (isOver || except.length === 0) break
        seen = null
        await reads.next()
      }
      // Claim again once a third of the places is free: claims stay large, and the next one is made while the
      // rest is being sent. If there was nothing to claim, nothing more than that, or another worker had it,
      // look again when half of the actions in progress are done.
      const isMore = claim?.goes_on || (claim && (look?.has_wakes || (look?.due ?? 0) > 1))
      await sending.underway.fallTo(Math.floor(isMore ? (places * 2) / 3 : sending.underway.count() / 2))
    }
  } catch (error) {
    sending.failures.push(error)
    await retryDuringOutage(
      () => releaseUnacknowledged(pool, worker, [...sending.unrecorded], clock()),
      OUTAGE_MS,
    )
  } finally {
    await sending.underway.fallTo(0)
    await reads.all()
    clearInterval(heartbeat)
  }
  const [failure] = [...sending.failures, ...reads.failures]
  if (failure !== undefined) throw failure
  const { next_slot_at, next_lease_end } = seen ?? (await lookAhead(pool, clock()))
  return { claims, offered, expired, next_slot_at, next_lease_end }
}

type Ways = {
  mail: MailProvider
  opener: Opener
  find: FindSent | undefined
  gate: Gate
  carry: Carry
  /** Copies for the Sent folder of mails that have left but are not recorded yet, by action id. */
  copies: Map<string, SentCopy>
  social: ReturnType<typeof createSocialOffers>
}
type Window = ReturnType<typeof createWindow>

/** Mails started per turn of the event loop. Starting a whole claim at once blocks the process for 100 ms. */
const BEGUN_IN_A_TURN = 4

/**
 * Offers actions concurrently and has their outcomes written in groups. A task never rejects: failures are collected, so that one
 * does not abort the others, and the actions whose outcomes were not written stay in `unrecorded`.
 */
function sender(send: Ways, window: Window, write: (batch: Result[]) => Promise<unknown>) {
  const underway = createUnderway()
  const unrecorded = new Set<string>()
  const failures: unknown[] = []
  const results = createCollector(write)
  const takeCopy = (actionId: string): SentCopy | null => {
    const copy = send.copies.get(actionId) ?? null
    send.copies.delete(actionId)
    return copy
  }
  const begin = async (actions: Claimed[], campaign_id: string, mayLeave: MayLeave) => {
    for (const { action_id } of actions) unrecorded.add(action_id)
    await inTurns(actions, { most: BEGUN_IN_A_TURN }, (action) => {
      const { action_id } = action
      window.opened(action.sender_id)
      underway.add(
        ('account' in action
          ? send.social(action, mayLeave)
          : send.gate(action, () => offer({ ...send, mayLeave }, action))
        )
          .then((outcome) => results.add({ action_id, campaign_id, outcome, copy: takeCopy(action_id) }))
          .then(
            () => {
              unrecorded.delete(action_id)
              window.finished()
            },
            (error: unknown) => void failures.push(error),
          ),
      )
    })
  }
  return { begin, underway, unrecorded, failures }
}

type Asked = {
  wide: boolean
  fresh: boolean
  except: string[]
  /** The result of a look that was just made, if any. */
  first: Look | null
}

/** Claims if a look finds something due. A claim whose plan is outdated by the time it is written is rolled back and made again. */
async function claimDue(
  pool: Pool,
  worker: string,
  now: Date,
  room: number,
  { wide, fresh, except, first }: Asked,
): Promise<{ look: Look; claim: Claim | null }> {
  for (let tries = 0; ; tries++) {
    const look = (tries === 0 && first) || (await lookAhead(pool, now, except))
    if (look.has_wakes) await wakeWaiting(pool, now)
    else if (look.due === 0) return { look, claim: null }
    try {
      return { look, claim: await claimDueCampaign(pool, worker, now, room, { wide, fresh, except }) }
    } catch (error) {
      if (!(error instanceof PlanOutdated) || tries >= 5) throw error
    }
  }
}

async function offer(ways: Offering, action: Composed): Promise<Outcome> {
  const { mail } = action
  if (!mail)
    return {
      outcome: 'refused_for_good',
      response: action.problem ?? 'No message could be made.',
      blames: 'message',
    }
  const message = { ...mail, return_path: returnPath(action) }
  return ways.carry(action.attached, async (attachments) => {
    const whole = attachments.length > 0 ? { ...message, attachments } : message
    const outcome = await offerMail(ways, action, whole)
    // An uncertain mail must not appear in the Sent folder.
    const copy = outcome.outcome === 'accepted' ? sentCopy(action.mailbox, whole) : null
    if (copy) ways.copies.set(action.action_id, copy)
    return outcome
  })
}

type Offering = Pick<Ways, 'mail' | 'opener' | 'find' | 'carry' | 'copies'> & { mayLeave: MayLeave }

async function offerMail(
  { mail, opener, find, mayLeave }: Offering,
  action: Composed,
  message: OutgoingMail,
): Promise<Outcome> {
  const sent = await sendFrom(mail, opener, action.mailbox, message, mayLeave)
  const copied = sent.outcome === 'unknown' ? await find?.(action.mailbox.mailbox_id, toMark(message)) : null
  if (!copied) return toOutcome(sent)
  const server_message_id = copied.message_id === message.message_id ? null : copied.message_id
  return { outcome: 'accepted', response: IN_SENT, server_message_id, sender_worked: true }
}

/** The action's own bounce address, if the sender's domain has a bounce host. */
function returnPath({ action_id, mailbox }: Composed): string | null {
  return mailbox.bounce_host ? bounceAddress(action_id, mailbox.bounce_host, keyFor('bounce')) : null
}
