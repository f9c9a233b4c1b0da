import { AWAY, ON_IT } from '#lib/domain/inbox/absence/away-words'
import { parseMonth, tokenize } from '#lib/domain/inbox/absence/months'
import { weekdayIndex } from '#lib/domain/inbox/absence/relative-day'
import {
  BACK,
  FILLERS,
  FROM,
  THERE,
  TO,
  TODAY,
  TOMORROW,
  UNTIL,
  UNTIL_WHOLE,
} from '#lib/domain/inbox/absence/return-words'

/** Words further than this many characters from a day do not refer to it. */
const NEAR = 44

/** `away`: the person is away on that day. `from`: the absence starts then, which gives no end. */
export type Cue = 'until' | 'back' | 'away' | 'from'

type Place = { from: number; to: number }

const begins = (stems: readonly string[], word: string) => stems.some((stem) => word.startsWith(stem))

// For languages without spaces between words, and for phrases of several words.
const UNTIL_BEFORE = /(?:[\d.)）]|(?!ב)\p{L})\s?[-–—〜～~至到]\s?$|直到\s?$|\bden (het ngay|het|ngay) $/u
const UNTIL_AFTER =
  /^\s?(まて|까지|之?前|为?止|為?止|-?ig\b)|^\.?\p{L}{0,3}'?\p{L}{0,3} (tarihine )?(kadar|asti|saakka)/u
const BACK_BEFORE =
  /(di nuovo|буду (на работе|на месте|в офисе)|будет (на работе|на месте|в офисе)|tro lai( lam viec)?|\bweer)( [\p{L}.,]{1,12}){0,4} $/u
const BACK_AFTER =
  /^\s?weer\b|^['’]?\p{L}{0,3} (itibariyle |tarihinde )?ofiste(yim| olac)|^(より|から|以降|に|부터|에|起)?は?、?\s?(出社|出勤|復帰|戻|通常|業務を?再開|出근|출근|복귀|돌아|근무|返回|回来|回來|回到|上班|返岗|恢复)/u
const FROM_AFTER = /^(から|より|以降|부터|起)/

/** What the words around a day say about it; null if they say nothing. */
export function cueAt(text: string, { from, to }: Place): Cue | null {
  const near = text.slice(Math.max(0, from - NEAR), from)
  const before = sameSentence(near.replace(/t\/m|t\. ?o\. ?m\.?/g, 'tm ').replace('away from', 'away'), 'end')
  const after = sameSentence(text.slice(to, to + NEAR), 'start')
  if (UNTIL_BEFORE.test(before) || UNTIL_AFTER.test(after)) return 'until'
  if (BACK_AFTER.test(after) || BACK_BEFORE.test(before)) return 'back'
  if (FROM_AFTER.test(after)) return 'from'
  const words = tokenize(before)
  let isBeside = true
  for (const { word, number } of words.toReversed()) {
    if (begins(BACK, word)) return 'back'
    if (begins(UNTIL, word) || UNTIL_WHOLE.includes(word)) return 'until'
    if (FROM.includes(word) && number === null)
      return [...words, ...tokenize(after)].some((near) => begins(THERE, near.word)) ? 'back' : 'from'
    if (isBeside && TO.includes(word)) return 'until'
    isBeside &&= FILLERS.includes(word) || weekdayIndex({ word, number, from, to }) >= 0
  }
  if (tokenize(after).some(({ word }) => begins(BACK, word))) return 'back'
  return isAway(text, { from, to }) ? 'away' : null
}

/** "I am out of the office on Monday", "am 30. November bin ich nicht im Büro" */
function isAway(text: string, { from, to }: Place): boolean {
  const before = sameSentence(text.slice(Math.max(0, from - 2 * NEAR), from), 'end')
  const phrase = lastPhrase(before)
  if (phrase >= 0) return tokenize(before.slice(phrase)).every(isBetween)
  const after = sameSentence(text.slice(to, to + 2 * NEAR), 'start')
  const ends = AWAY.map((words) => after.indexOf(words)).filter((at) => at >= 0)
  return ends.length > 0 && tokenize(after.slice(0, Math.min(...ends))).every(isBetween)
}

const isBetween = (token: { word: string; number: number | null; from: number; to: number }) =>
  (token.number !== null && token.number <= 31) ||
  FILLERS.includes(token.word) ||
  ON_IT.includes(token.word) ||
  TODAY.includes(token.word) ||
  TOMORROW.includes(token.word) ||
  weekdayIndex(token) >= 0

/** The end of the last phrase for an absence in the text; -1 if there is none. */
const lastPhrase = (text: string) =>
  AWAY.reduce((end, words) => {
    const at = text.lastIndexOf(words)
    return at < 0 ? end : Math.max(end, at + words.length)
  }, -1)

/** Whether the sentence around a position is about being away or being back. */
export function speaksOfAbsence(text: string, place: number): boolean {
  const before = sameSentence(text.slice(Math.max(0, place - 4 * NEAR), place), 'end')
  const after = sameSentence(text.slice(place, place + 4 * NEAR), 'start')
  const sentence = afterNumber(before, 'end') + afterNumber(after, 'start')
  return (
    AWAY.some((words) => sentence.includes(words)) ||
    tokenize(sentence).some(({ word }) => begins(BACK, word))
  )
}

/** "Back on Dec 1. Join us": a full stop after a number ends a sentence unless a month follows. */
function afterNumber(text: string, side: 'start' | 'end'): string {
  const stops = [...text.matchAll(/\d[.!?]\s+(\p{L}+)/gu)].filter(
    ({ 1: word = '' }) => !parseMonth({ word, number: null, from: 0, to: word.length }),
  )
  if (side === 'start') return stops[0] ? text.slice(0, stops[0].index + 2) : text
  const last = stops.at(-1)
  return last ? text.slice(last.index + 2) : text
}

/** Only the part within the same sentence; the full stop of an abbreviation or a number does not end one. */
function sameSentence(text: string, side: 'start' | 'end'): string {
  const stops = [...text.matchAll(/\p{L}{2}[.!?]\s|\n\s?\n|。/gu)].filter(
    ({ index }) => !/(einschl|inkl|incl|inc|excl|bzw)$/.test(text.slice(0, index + 2)),
  )
  if (side === 'start') return stops[0] ? text.slice(0, stops[0].index + 2) : text
  const last = stops.at(-1)
  return last ? text.slice(last.index + last[0].length) : text
}
