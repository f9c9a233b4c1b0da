import { findDeputy } from '#lib/domain/inbox/absence/absence'
import { MONTHS, plainLetter, WEEKDAYS } from '#lib/domain/inbox/absence/return-words'
import type { WrittenAnswer } from '#lib/domain/inbox/inbound-mail'
import { COLLEAGUE, REFERS } from '#lib/domain/inbox/intent/intent-words'
import { phrases } from '#lib/domain/inbox/phrases'

const REFERRING = phrases(REFERS)
const COLLEAGUES = phrases(COLLEAGUE)
/** Somebody who asks a colleague themselves refers nobody to them. */
const MYSELF = phrases(
  "(i|we)('ll| will| shall| need to| have to| should| am going to| must| can| could| would| want to)|let me|ich (werde|muss|will|mochte)|wir (werden|mussen|wollen)|(je|nous) (vais|allons|dois|devons)|(voy|vamos|tengo que)|(devo|dobbiamo)|(ik|we) (moet|ga|zal|gaan|moeten)|vou|vamos",
)
/** Phrases that follow the name, as in "Jane Doe is the right person". */
const SAID_BEHIND =
  /^(is|are|would|will|handles|looks|takes|deals|manages|owns|ist|est|sera|es|seria|e|sarebbe|ar|er) /
const TITLE =
  /^(mr|mrs|ms|dr|herr|herrn|frau|m|mme|mlle|monsieur|madame|sr|sra|senor|senora|sig|signor|signora|dhr|mevr|mevrouw|meneer|pan|pani|pana|panem|with|to|from|an|mit|a|con|con|z|do|med|till|til|the|der|die|den|dem|le|la|el|il)$/
const NO_NAME = new Set(
  [...WEEKDAYS, ...MONTHS].flat().concat('Q1 Q2 Q3 Q4 I It We He She They'.toLowerCase().split(' ')),
)
/** Particles of family names, in lower case. */
const PARTICLE = /^(de|der|den|van|von|zu|da|di|do|dos|del|della|la|le|ten|ter|af|av|bin|al|el)$/
const MAX_NAME = 80
const MOST = 20

type Place = { from: number; to: number }
type Folded = { text: string; plain: string; places: number[] }
export type Referral = { place: Place; person: { name: string | null; email: string | null } }

/** The person a reply refers to, with the position; null if it names nobody. */
export function readReferral(
  mail: WrittenAnswer,
  { text, plain, places }: Folded,
  isWrongPerson: boolean,
): Referral | null {
  const referring = referringIn(plain)
  const colleague = COLLEAGUES.placeIn(plain)
  const named = findDeputy(mail)
  if (named && (referring[0] || colleague || isWrongPerson)) {
    const [place] = referring
    const from = plain.indexOf(named.email)
    const shown = place ??
      colleague ?? { from: Math.max(0, from), to: Math.max(0, from) + named.email.length }
    const name = named.name ?? (place ? nameBeside(text, plain, places, place) : null)
    return { place: shown, person: { email: named.email, name } }
  }
  for (const place of referring) {
    if (MYSELF.placeIn(plain.slice(Math.max(0, place.from - 24), place.from))) continue
    const name = nameBeside(text, plain, places, place)
    const isColleague = colleague !== null && colleague.from >= place.from && colleague.from - place.to <= 3
    if (name !== null || isColleague) return { place, person: { email: null, name } }
  }
  return null
}

/** All referring phrases: a reply that thanks for an email says "email" before it says whom to email. */
function referringIn(plain: string): Place[] {
  const places: Place[] = []
  let rest = plain
  for (let count = 0; count < MOST; count++) {
    const place = REFERRING.placeIn(rest)
    if (!place) break
    const { from, to } = place
    if (!isMail(rest, place)) places.push(place)
    rest = rest.slice(0, from) + ' '.repeat(to - from) + rest.slice(to)
  }
  return places
}

/** "the email with the offer" and "no email from Jane" ask nobody to write an email. */
const isMail = (plain: string, { from, to }: Place) =>
  /mail$/.test(plain.slice(from, to)) && /^ (with|from|mit) /.test(plain.slice(to, to + 6))

function nameBeside(text: string, plain: string, places: number[], place: Place): string | null {
  const from = places[place.from] ?? 0
  if (SAID_BEHIND.test(`${plain.slice(place.from, place.to)} `)) {
    const words = text
      .slice(Math.max(0, from - MAX_NAME), from)
      .split(/[^\p{L}'’-]+/u)
      .filter(Boolean)
    const name: string[] = []
    while (name.length < 3 && isNamePart(words.at(-1))) name.unshift(words.pop() ?? '')
    return name.length >= 2 ? name.join(' ') : null
  }
  const after = text.slice(places[place.to] ?? text.length).slice(0, MAX_NAME)
  const colleague = COLLEAGUES.placeIn(plain.slice(place.to, place.to + MAX_NAME))
  const skipped = colleague && colleague.from <= 3 ? after.slice(colleague.to) : after
  const words = (skipped.split(/[.,;:!?\n(<]/u)[0] ?? '').split(/[^\p{L}'’-]+/u).filter(Boolean)
  while (TITLE.test(plainWord(words[0]))) words.shift()
  const name = nameAt(words)
  return name.length > 0 ? name.join(' ') : null
}

/** Jan is a month too, but not before "Peters"; particles such as "de" in "de Vries" belong to the name. */
function nameAt(words: string[]): string[] {
  const name: string[] = []
  for (const [index, word] of words.entries()) {
    const next = words.slice(index + 1).find((each) => !PARTICLE.test(each))
    const isFirst = index === 0 && /^\p{Lu}/u.test(word) && isNamePart(next)
    const isParticle = index > 0 && PARTICLE.test(word) && isNamePart(next)
    if (!(isNamePart(word) || isFirst || isParticle)) break
    name.push(word)
    if (name.filter((each) => !PARTICLE.test(each)).length === 3) break
  }
  return name
}

const plainWord = (word = '') => Array.from(word, plainLetter).join('')

const isNamePart = (word: string | undefined) =>
  word !== undefined && /^\p{Lu}/u.test(word) && word.length > 1 && !NO_NAME.has(plainWord(word))
