import { nextPoll } from '#lib/domain/inbox/poll-cadence'
import type { Bell } from '#lib/domain/sending/wake'
import type { Work } from '#tests/support/doubles/paper-engine'

const MINUTE_MS = 60_000
const GATHER_MS = MINUTE_MS
const DIGEST_MS = 15 * MINUTE_MS
const FRESH_MS = 5 * MINUTE_MS
const DAY_MS = 24 * 60 * MINUTE_MS

/** A slot of a campaign, the mailbox it sends from, and whether it is a follow-up. */
export type Slot = { at: number; mailbox: number; is_follow_up: boolean }

type Mailbox = { since: number | null; due: number | null; read_at: number; arrivals: number[] }

const first = (instants: (number | null)[]): number | null => {
  const known = instants.filter((at) => at !== null)
  return known.length > 0 ? Math.min(...known) : null
}

/**
 * How an instance works off what is due, by the rules of the domain layer: slots are claimed, mailboxes are read,
 * replies are sent in digests, a domain is checked daily. Records how late each was done, and what went wrong.
 */
export function paperInstance(
  slots: Slot[],
  mailboxes: number,
  from: number,
  answersAfter: (slot: Slot) => number | null,
) {
  const boxes = Array.from(
    { length: mailboxes },
    (): Mailbox => ({ since: null, due: from, read_at: 0, arrivals: [] }),
  )
  const notices: number[] = []
  const said = { sent: 0, read: 0, digests: 0, checks: 0, stale: 0, latest: 0, late_reads: 0 }
  let [slot, digest_at, domain_due] = [0, 0, from]
  const late = (due: number, now: number) => {
    said.latest = Math.max(said.latest, now - due)
  }

  function read(box: Mailbox, now: number) {
    const came = box.arrivals.filter((at) => at <= now)
    box.arrivals = box.arrivals.filter((at) => at > now)
    if (came.length > 0) box.since = now
    for (const _ of came) notices.push(now)
    box.read_at = now
    box.due = nextPoll({ since: box.since }, now)
    said.read += 1
  }
  function send(one: Slot, now: number) {
    const box = boxes[one.mailbox]
    if (!box) return
    late(one.at, now)
    // The mailbox is read in the same call, before the follow-up is sent.
    if (one.is_follow_up && now - box.read_at > FRESH_MS) read(box, now)
    if (one.is_follow_up && now - box.read_at > FRESH_MS) said.stale += 1
    box.since = now
    box.due = first([box.due, nextPoll({ since: now }, now)])
    const answer = answersAfter(one)
    if (answer !== null) box.arrivals.push(now + answer)
    said.sent += 1
  }

  const nobody: Work = { due: () => null, act: () => undefined }
  const works: Record<Bell, Work> = {
    dispatch: {
      due: () => slots[slot]?.at ?? null,
      act: (now) => {
        for (let one = slots[slot]; one && one.at <= now; one = slots[++slot]) send(one, now)
      },
    },
    inbox: {
      due: () => first(boxes.map(({ due }) => due)),
      act: (now) => {
        for (const box of boxes) {
          if (box.due === null || box.due > now) continue
          said.late_reads = Math.max(said.late_reads, box.read_at === 0 ? 0 : now - box.due)
          read(box, now)
        }
      },
      // The sweep reads every mailbox, due or not.
      sweep: (now) => {
        for (const box of boxes) read(box, now)
      },
    },
    notifications: {
      due: () => (notices[0] === undefined ? null : Math.max(notices[0] + GATHER_MS, digest_at + DIGEST_MS)),
      act: (now) => {
        const due = works.notifications.due()
        if (due === null || due > now) return
        late(due, now)
        notices.length = 0
        digest_at = now
        said.digests += 1
      },
    },
    chores: {
      due: () => domain_due,
      act: (now) => {
        if (domain_due > now) return
        domain_due = now + DAY_MS
        said.checks += 1
      },
    },
    accounts: nobody,
    webhooks: nobody,
    posts: nobody,
    intents: nobody,
    answers: nobody,
  }
  return { works, said }
}
