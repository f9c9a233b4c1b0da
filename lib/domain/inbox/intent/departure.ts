import { readAbsence } from '#lib/domain/inbox/absence/absence'
import { foldText } from '#lib/domain/inbox/absence/return-date'
import type { InboundMail, WrittenAnswer } from '#lib/domain/inbox/inbound-mail'
import { I_LEFT, THEY_LEFT, UNREAD, WILL_ANSWER } from '#lib/domain/inbox/intent/departure-words'
import type { ReadIntent } from '#lib/domain/inbox/intent/intents'
import { readReferral } from '#lib/domain/inbox/intent/referral'
import { phrases } from '#lib/domain/inbox/phrases'

const MAX_CHARS = 3_000
const MAX_EVIDENCE = 300

const OWN = phrases(I_LEFT)
const OTHERS = phrases(THEY_LEFT)
const UNREAD_BOX = phrases(UNREAD)
const ANSWERED = phrases(WILL_ANSWER)

type Place = { from: number; to: number }

/**
 * What an automatic reply says about somebody who has left for good, or about an unread mailbox: whom to
 * contact instead if it names somebody, otherwise that this is the wrong person. Null if it says neither. A
 * person who is away while a colleague has left counts as away, and a helpdesk that will answer counts as
 * read.
 */
export function readDeparture(
  mail: Pick<InboundMail, 'subject'> & WrittenAnswer,
  sentAt: number,
): ReadIntent | null {
  const text = mail.new_text.slice(0, MAX_CHARS)
  const folded = foldText(text)
  const place = OWN.placeIn(folded.text) ?? placeOfOthers(mail, folded.text, sentAt)
  if (!place) return null
  const plain = { text, plain: folded.text, places: folded.places }
  const referral = readReferral({ ...mail, new_text: text }, plain, true)?.person ?? null
  const from = folded.places[place.from] ?? 0
  const to = folded.places[place.to] ?? text.length
  const evidence = sentenceAround(text, { from, to })
  return { intent: referral ? 'referral' : 'wrong_person', evidence, until: null, referral }
}

function placeOfOthers(
  mail: Pick<InboundMail, 'subject'> & WrittenAnswer,
  plain: string,
  sentAt: number,
): Place | null {
  const left = OTHERS.placeIn(plain)
  const place = left ?? UNREAD_BOX.placeIn(plain)
  if (!place || readAbsence(mail, sentAt)) return null
  return !left && ANSWERED.placeIn(plain) ? null : place
}

function sentenceAround(text: string, { from, to }: Place): string {
  const start = Math.max(...['.', '!', '?', '\n'].map((end) => text.lastIndexOf(end, from - 1))) + 1
  const ends = ['. ', '!', '?', '\n'].map((end) => text.indexOf(end, to)).filter((end) => end >= 0)
  const whole = text
    .slice(from === 0 ? 0 : start, Math.min(text.length, ...ends))
    .trim()
    .replace(/[.]$/, '')
  return (whole.length <= MAX_EVIDENCE ? whole : text.slice(from, to)).slice(0, MAX_EVIDENCE)
}
