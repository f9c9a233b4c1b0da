import { type Cue, cueAt, speaksOfAbsence } from '#lib/domain/inbox/absence/day-cues'
import { parseMonth, tokenize } from '#lib/domain/inbox/absence/months'
import { plainLetter } from '#lib/domain/inbox/absence/return-words'
import { findDays } from '#lib/domain/inbox/absence/said-days'
import { findSpans } from '#lib/domain/inbox/absence/said-spans'

const DAY_MS = 86_400_000
/** A date more than this many days ahead is not a return date. */
const MAX_DAYS = 366
/** A notice that was left switched on may name a date this many days ago. */
const STALE_DAYS = 120
const MAX_CHARS = 3_000

export type ReturnDay = {
  /** YYYY-MM-DD as written. */
  day: string
  /** Whether this is the last day away or the first day back. */
  says: 'until' | 'back'
  /** The sentence that says so. */
  said: string
}

/**
 * The day on which an absent person says they are back, or until which they are away. If several days have a
 * word such as "until" or "back" beside them, the last one counts. Ambiguous numbers (3/4) mean whichever
 * date comes first after the mail. `sentAt` is the mail's own date and determines the year. Null if no day is
 * given, or one that cannot be meant.
 */
export function returnDay(text: string, sentAt: number): ReturnDay | null {
  const folded = foldText(text.slice(0, MAX_CHARS))
  const tokens = tokenize(folded.text)
  const days = findDays(tokens, folded.text, { sentAt, stale_days: STALE_DAYS }).flatMap((found) =>
    said(found.says ?? cueAt(folded.text, found), found.at, found.from),
  )
  const spans = findSpans(tokens, folded.text, sentAt).flatMap((span) => {
    const cue = cueAt(folded.text, span)
    return cue === null || cue === 'from' ? [] : said(cue, span.dayBy(cue), span.from)
  })
  const told = [...days, ...spans].filter(
    ({ at }) => at >= sentAt - DAY_MS && at <= sentAt + MAX_DAYS * DAY_MS,
  )
  // Days mentioned for other things, such as a webinar, count only if the absence itself has none.
  const own = told.filter(({ from }) => speaksOfAbsence(folded.text, from))
  const last = (own.length > 0 ? own : told).sort((a, b) => a.at - b.at || b.from - a.from).at(-1)
  if (!last) return null
  const day = new Date(last.at).toISOString().slice(0, 10)
  return { day, says: last.says, said: sentence(text, folded.places[last.from] ?? 0) }
}

function said(cue: Cue | null, at: number | null, from: number) {
  if (cue === null || cue === 'from' || at === null) return []
  return [{ at, from, says: cue === 'back' ? cue : ('until' as const) }]
}

/** The text in lower case without accents, with the original position of each character. */
export function foldText(text: string): { text: string; places: number[] } {
  let folded = ''
  const places: number[] = []
  let place = 0
  for (const char of text) {
    const plain = plainLetter(char)
    for (let unit = 0; unit < plain.length; unit++) places.push(place)
    folded += plain
    place += char.length
  }
  return { text: folded, places }
}

/** The words around a position, on one line. */
function sentence(text: string, place: number): string {
  const before = text.slice(Math.max(0, place - 160), place)
  const after = text.slice(place, place + 160)
  const starts = [...before.matchAll(/\p{L}{2}[.!?]\s|\n\s?\n/gu)].at(-1)
  const ends = after.matchAll(/[\p{L}\d)][.!?](?=\s|$)|\n\s?\n/gu)
  const end = [...ends].find(({ 0: sign, index }) => !isOfDate(sign, after.slice(index + sign.length)))
  const head = starts ? before.slice(starts.index + starts[0].length) : before
  return `${head}${end ? after.slice(0, end.index + 2) : after}`.replace(/\s+/g, ' ').trim()
}

/** The full stop in "11.12. im Urlaub" or "30. November" does not end a sentence. */
function isOfDate(sign: string, after: string): boolean {
  const [word = ''] = /^\s+(\p{L}+)/u.exec(after)?.slice(1) ?? []
  const plain = foldText(word).text
  const month = parseMonth({ word: plain, number: null, from: 0, to: plain.length })
  return /^\d\.$/.test(sign) && (/^\p{Ll}/u.test(word) || month > 0)
}
