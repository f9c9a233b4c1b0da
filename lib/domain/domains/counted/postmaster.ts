import { dateInWords } from '#lib/domain/calendar/day-words'
import { parseDay } from '#lib/domain/calendar/zoned-time'

/** Gmail's statistics of a domain's mail on one day, as shares of 1; null if there was too little mail. */
export type PostmasterDay = {
  /** In UTC, as in Google's dashboards. */
  date: string
  /** The share of mail delivered to inboxes that people reported as spam. */
  spam: number | null
  /** The share of mail that passed, not counting forged mail. */
  spf: number | null
  dkim: number | null
  dmarc: number | null
  /** The share of all mail that was rejected, not counting forged mail. */
  rejected: number | null
  deferred: number | null
  /** Rejected because of the domain's reputation. */
  low_reputation: number | null
}

/** Google's limits for senders: always stay below the first, and never reach the second. */
export const SPAM_HIGH = 0.001
export const SPAM_TOO_HIGH = 0.003
/** How many days count, by their worst one: Google grants no relief before a week is good again. */
const DAYS = 7
const DAY_MS = 86_400_000

export const SPAM_LEVELS = ['fine', 'high', 'too_high'] as const
export type SpamVerdict = { level: (typeof SPAM_LEVELS)[number]; date: string; spam: number }

/** The worst of the last seven days with data from Gmail; null if there is no such day. */
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

/** The warning about a domain that exceeds one of Google's limits; null if it does not. */
export function spamInWords(domain: string, { level, date, spam }: SpamVerdict): string | null {
  if (level === 'fine') return null
  const counted = `Gmail users reported ${percent(spam)} of the mail from ${domain} on ${dateInWords(parseDay(date))} as spam`
  return level === 'too_high'
    ? `${counted}. From 0.3 %, Google limits or refuses a sender’s mail. Send less, and only to people who expect it, until it has been below 0.1 % for a week.`
    : `${counted}. Google asks for less than 0.1 %, and never 0.3 %.`
}
