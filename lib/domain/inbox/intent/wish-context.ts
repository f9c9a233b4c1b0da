import type { Phrases } from '#lib/domain/inbox/phrases'

type Place = { from: number; to: number }

/** Words that cancel a request stand no further than this many characters before or after it. */
const NEAR = 60
const MOST = 20

/**
 * "Please don't stop writing", "I can't stop". But a complaint such as "you don't stop" is a request to stop.
 */
const UNDONE = /(^|[.!?,;:\n] ?|\b(please|but|and|so) )(do not|don't|dont|never) (ever )?$/
const UNABLE = /\b(i|we|they|he|she) (can't|cannot|can not|couldn't) $/
/** Something the writer does to others and would like to end. */
const OWN =
  /\b(want|wanted|need|needed|like|love|have|had|plan|planning|try|trying|tried|decided|going|able|wish|hope|prefer|tells? us|told us|asks? us|asked us|helps? us) to $/
const WRITER = /\b(we|i|they|us)\b/
const READER = /\byou(r|rs|rself)?\b/
const AT_WRITER = /^ ?(to )?(me|us|my|our)\b/
const OTHERS =
  /\b(they|who|people|users|customers|clients|leads|prospects|contacts|recipients|subscribers|suppliers|vendors) $/
/** "I have had no emails" is not "I want no emails". */
const HAD = /\b(is|are|were|was|have|has|had|got|received) $/
const HAD_NONE =
  /\b(habe|haben|hatte|hatten|kam|kamen|erhielt|erhielten|bekam|bekamen|gab|heb|hebben|kreeg|ontving)( ich| wir| es| hier| leider| bisher| noch| auch| ik| we| wij){0,3} $/
const UNASKED =
  /^[^.!?\n]{0,40}(bestell|abonn|angefordert|gewünscht|gewunscht|gewollt|zugestimmt|erlaubt|gevraagd)/
const RATE = /^ (rates?|flows?|handling|headers?)\b/
/** "take me off" is a request; "take me through it" and "take me out for lunch" are not. */
const AWAY = /^ (off|from|out of)\b/
const ELSEWHERE = /^ (for (lunch|dinner|drinks|coffee)|(the |a |all )?(black|block) ?lists?)\b/

/** The writer's own mail is marked as spam, a problem that the recipient's product may solve. */
const SPAM_LISTS = /^ (the |a |any |all |these |those )?spam[ -]?(lists?|filters?|folders?|databases?)\b/
const HELP =
  /\b(help|helps|helped|helping|how (do|can|could|would|to)|your (tool|product|service|software|platform|app))\b/

/** The first real request for no more mail. */
export function wishIn(wishes: Phrases, text: string): Place | null {
  let rest = text
  for (let count = 0; count < MOST; count++) {
    const place = wishes.placeIn(rest)
    if (!place || !isHarmless(text, place)) return place
    rest = rest.slice(0, place.from) + ' '.repeat(place.to - place.from) + rest.slice(place.to)
  }
  return null
}

function isHarmless(text: string, { from, to }: Place): boolean {
  const said = text.slice(from, to).toLowerCase()
  const before = text.slice(Math.max(0, from - NEAR), from).toLowerCase()
  const after = text.slice(to, to + NEAR).toLowerCase()
  if (/^(stop|quit|cease) /.test(said))
    return (
      UNDONE.test(before) || UNABLE.test(before) || (isOwnPractice(said, before) && !AT_WRITER.test(after))
    )
  if (/^(do not|don't|dont|never) /.test(said)) return OTHERS.test(before)
  if (said.startsWith('unsubscribe')) return RATE.test(after) || OTHERS.test(before)
  if (said.startsWith('no more ')) return HAD.test(before)
  if (
    /^(delete|erase|purge|remove) (all )?(of )?my (personal )?(data|details|info|record)/.test(said) &&
    asksForHelp(before)
  )
    return true
  if (/^take (me|us)$/.test(said) && !AWAY.test(after)) return true
  if (/^(remove|delete|take) /.test(said))
    return ELSEWHERE.test(after) || (SPAM_LISTS.test(after) && !READER.test(said) && asksForHelp(before))
  return /^(keine|geen|niet) /.test(said) && HAD_NONE.test(before) && !UNASKED.test(after)
}

/** "We would like to stop sending" is about the writer's own practice, not a request. */
function isOwnPractice(said: string, before: string): boolean {
  const clause = sentenceEnd(before)
  return /^\w+ \w+ing\b/.test(said) && OWN.test(clause) && WRITER.test(clause) && !READER.test(clause)
}

const asksForHelp = (before: string) => HELP.test(sentenceEnd(before))

const sentenceEnd = (before: string) => before.split(/[.!?;\n]/).at(-1) ?? ''
