import type { Entry } from '#tests/support/drill/ledger'
import type { Taken } from '#tests/support/drill/sink'

/** One kill: what was killed and when, what was in flight then, and how long until it was back. */
export type Felled = { victim: string; at: Date; back_ms: number; underway: string[] }

type Evidence = {
  leads: number
  steps: number
  felled: Felled[]
  completedMs: number
  taken: Taken[]
  entries: Entry[]
  statuses: [string, number][]
}

/** Kills that leave every worker alive: whoever is sending can still record the outcome. */
const SURVIVED = new Set(['engine', 'database', 'web machine'])

const keyOf = (lead: string, step: number) => `${lead} ${step}`

/** Compares what the mail server took with what the ledger says, and the uncertain actions with what was in flight. */
export function judge({ leads, steps, felled, completedMs, taken, entries, statuses }: Evidence) {
  const seen = new Set<string>()
  const offered = taken.map(({ to, step }) => keyOf(to, step))
  const ledger = new Map(entries.map((entry) => [keyOf(entry.lead, entry.step), entry]))
  const received = new Set(offered)
  const wanted = Array.from({ length: leads }, (_, i) => `lead-${i}@example.com`).flatMap((lead) =>
    Array.from({ length: steps }, (_, i) => keyOf(lead, i + 1)),
  )
  const of = (status: string) => entries.filter((entry) => entry.status === status)
  const wasUnderway = new Set(
    felled.filter((kill) => !SURVIVED.has(kill.victim)).flatMap((kill) => kill.underway),
  )
  const uncertain = of('uncertain')
  return {
    kills: felled.length,
    statuses: Object.fromEntries(statuses),
    sent: of('sent').length,
    uncertain: uncertain.length,
    /** Uncertain actions whose message the server had taken. */
    uncertain_taken: uncertain.filter((entry) => received.has(keyOf(entry.lead, entry.step))).length,
    /** Actions that were in flight when a worker died; one that was in flight at several kills counts once. */
    underway_at_kills: wasUnderway.size,
    /** Leads that got a step more than once. */
    duplicates: offered.filter((key) => seen.size === seen.add(key).size),
    /** Neither sent nor uncertain in the ledger. */
    lost: wanted.filter((key) => !['sent', 'uncertain'].includes(ledger.get(key)?.status ?? 'missing')),
    /** Sent according to the ledger, but the server never saw the message. */
    not_received: of('sent')
      .map((entry) => keyOf(entry.lead, entry.step))
      .filter((key) => !received.has(key)),
    /** Messages that the server took and that the ledger does not hold as sent or uncertain under the same Message-ID. */
    unknown: taken.filter(
      (message) => ledger.get(keyOf(message.to, message.step))?.message_id !== message.message_id,
    ),
    /** Uncertain, although no worker died while the action was in flight. */
    needlessly_uncertain: uncertain.filter((entry) => !wasUnderway.has(entry.action_id)).length,
    recoveries_ms: felled.map((kill) => recovery(kill, taken, ledger)),
    backs_ms: felled.map((kill) => kill.back_ms),
    completed_ms: completedMs,
    /** From the first message that the server took to the last. */
    sending_ms: Date.parse(taken.at(-1)?.at ?? '') - Date.parse(taken[0]?.at ?? ''),
  }
}

export type Verdict = ReturnType<typeof judge>

/** From a kill until the server took a message that was claimed after it; null where no more was to be sent. */
function recovery(kill: Felled, taken: Taken[], ledger: Map<string, Entry>): number | null {
  const after = taken.find((message) => {
    const entry = ledger.get(keyOf(message.to, message.step))
    return entry && entry.performed_at > kill.at && new Date(message.at) > kill.at
  })
  return after ? new Date(after.at).getTime() - kill.at.getTime() : null
}

/** Nobody got a step twice, no lead was lost, and every uncertain action is explained by a kill. */
export function isFlawless(verdict: Verdict): boolean {
  const { kills, duplicates, lost, not_received, unknown, needlessly_uncertain, completed_ms } = verdict
  const faults = [...duplicates, ...lost, ...not_received, ...unknown]
  return faults.length === 0 && needlessly_uncertain === 0 && (kills === 0 || completed_ms <= 60_000)
}
