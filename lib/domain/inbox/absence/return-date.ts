import { type Cue, cueAt, speaksOfAbsence } from '#lib/domain/inbox/absence/day-cues'
import { parseMonth, tokenize } from '#lib/domain/inbox/absence/months'
import { plainLetter } from '#lib/domain/inbox/absence/return-words'
import { findDays } from '#lib/domain/inbox/absence/said-days'
import { findSpans } from '#lib/domain/inbox/absence/said-spans'

const DAY_MS = 86_400_000
/** Nobody says today when they will be back in more than a year; a date as far as that is no date of return. */
const MAX_DAYS = 366
/** A notice that was left on says a day that is over. */
const STALE_DAYS = 120
const MAX_CHARS = 3_000

export type ReturnDay = {
  /** YYYY-MM-DD, as it was said. */
  day: string
  /** Whether it is the last day away, or the first on which the person is there again. */
  says: 'until' | 'back'
  /** The sentence that says so. */
  said: string
}

/**
 * The day on which an absent person says to be back, or until when to be away: of several the last that a word such as
 * "until" or "back" belongs to. Numbers that could be read both ways (3/4) are taken for whichever comes first after the
 * mail. `sentAt` is the mail's own date, which says the year. Null where none is stated, or one that cannot be meant.
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
  // Of what is told beside an absence, such as a webinar, the days count only where it has none of its own.
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

/** Lower case and without accents, with where each character stood. */
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

/** The words around a place of the text, in one line. */
function sentence(text: string, place: number): string {
  const before = text.slice(Math.max(0, place - 160), place)
  const after = text.slice(place, place + 160)
  const starts = [...before.matchAll(/\p{L}{2}[.!?]\s|\n\s?\n/gu)].at(-1)
  const ends = after.matchAll(/[\p{L}\d)][.!?](?=\s|$)|\n\s?\n/gu)
  const end = [...ends].find(({ 0: sign, index }) => !isOfDate(sign, after.slice(index + sign.length)))
  const head = starts ? before.slice(starts.index + starts[0].length) : before
  return `${head}${end ? after.slice(0, end.index + 2) : after}`.replace(/\s+/g, ' ').trim()
}

/** The stop of "11.12. im Urlaub" or "30. November" ends nothing. */
function isOfDate(sign: string, after: string): boolean {
  const [word = ''] = /^\s+(\p{L}+)/u.exec(after)?.slice(1) ?? []
  const plain = foldText(word).text
  const month = parseMonth({ word: plain, number: null, from: 0, to: plain.length })
  return /^\d\.$/.test(sign) && (/^\p{Ll}/u.test(word) || month > 0)
}
