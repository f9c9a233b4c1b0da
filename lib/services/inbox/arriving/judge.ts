import type { Pool } from 'pg'
import { classify, type Reading } from '#lib/domain/inbox/classify'
import type { InboundMailbox } from '#lib/services/inbox/arrived-mail'
import type { Judged, Opened } from '#lib/services/inbox/keep-mail'
import { matchBounced, matchInbound, matchOwn, matchWriters } from '#lib/services/inbox/match'
import { ownAddresses } from '#lib/services/inbox/sent/match-written'
import { findDropboxes, isAboutCopies } from '#lib/services/inbox/written/about-copies'

type Found = Judged['matched']

/** Classifies mails and finds which of our messages they refer to. */
export async function judge(
  pool: Pool,
  mailbox: InboundMailbox,
  opened: readonly Opened[],
): Promise<Judged[]> {
  const mails = opened.map(({ arrived, read }) => ({ ...read, arrived, reading: withoutVague(read) }))
  const copied = await matchOwn(
    pool,
    mailbox.workspace_id,
    mails.map(({ mail }) => mail.message_id),
  )
  const named = await matchOthers(pool, mailbox, mails, copied)
  const dropboxes = await findDropboxes(
    pool,
    mailbox.workspace_id,
    named.map((found) => found?.lead ?? null),
  )
  const own = await ownAddresses(pool, mailbox)
  const judged: Omit<Judged, 'writer'>[] = []
  for (const [index, { arrived, mail, reading, unreadable }] of mails.entries()) {
    const about = named[index] ?? null
    const from = { from: mail.from?.address ?? '', dropbox: dropboxes[index] ?? null }
    const isOthers = about?.lead && (await isAboutCopies(pool, about.lead, reading, from))
    const matched = isOthers ? null : about
    const wrote_it = Boolean(copied[index])
    const { kind, evidence } = classify(mail, reading, matched?.match ?? null, { ...own, wrote_it })
    const why = unreadable ? [{ rule: 'could_not_be_read', found: unreadable }] : []
    const isOwn = from.from === matched?.match.email.toLowerCase()
    const own_reading = isOwn ? reading : withoutDeparture(reading)
    const said = { mailbox, arrived, mail, reading: own_reading, unreadable }
    judged.push({ ...said, matched, kind, evidence: [...evidence, ...why] })
  }
  const writers = await matchWriters(
    pool,
    mailbox,
    judged.map(({ arrived, kind, matched, ...mail }) => ({
      ...mail,
      received_at: arrived.received_at,
      matched: SAID_BY_PEOPLE.has(kind) ? matched : null,
    })),
  )
  return judged.map((one, index) => ({ ...one, writer: writers[index] ?? null }))
}

const SAID_BY_PEOPLE: ReadonlySet<Judged['kind']> = new Set(['reply', 'unsubscribe'])

/** A report of which only the header could be read says too little to act on. */
function withoutVague({ reading, unreadable }: Opened['read']): Reading {
  const isVague = unreadable !== null && (reading.form === 'bounce' || reading.form === 'complaint')
  return isVague ? { ...reading, form: 'not_for_us', bounce: null } : reading
}

/**
 * Only a person's own mailbox can say that they have left: mail to a whole team is answered on behalf of each
 * recipient.
 */
const withoutDeparture = (reading: Reading): Reading =>
  reading.form === 'automatic' ? { ...reading, intent: null } : reading

type Mail = Pick<Judged, 'arrived' | 'mail' | 'reading'>

/** A mail to a bounce address refers to the action in that address, and a copy of our own mail to itself. */
async function matchOthers(
  pool: Pool,
  mailbox: InboundMailbox,
  mails: readonly Mail[],
  copied: readonly Found[],
): Promise<Found[]> {
  const bounced = await Promise.all(
    mails.map(({ arrived, reading }) =>
      arrived.bounced_action_id ? matchBounced(pool, arrived.bounced_action_id, reading) : null,
    ),
  )
  const isOpen = (index: number) => !mails[index]?.arrived.bounced_action_id && !copied[index]
  const open = mails.flatMap((mail, index) => (isOpen(index) ? [{ mail, index }] : []))
  const others = await matchInbound(
    pool,
    mailbox,
    open.map(({ mail: { arrived, ...mail } }) => ({ ...mail, received_at: arrived.received_at })),
  )
  const matched = new Map(open.map(({ index }, place) => [index, others[place] ?? null]))
  return mails.map(({ arrived }, index) =>
    arrived.bounced_action_id ? (bounced[index] ?? null) : (copied[index] ?? matched.get(index) ?? null),
  )
}
