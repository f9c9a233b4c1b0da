import { AWAY, foldLine } from '#lib/domain/inbox/absence/away-words'
import { type ReturnDay, returnDay } from '#lib/domain/inbox/absence/return-date'
import type { InboundMail, WrittenAnswer } from '#lib/domain/inbox/inbound-mail'

/** An automatic reply that says that the person is away. */
export type Absence = {
  /** YYYY-MM-DD: the last day away; null if no day was given. */
  last_day: string | null
  /** The sentence that says so. */
  said: string
  /** The deputy named in the notice. Shown to users, never contacted automatically. */
  deputy: { email: string; name: string | null } | null
}

const MAX_CHARS = 3_000
const MAX_SAID = 300

/** Words with which a helpdesk acknowledges receipt, which is no absence. */
const RECEIPT = [
  'ticket',
  'case #',
  'request #',
  'thank you for contacting',
  'received your',
  'have received',
]

/**
 * Null if an automatic reply reports no absence: a helpdesk receipt, a declined meeting, a sender challenge.
 */
export function readAbsence(
  mail: Pick<InboundMail, 'subject'> & WrittenAnswer,
  sentAt: number,
): Absence | null {
  const text = `${mail.subject}\n\n${mail.new_text.slice(0, MAX_CHARS)}`
  const plain = foldLine(text)
  const words = AWAY.find((phrase) => plain.includes(phrase))
  const day = returnDay(text, sentAt)
  if (!words && (!day || RECEIPT.some((phrase) => plain.includes(phrase)))) return null
  const said = day?.said ?? lineWith(text, words ?? '')
  return { last_day: day && lastDayAway(day), said: said.slice(0, MAX_SAID), deputy: findDeputy(mail) }
}

/** Somebody who is back on Monday is away until Sunday. */
export function lastDayAway({ day, says }: Pick<ReturnDay, 'day' | 'says'>): string {
  if (says === 'until') return day
  return new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10)
}

const lineWith = (text: string, words: string) =>
  (text.split('\n').find((line) => foldLine(line).includes(words)) ?? text.split('\n')[0] ?? '').trim()

/** The first address in the notice that belongs neither to the person nor to us, with the name before it. */
export function findDeputy(mail: WrittenAnswer): Absence['deputy'] {
  const text = mail.new_text.slice(0, MAX_CHARS)
  const known = new Set([mail.from?.address ?? '', ...mail.recipients.map(({ address }) => address)])
  for (let sign = text.indexOf('@'); sign >= 0; sign = text.indexOf('@', sign + 1)) {
    const local = /(?<![\w.+-])[\w.+-]*$/.exec(text.slice(Math.max(0, sign - 64), sign))?.[0] ?? ''
    const domain =
      /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,4}/i.exec(text.slice(sign + 1, sign + 255))?.[0] ?? ''
    const email = `${local}@${domain}`.toLowerCase()
    if (!/^[a-z0-9]/.test(email) || !domain || known.has(email) || /^(no-?reply|mailto)/.test(email)) continue
    return { email, name: nameBefore(text.slice(Math.max(0, sign - local.length - 60), sign - local.length)) }
  }
  return null
}

/** "my colleague Bob Smith (bob@…" */
function nameBefore(text: string): string | null {
  const words = text
    .replace(/[^\p{L}'’ .-]/gu, ' ')
    .split(/\s+/)
    .filter(Boolean)
  while (words.length > 0 && /^\p{Ll}/u.test(words.at(-1) ?? '') && (words.at(-1) ?? '').length <= 6)
    words.pop()
  const name: string[] = []
  while (name.length < 3 && /^\p{Lu}[\p{L}'’-]+$/u.test(words.at(-1) ?? '')) name.unshift(words.pop() ?? '')
  return name.length >= 2 ? name.join(' ') : null
}
