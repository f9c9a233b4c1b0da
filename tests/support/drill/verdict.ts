import type { Entry } from '#tests/support/drill/ledger'
import type { Taken } from '#tests/support/drill/sink'

/** One kill: what died when, what was under way then, and when its successor was there. */
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

/** Deaths that no worker dies of: whoever is sending lives to say what became of it. */
const SURVIVED = new Set(['engine', 'database', 'web machine'])

const keyOf = (lead: string, step: number) => `${lead} ${step}`

/** Compares what the mail server took with what the ledger says, and the uncertain with what was under way. */
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
    /** Of the uncertain, those that the server had taken. */
    uncertain_taken: uncertain.filter((entry) => received.has(keyOf(entry.lead, entry.step))).length,
    /** Actions that were under way when a worker died; one that waited through several kills counts once. */
    underway_at_kills: wasUnderway.size,
    /** A lead that got a step more than once. */
    duplicates: offered.filter((key) => seen.size === seen.add(key).size),
    /** Neither sent nor uncertain in the ledger. */
    lost: wanted.filter((key) => !['sent', 'uncertain'].includes(ledger.get(key)?.status ?? 'missing')),
    /** The ledger says sent, the server never saw it. */
    not_received: of('sent')
      .map((entry) => keyOf(entry.lead, entry.step))
      .filter((key) => !received.has(key)),
    /** The server took what the ledger does not call sent or uncertain under the same Message-ID. */
    unknown: taken.filter(
      (message) => ledger.get(keyOf(message.to, message.step))?.message_id !== message.message_id,
    ),
    /** Uncertain, though no worker had died while it was under way. */
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

/** Nobody mailed twice, nobody lost, and nothing uncertain that no kill explains. */
export function isFlawless(verdict: Verdict): boolean {
  const { kills, duplicates, lost, not_received, unknown, needlessly_uncertain, completed_ms } = verdict
  const faults = [...duplicates, ...lost, ...not_received, ...unknown]
  return faults.length === 0 && needlessly_uncertain === 0 && (kills === 0 || completed_ms <= 60_000)
}
