import { foldText } from '#lib/domain/inbox/absence/return-date'
import type { WrittenAnswer } from '#lib/domain/inbox/inbound-mail'
import { I_LEFT } from '#lib/domain/inbox/intent/departure-words'
import * as wishes from '#lib/domain/inbox/intent/everyday-wishes'
import * as everyday from '#lib/domain/inbox/intent/everyday-words'
import { handover } from '#lib/domain/inbox/intent/handover'
import * as words from '#lib/domain/inbox/intent/intent-words'
import type { Intent, ReadIntent } from '#lib/domain/inbox/intent/intents'
import { laterDay } from '#lib/domain/inbox/intent/later-day'
import { readReferral } from '#lib/domain/inbox/intent/referral'
import * as company from '#lib/domain/inbox/intent/sentence-words'
import { withoutSignature } from '#lib/domain/inbox/intent/signature'
import { wholeAnswer } from '#lib/domain/inbox/intent/whole-answer'
import { wishIn } from '#lib/domain/inbox/intent/wish-context'
import { pairedIntent } from '#lib/domain/inbox/intent/word-pairs'
import { phrases } from '#lib/domain/inbox/phrases'

/** People say what they want at the beginning. */
const MAX_CHARS = 4_000
const MAX_EVIDENCE = 300
/** A day further than this many characters from "later" does not belong to it. */
const NEAR = 120
/** Somebody who postpones a talk by less than this wants to talk. */
const SOON_MS = 21 * 86_400_000
const MAX_MASKED = 20

const STOP = phrases(`${words.STOP}|${everyday.STOP}`)
const REFUSAL = phrases(`${words.REFUSAL}|${everyday.REFUSAL}`)
const WRONG_PERSON = phrases(`${words.WRONG_PERSON}|${everyday.WRONG_PERSON}|${I_LEFT}`)
const LATER = phrases(`${words.LATER}|${wishes.LATER}`)
const MEETING = phrases(`${words.MEETING}|${wishes.MEETING}`)
const INTEREST = phrases(`${words.INTEREST}|${wishes.INTEREST}`)
const NEGATION = phrases(words.NEGATION)
const HARMLESS = phrases(words.HARMLESS)
const ASKING = phrases(words.ASKING)
const OTHERS = phrases(wishes.OTHERS)
const DESK = phrases(wishes.DESK)
const SELLS = phrases(company.SELLS)
const WHY = phrases(company.WHY)
const MERELY_UNREAD = phrases(wishes.MERELY_UNREAD)

type Place = { from: number; to: number }
type Folded = { text: string; unmasked: string; plain: string; places: number[]; clauses: Place[] }

/**
 * The intent of a person's reply according to its words; null if they show none. Quotes and the signature are
 * ignored, and a negation overrides everything else: "not interested" is no interest, in whichever clause.
 * `saidAt` determines which March is meant.
 */
export function readIntent(mail: WrittenAnswer, saidAt: number): ReadIntent | null {
  const folded = foldAnswer(withoutSignature(mail.new_text.slice(0, MAX_CHARS)))
  const said = (intent: Intent, place: Place): ReadIntent => ({
    intent,
    evidence: quote(folded, place),
    until: null,
    referral: null,
  })
  const stop = wishIn(STOP, folded.plain)
  if (stop) return said('stop', stop)
  if (DESK.placeIn(folded.plain)) return null
  const wrong = WRONG_PERSON.placeIn(folded.plain)
  const own = { ...mail, new_text: folded.text }
  const referred = readReferral(own, folded, wrong !== null) ?? handover(own, folded)
  if (referred) return { ...said('referral', referred.place), referral: referred.person }
  if (wrong) return said('wrong_person', wrong)
  const timed = readTiming(folded, saidAt, said)
  if (timed) return timed
  const whole = wholeAnswer(folded.unmasked) ?? pairedIntent(folded.plain, saidAt)
  if (!whole) return null
  const until = whole.intent === 'later' ? laterDay(folded.plain.slice(whole.from, whole.to), saidAt) : null
  return { ...said(whole.intent, whole), until }
}

type Said = (intent: Intent, place: Place) => ReadIntent

/**
 * "Later" wins over a refusal if a day is named: a person who says when to write again wants to be contacted.
 */
function readTiming(folded: Folded, saidAt: number, said: Said): ReadIntent | null {
  const later = datedPlace(folded, saidAt) ?? putOffPlace(folded)
  const until = later && dayNear(folded, later, saidAt)
  const refusal = REFUSAL.placeIn(folded.plain) ?? disinterest(folded)
  const meeting = affirmed(folded, MEETING)
  const isSoon = until !== null && Date.parse(until) - saidAt < SOON_MS
  if (later && !(meeting && isSoon) && (until !== null || !refusal)) return { ...said('later', later), until }
  if (refusal) return said('not_interested', refusal)
  if (meeting) return said('meeting', meeting)
  const interest = affirmed(folded, INTEREST)
  return interest && said('interested', interest)
}

