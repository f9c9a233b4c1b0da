import * as fs from 'node:fs'
import type { Random } from '#tests/support/drill/random'
import { createSmtpSink, type SmtpSink } from '#tests/support/servers/smtp'

/** One message as the drill's mail server took it, independent of the ledger. */
export type Taken = { to: string; step: number; message_id: string; at: string }

/** Marks in the campaign's texts by which the server can tell the steps without asking the ledger. */
export const MARKS = ['drill-first-step', 'drill-second-step']

/** Range of the delay before each answer, in milliseconds. */
export type Slow = { from: number; to: number }

/**
 * A mail server that is slow to answer. It writes a message to its journal before it answers, so a message whose
 * sender died before the answer arrived is known here and nowhere else.
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
    /** The server takes this many messages in total, and makes the others wait before it takes them. */
    allow(count: number) {
      most = count
      for (const go of waiting.splice(0)) go()
    },
    /** The delay from now on. */
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
