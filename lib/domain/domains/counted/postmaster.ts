import { dateInWords } from '#lib/domain/calendar/day-words'
import { parseDay } from '#lib/domain/calendar/zoned-time'

/** What Gmail counted of a domain's mail on one day, as shares of 1; null where it had too little mail to say. */
export type PostmasterDay = {
  /** In UTC, as Google's dashboards count. */
  date: string
  /** Of what it delivered to inboxes, what people reported as spam. */
  spam: number | null
  /** What passed, of mail that is not forged. */
  spf: number | null
  dkim: number | null
  dmarc: number | null
  /** Of all mail that is not forged. */
  rejected: number | null
  deferred: number | null
  /** Rejected because of the reputation of the domain. */
  low_reputation: number | null
}

/** What Google asks of senders: below the first at all times, and never at the second. */
export const SPAM_HIGH = 0.001
export const SPAM_TOO_HIGH = 0.003
/** Days whose worst one counts: Google mitigates nothing before a week is good again. */
const DAYS = 7
const DAY_MS = 86_400_000

export const SPAM_LEVELS = ['fine', 'high', 'too_high'] as const
export type SpamVerdict = { level: (typeof SPAM_LEVELS)[number]; date: string; spam: number }

/** The worst of the last seven days that Gmail said something of; null where it said nothing of any. */
export function judgeSpam(
  days: readonly Pick<PostmasterDay, 'date' | 'spam'>[],
  now: number,
): SpamVerdict | null {
  const first = new Date(now - DAYS * DAY_MS).toISOString().slice(0, 10)
  let worst: SpamVerdict | null = null
  for (const { date, spam } of days) {
    if (spam === null || date < first || spam < (worst?.spam ?? 0)) continue
    const level = spam >= SPAM_TOO_HIGH ? 'too_high' : spam >= SPAM_HIGH ? 'high' : 'fine'
    worst = { level, date, spam }
  }
  return worst
}

/** "0.12 %". */
export const percent = (share: number): string =>
  share === 1 ? '100 %' : `${(100 * share).toFixed(share < 0.1 ? 2 : 1)} %`

/** What people read of a domain that is over one of Google's limits; null where it is not. */
export function spamInWords(domain: string, { level, date, spam }: SpamVerdict): string | null {
  if (level === 'fine') return null
  const counted = `Gmail users reported ${percent(spam)} of the mail from ${domain} on ${dateInWords(parseDay(date))} as spam`
  return level === 'too_high'
    ? `${counted}. From 0.3 %, Google limits or refuses a sender’s mail. Send less, and only to people who expect it, until it has been below 0.1 % for a week.`
    : `${counted}. Google asks for less than 0.1 %, and never 0.3 %.`
}