/** Prefers words that ask for later and name a day to words that only decline for now. */
function datedPlace({ plain, clauses }: Folded, saidAt: number): Place | null {
  for (const { from, to } of clauses) {
    const clause = plain.slice(from, to)
    const place = LATER.placeIn(clause)
    if (place && laterDay(clause, saidAt)) return { from: from + place.from, to: from + place.to }
  }
  return null
}

/** "Not yet" means "later", except that the writer has not yet read the mail. */
function putOffPlace({ plain, clauses }: Folded): Place | null {
  const place = LATER.placeIn(plain)
  const clause = place && clauses.find(({ from, to }) => from <= place.from && to > place.from)
  return clause && MERELY_UNREAD.placeIn(plain.slice(clause.from, clause.to)) ? null : place
}

function dayNear({ plain }: Folded, { from, to }: Place, saidAt: number): string | null {
  const start = Math.max(0, from - NEAR)
  return laterDay(plain.slice(from, to + NEAR), saidAt) ?? laterDay(plain.slice(start, to), saidAt)
}

function foldAnswer(answer: string): Folded {
  const text = unwrapped(answer)
  const { text: plain, places } = foldText(text)
  return { text, unmasked: plain, plain: masked(plain), places, clauses: splitClauses(plain) }
}

/** Joins lines that a mail program broke. Keeps the length, so that positions stay valid for quoting. */
function unwrapped(text: string): string {
  let line = 0
  return Array.from(text, (char) => {
    if (char !== '\n') {
      line++
      return char
    }
    const isBroken = line >= 50
    line = 0
    return isBroken ? ' ' : char
  }).join('')
}

/** Replaces "why not" and similar phrases by spaces. */
function masked(plain: string): string {
  let text = plain
  for (let count = 0; count < MAX_MASKED; count++) {
    const place = HARMLESS.placeIn(text)
    if (!place) break
    text = text.slice(0, place.from) + ' '.repeat(place.to - place.from) + text.slice(place.to)
  }
  return text
}

const BUT = / (but|however|aber|jedoch|mais|pero|sin embargo|ma|maar|mas|men|ale) /g

function splitClauses(plain: string): Place[] {
  const ends = [...plain.matchAll(/[.!?;,:\n—]/g), ...plain.matchAll(BUT)].map(({ index }) => index)
  const bounds = [-1, ...ends.sort((a, b) => a - b), plain.length]
  return bounds.slice(1).map((to, at) => ({ from: (bounds[at] ?? -1) + 1, to }))
}

/** The first clause with one of the phrases, with or without a negation as asked. */
function clauseWith(
  { plain, clauses }: Folded,
  asked: ReturnType<typeof phrases>,
  isNegated: boolean,
): Place | null {
  for (const clause of clauses) {
    const text = plain.slice(clause.from, clause.to)
    const place = asked.placeIn(text)
    if (!place || ASKING.placeIn(text) || OTHERS.placeIn(text) || WHY.placeIn(text)) continue
    if ((NEGATION.placeIn(text) !== null) === isNegated)
      return { from: clause.from + place.from, to: clause.from + place.to }
  }
  return null
}

/** A reply that sells something shows no interest. */
const affirmed = (folded: Folded, asked: ReturnType<typeof phrases>) =>
  SELLS.placeIn(folded.plain) ? null : clauseWith(folded, asked, false)

/** Only a negated word of interest is a refusal; "cannot send it" refuses nothing. */
function disinterest(folded: Folded): Place | null {
  const place = clauseWith(folded, INTEREST, true)
  return place && /inter|intress/.test(folded.plain.slice(place.from, place.to)) ? place : null
}

/** The clause around a position, exactly as in the reply. */
function quote({ text, places, clauses }: Folded, place: Place): string {
  const around = clauses.filter(({ from, to }) => to > place.from && from < place.to)
  const from = Math.min(place.from, around[0]?.from ?? place.from)
  const to = Math.max(place.to, around.at(-1)?.to ?? place.to)
  const whole = text.slice(places[from] ?? 0, places[to] ?? text.length).trim()
  if (whole.length <= MAX_EVIDENCE) return whole
  return text
    .slice(places[place.from] ?? 0, places[place.to] ?? text.length)
    .slice(0, MAX_EVIDENCE)
    .trim()
}
