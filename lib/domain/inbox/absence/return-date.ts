import { tokenize } from '#lib/domain/inbox/absence/months'
import { BACK, FILLERS, FROM, plainLetter, THERE, TO, UNTIL } from '#lib/domain/inbox/absence/return-words'
import { type FoundDay, findDays, weekdayIndex } from '#lib/domain/inbox/absence/said-days'

const DAY_MS = 86_400_000
/** Nobody says today when they will be back in more than a year; a date as far as that is no date of return. */
const MAX_DAYS = 366
/** A notice that was left on says a day that is over. */
const STALE_DAYS = 120
const MAX_CHARS = 3_000
/** Words further from a day than this say nothing of it. */
const NEAR = 44

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
  const days = findDays(tokens, folded.text, { sentAt, stale_days: STALE_DAYS })
    .filter(({ at }) => at >= sentAt - DAY_MS && at <= sentAt + MAX_DAYS * DAY_MS)
    .flatMap((found) => {
      const says = found.says ?? cueAt(folded.text, found)
      return says ? [{ ...found, says }] : []
    })
    .sort((a, b) => a.at - b.at || b.from - a.from)
  const last = days.at(-1)
  if (!last) return null
  const day = new Date(last.at).toISOString().slice(0, 10)
  return { day, says: last.says, said: sentence(text, folded.places[last.from] ?? 0) }
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

const begins = (stems: readonly string[], word: string) => stems.some((stem) => word.startsWith(stem))

/** What the words beside a day say of it; null where none does. */
function cueAt(text: string, { from, to }: FoundDay): ReturnDay['says'] | null {
  const before = sameSentence(text.slice(Math.max(0, from - NEAR), from).replaceAll('t/m', 'tm '), 'end')
  const after = sameSentence(text.slice(to, to + NEAR), 'start')
  if (/[\d\p{L}.]\s?[-–—]\s?$/u.test(before)) return 'until'
  if (/^\s?(まて|까지)/.test(after) || /^\.?\p{L}{0,3}'?\p{L}{0,3} (kadar|asti|saakka)/u.test(after))
    return 'until'
  if (/^(から|부터|以降)/.test(after)) return 'back'
  const words = tokenize(before)
  let isBeside = true
  for (const { word, number } of words.toReversed()) {
    if (begins(BACK, word)) return 'back'
    if (begins(UNTIL, word)) return 'until'
    if (FROM.includes(word) && number === null)
      return [...words, ...tokenize(after)].some((near) => begins(THERE, near.word)) ? 'back' : null
    if (isBeside && TO.includes(word)) return 'until'
    isBeside &&= FILLERS.includes(word) || weekdayIndex({ word, number, from, to }) >= 0
  }
  return tokenize(after).some(({ word }) => begins(BACK, word)) ? 'back' : null
}

/** Without what a full stop parts from it; the stop of an abbreviation or a number parts nothing. */
function sameSentence(text: string, side: 'start' | 'end'): string {
  const stops = [...text.matchAll(/\p{L}{2}[.!?]\s|\n\s?\n|。/gu)].filter(
    ({ index }) => !/(einschl|inkl|incl|inc|excl|bzw)$/.test(text.slice(0, index + 2)),
  )
  if (side === 'start') return stops[0] ? text.slice(0, stops[0].index + 2) : text
  const last = stops.at(-1)
  return last ? text.slice(last.index + last[0].length) : text
}

/** The words around a place of the text, in one line. */
function sentence(text: string, place: number): string {
  const before = text.slice(Math.max(0, place - 160), place)
  const after = text.slice(place, place + 160)
  const starts = [...before.matchAll(/\p{L}{2}[.!?]\s|\n\s?\n/gu)].at(-1)
  const end = /[\p{L}\d)][.!?](\s|$)|\n\s?\n/u.exec(after)
  const head = starts ? before.slice(starts.index + starts[0].length) : before
  return `${head}${end ? after.slice(0, end.index + 2) : after}`.replace(/\s+/g, ' ').trim()
}
