import * as fs from 'node:fs'
import type { Random } from '#tests/support/drill/random'
import { createSmtpSink, type SmtpSink } from '#tests/support/servers/smtp'

/** One message as the drill's mail server took it: its own word, not that of the ledger. */
export type Taken = { to: string; step: number; message_id: string; at: string }

/** Marks that the texts of the campaign carry, so that the server can tell the steps without asking the ledger. */
export const MARKS = ['drill-first-step', 'drill-second-step']

/** Of the time before each answer, in milliseconds. */
export type Slow = { from: number; to: number }

/**
 * A mail server that is slow to answer. A message is in its journal before the answer leaves, so one that was taken and
 * whose sender died before the answer is known here and nowhere else.
 */
export async function drillSink(journal: string, random: Random, slow: Slow = { from: 150, to: 400 }) {
  let most = Number.POSITIVE_INFINITY
  const waiting: (() => void)[] = []
  const allowed = async () => {
    while (sink.messages.length >= most) await new Promise<void>((resolve) => waiting.push(resolve))
  }
  const sink: SmtpSink = await createSmtpSink({
    beforeMessage: allowed,
    play: (stage) =>
      stage === 'body'
        ? { reply: '250 2.0.0 Queued', delay_ms: random.between(slow.from, slow.to) }
        : undefined,
    onMessage: ({ to, raw }) => {
      const taken: Taken = {
        to: to.join(),
        step: MARKS.findIndex((mark) => raw.includes(mark)) + 1,
        message_id: /^message-id:\s*(<[^>]+>)/im.exec(raw)?.[1] ?? '',
        at: new Date().toISOString(),
      }
      fs.appendFileSync(journal, `${JSON.stringify(taken)}\n`)
    },
  })
  return {
    ...sink,
    taken: () => readJournal(journal),
    /** It takes so many messages altogether, and lets the others wait before it has taken them. */
    allow(count: number) {
      most = count
      for (const go of waiting.splice(0)) go()
    },
    /** How long it takes from now on. */
    pace: (now: Slow) => void Object.assign(slow, now),
  }
}

function readJournal(journal: string): Taken[] {
  if (!fs.existsSync(journal)) return []
  return fs
    .readFileSync(journal, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}
