import { ASKING, NEGATION } from '#lib/domain/inbox/intent/intent-words'
import type { Intent } from '#lib/domain/inbox/intent/intents'
import * as words from '#lib/domain/inbox/intent/pair-words'
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

/** A longer reply states its intent in its own words. */
const MAX_SENTENCES = 12
const MAX_CHARS = 300

export type PairedIntent = { intent: Intent; from: number; to: number }

/**
 * The intent shown by two words in one sentence, if no phrase of the reply shows one: a day and a call, a
 * negation and a change, a question about the price. Expects plain letters.
 */
export function pairedIntent(plain: string): PairedIntent | null {
  const said = sentences(plain).map(({ from, to }) => {
    const intent = sentenceIntent(plain.slice(from, to))
    return intent && { intent, from, to }
  })
  const telling = said.filter((one) => one !== null)
  return ORDER.map((intent) => telling.find((one) => one.intent === intent)).find(Boolean) ?? null
}

/** "Later" and refusals take precedence, as everywhere. */
const ORDER = ['later', 'not_interested', 'meeting', 'interested'] as const

function sentenceIntent(text: string): (typeof ORDER)[number] | null {
  const has = (asked: typeof DAY) => asked.placeIn(text) !== null
  if (has(MAYBE)) return null
  if (has(FUTURE) && has(AGAIN)) return 'later'
  if (has(NO)) return has(CHANGE) && !text.endsWith('?') ? 'not_interested' : null
  if (has(DAY) && has(TALK)) return 'meeting'
  return text.endsWith('?') && has(OFFER) && !has(DISTRUST) ? 'interested' : null
}

function sentences(plain: string): { from: number; to: number }[] {
  const ends = [...plain.matchAll(/[.!?](?=\s|$)|\n\n/g)].map(({ index }) => index + 1)
  const bounds = [0, ...ends, plain.length]
  return bounds
    .slice(1)
    .map((to, at) => ({ from: bounds[at] ?? 0, to }))
    .filter(({ from, to }) => to > from && to - from <= MAX_CHARS)
    .slice(0, MAX_SENTENCES)
}
