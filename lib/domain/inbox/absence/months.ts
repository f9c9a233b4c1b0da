import { MONTHS } from '#lib/domain/inbox/absence/return-words'

const DAY_MS = 86_400_000

export type Token = { word: string; number: number | null; from: number; to: number }

export function tokenize(text: string): Token[] {
  return [...text.matchAll(/\p{L}+|\d+/gu)].map(({ 0: word, index }) => ({
    word,
    number: /^\d{1,4}$/.test(word) ? Number(word) : null,
    from: index,
    to: index + word.length,
  }))
}

/** The month 1 to 12; 0 if the token is not a month. */
export function parseMonth(token: Token | undefined): number {
  if (!token || token.number !== null || token.word.length < 3 || token.word.length > 13) return 0
  let best = { month: 0, length: 0 }
  for (const [index, names] of MONTHS.entries())
    for (const name of names)
      if (token.word.startsWith(name) && name.length > best.length)
        best = { month: index + 1, length: name.length }
  return best.month
}

export function yearAt(tokens: Token[], index: number): number | null {
  const token = tokens[index]
  return token?.number != null && token.to - token.from === 4 ? token.number : null
}

export type Told = {
  sentAt: number
  /** A date without a year that was less than this many days ago means the past one, not next year's. */
  stale_days: number
}

/** Without a year: the next such date, or the one that was recently. Null for dates that do not exist. */
export function toInstant(year: number | null, month: number, date: number, told: Told): number | null {
  if (month < 1 || month > 12 || date < 1 || date > 31) return null
  const sentYear = new Date(told.sentAt).getUTCFullYear()
  const years = year === null ? [sentYear - 1, sentYear, sentYear + 1] : [year]
  const days = years
    .map((each) => Date.UTC(each, month - 1, date))
    .filter((at) => new Date(at).getUTCDate() === date)
  return days.find((at) => year !== null || at >= told.sentAt - told.stale_days * DAY_MS) ?? null
}

export type FoundDay = { from: number; to: number; at: number; says?: 'until' }

/** A position in a text from which dates are read. */
export type Reader = Told & { tokens: Token[]; text: string; index: number }

/** The month named after a day ("30. November", "5th of January", "30 de noviembre"), with its position. */
export function monthAfter({ tokens, index, text }: Pick<Reader, 'tokens' | 'index' | 'text'>) {
  let place = index + 1
  const number = tokens[index]
  const ending = tokens[place]
  if (number && ending && ending.from === number.to && /^(st|nd|rd|th|er|e|a)$/.test(ending.word)) place++
  if (tokens[place] && /^(of|de|di|d)$/.test(tokens[place]?.word ?? '')) place++
  const month = parseMonth(tokens[place])
  const token = tokens[place]
  const between = text.slice(number?.to, token?.from)
  if (!month || between.length > 8) return null
  // "30-Nov" names a month, but in "Nov 23-Dec 1" the month belongs to the next day.
  const isGlued = between === '-' && place === index + 1 && !parseMonth(tokens[index - 1])
  return isGlued || !/[-–—,]/.test(between) ? { month, place } : null
}
