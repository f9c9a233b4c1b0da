import { OTHERS } from '#lib/domain/inbox/intent/everyday-wishes'
import { ASKING, NEGATION } from '#lib/domain/inbox/intent/intent-words'
import type { Intent } from '#lib/domain/inbox/intent/intents'
import { laterDay } from '#lib/domain/inbox/intent/later-day'
import * as words from '#lib/domain/inbox/intent/pair-words'
import * as company from '#lib/domain/inbox/intent/sentence-words'
import { sentences } from '#lib/domain/inbox/intent/sentences'
import { phrases } from '#lib/domain/inbox/phrases'

const DAY = phrases(words.DAY)
const TALK = phrases(words.TALK)
const OFFER = phrases(words.OFFER)
const DISTRUST = phrases(words.DISTRUST)
const CHANGE = phrases(words.CHANGE)
const FUTURE = phrases(words.FUTURE)
const AGAIN = phrases(words.AGAIN)
const NO = phrases(NEGATION)
const MAYBE = phrases(ASKING)
const ELSEWHERE = phrases(OTHERS)
const HOUR = phrases(words.HOUR)
const BUSY = phrases(words.BUSY)
const FITS = phrases(company.FITS)
const TAKEN = phrases(company.TAKEN)
const SELLS = phrases(company.SELLS)
const MAIL_ITSELF = phrases(company.MAIL_ITSELF)
const WORTH = phrases(company.WORTH)
const UNDECIDED = phrases(company.UNDECIDED)
const CONTENT = phrases(company.CONTENT)
const PRODUCT = phrases(company.PRODUCT)
const WISHES = phrases(company.WISHES)
const RATHER = phrases(company.RATHER)
const FEASTS = phrases(company.FEASTS)

/** In characters. A day and an hour mean a meeting only in a short sentence. */
const MAX_SLOT = 60
const MAX_RATHER = 90
const MAX_NO = 120
/** Only a day further ahead than this means "later". */
const FAR_MS = 21 * 86_400_000

export type PairedIntent = { intent: Intent; from: number; to: number }

/**
 * The intent shown by two words in one sentence, if no phrase of the reply shows one: a day and a call, a
 * negation and a change, a question about the price. Expects plain letters.
 */
export function pairedIntent(plain: string, saidAt: number): PairedIntent | null {
  const said = sentences(plain).map(({ from, to }) => {
    const intent = sentenceIntent(plain.slice(from, to), saidAt)
    return intent && { intent, from, to }
  })
  const telling = said.filter((one) => one !== null)
  return ORDER.map((intent) => telling.find((one) => one.intent === intent)).find(Boolean) ?? null
}

/** "Later" and refusals take precedence, as everywhere. */
const ORDER = ['later', 'not_interested', 'meeting', 'interested'] as const

function sentenceIntent(text: string, saidAt: number): (typeof ORDER)[number] | null {
  const has = (asked: typeof DAY) => asked.placeIn(text) !== null
  if (has(MAYBE) || has(ELSEWHERE)) return null
  if (isPutOff(has, text, saidAt)) return 'later'
  if (has(CONTENT)) return 'not_interested'
  const isQuestion = text.endsWith('?')
  if (has(NO)) return !isQuestion && isDeclined(has, text) ? 'not_interested' : null
  if (has(SELLS) || has(MAIL_ITSELF)) return null
  if (isSlot(has, text, isQuestion)) return 'meeting'
  if (isQuestion && (has(OFFER) || has(PRODUCT)) && !has(DISTRUST)) return 'interested'
  return has(WISHES) ? 'interested' : null
}

type Has = (asked: typeof DAY) => boolean

function isPutOff(has: Has, text: string, saidAt: number): boolean {
  const isToCome = has(FUTURE) || isFarOff(text, saidAt)
  if (isToCome && (has(AGAIN) || has(BUSY))) return true
  return (isToCome || has(FEASTS)) && has(RATHER) && text.length <= MAX_RATHER
}

const isDeclined = (has: Has, text: string) =>
  has(CHANGE) || (has(WORTH) && !has(UNDECIDED) && !has(MAIL_ITSELF) && text.length <= MAX_NO)

function isSlot(has: Has, text: string, isQuestion: boolean): boolean {
  if (!has(DAY) || has(TAKEN)) return false
  return has(FITS) || (has(HOUR) && text.length <= MAX_SLOT) || (isQuestion && has(TALK))
}

function isFarOff(text: string, saidAt: number): boolean {
  const day = laterDay(text, saidAt)
  return day !== null && Date.parse(day) - saidAt > FAR_MS
}
