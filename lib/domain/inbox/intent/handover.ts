import { findDeputy } from '#lib/domain/inbox/absence/absence'
import { MONTHS, plainLetter, WEEKDAYS } from '#lib/domain/inbox/absence/return-words'
import type { WrittenAnswer } from '#lib/domain/inbox/inbound-mail'
import * as words from '#lib/domain/inbox/intent/handover-words'
import type { Referral } from '#lib/domain/inbox/intent/referral'
import { sentences } from '#lib/domain/inbox/intent/sentences'
import { withoutGreeting } from '#lib/domain/inbox/intent/whole-answer'
import { phrases } from '#lib/domain/inbox/phrases'

const DECIDES = phrases(words.DECIDES)
const MYSELF = phrases(words.MYSELF)
const OWN_ADDRESS = phrases(words.OWN_ADDRESS)
const TITLE = phrases(words.TITLE)
const ROLE = phrases(words.ROLE)
const NO_NAME = new Set([...WEEKDAYS, ...MONTHS, words.NO_NAME.split(' ')].flat())
/** In longer replies an address proves nothing. */
const MAX_CHARS = 400

type Folded = { text: string; plain: string; places: number[] }

/**
 * The referral in a sentence that says who decides: a full name, a name with a title, or a colleague. Otherwise the address that a
 * short reply names.
 */
export function handover(mail: WrittenAnswer, folded: Folded): Referral | null {
  const { plain } = folded
  const begins = withoutGreeting(plain).from
  const named = findDeputy(mail)
  for (const { from, to } of sentences(plain)) {
    const place = { from: Math.max(from, begins), to }
    const said = plain.slice(place.from, to)
    if (!DECIDES.placeIn(said) || MYSELF.placeIn(said)) continue
    const name = personIn(folded, place, mail)
    if (name !== null || ROLE.placeIn(said)) return { place, person: { name, email: named?.email ?? null } }
  }
  if (!named || plain.length > MAX_CHARS || OWN_ADDRESS.placeIn(plain)) return null
  const at = Math.max(0, plain.indexOf(named.email))
  return { place: { from: at, to: at + named.email.length }, person: named }
}

/** A name: two capitalized words in a row, or one after a title. Ignores the names of the writer and the recipients. */
function personIn(
  { text, places }: Folded,
  { from, to }: Referral['place'],
  mail: WrittenAnswer,
): string | null {
  const known = new Set(
    [mail.from, ...mail.recipients].flatMap((person) => person?.name.split(/\s/).map(plainWord) ?? []),
  )
  const said = text.slice(places[from] ?? 0, places[to] ?? text.length)
  const parts = said.split(/[^\p{L}'’-]+/u).filter(Boolean)
  const isPart = (word = '') =>
    /^\p{Lu}\p{Ll}/u.test(word) && !NO_NAME.has(plainWord(word)) && !known.has(plainWord(word))
  for (const [index, word] of parts.entries()) {
    const next = parts[index + 1]
    if (TITLE.isWhole(plainWord(word)) && isPart(next))
      return [next, parts[index + 2]].filter(isPart).join(' ')
    if (isPart(word) && isPart(next) && !TITLE.isWhole(plainWord(next)) && !ROLE.isWhole(plainWord(word)))
      return `${word} ${next}`
  }
  return null
}

const plainWord = (word = '') => Array.from(word, plainLetter).join('')
