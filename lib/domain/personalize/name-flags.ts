import { type Flag, flag } from '#lib/domain/personalize/flag'
import { bare, plain, splitWords } from '#lib/domain/personalize/plain-words'
import { PLAIN_WORDS } from '#lib/domain/personalize/words'

/** Names in the text that occur in no source. */
export function nameFlags(text: string, sources: string): Flag[] {
  const known = new Set(splitWords(sources).flatMap((word) => [word, bare(word)]))
  const words = new Set<string>()
  const readable = text.replace(/https?:\/\/\S+|(?<!\S)\S+@\S+/g, ' ')
  for (const match of readable.matchAll(/\p{L}[\p{L}\p{M}\p{N}'’&]*/gu)) {
    const word = match[0]
    if (!/\p{Lu}/u.test(word)) continue
    const lower = bare(word)
    if (known.has(lower) || PLAIN_WORDS.has(plain(word)) || PLAIN_WORDS.has(lower)) continue
    // The first word of a sentence is always capitalized; there a name is recognized by capitals inside it, or by the next word.
    const starts = beginsSentence(readable, match.index)
    const after = /^\s+(\p{L}[\p{L}\p{M}'’]*)/u.exec(readable.slice(match.index + word.length))?.[1] ?? ''
    const named = /\p{Lu}/u.test(word.slice(1)) || /^\p{Lu}/u.test(after) || VERB_AFTER_NAME.test(after)
    if (!starts || named || /['’]s$/.test(word)) words.add(word)
  }
  return [...words].map((word) => flag('name_without_source', `“${word}” is not in the lead’s data.`))
}

/** Looks only at the blanks before a word and the character before them. */
function beginsSentence(text: string, at: number): boolean {
  let end = at
  while (end > 0 && /\s/.test(text.charAt(end - 1))) {
    end -= 1
    if (text[end] === '\n') return true
  }
  return end === 0 || '.!?:…"“(-'.includes(text.charAt(end - 1))
}

/** Verbs of a subject: “Globex announced”, whereas “Growing is hard” begins with an ordinary word. */
const VERB_AFTER_NAME =
  /^(?:announced|acquired|launched|raised|hired|opened|released|won|joined|recently|just|said|says|wrote|uses|used|and)$/i

const GREETING =
  /^\s*(?:hi|hello|hey|dear|good (?:morning|afternoon|evening)|greetings|hallo|liebe[rs]?|sehr geehrte[rs]?|guten tag|bonjour|cher|chère|hola|estimad[oa]|ciao|olá)[ ,]+([^ ,!\n:.–—-][^,!\n:.–—-]{0,59})[,!\n:.–—-]/iu
const NOBODY = new Set(
  'there all everyone team folks sir madam or and friend colleague colleagues again from zusammen herr frau mr mrs ms dr monsieur madame señor señora'.split(
    ' ',
  ),
)

/** The greeting must address the lead: by a name in the row, or the company's. */
export function greetingFlags(body: string, cells: Record<string, string>, owners: string): Flag[] {
  const greeted = GREETING.exec(body)?.[1]?.trim()
  if (!greeted) return []
  const names = Object.entries(cells).filter(([key]) => /name|salutation|company|title/.test(key))
  const known = new Set(names.flatMap(([, value]) => splitWords(value).map(bare)))
  // A greeting that the owner wrote without any field is the same for all leads, and is the owner's responsibility.
  if (plain(owners).includes(plain(`${GREETING.exec(body)?.[0] ?? ''}`))) return []
  const strange = splitWords(greeted).filter(
    (word) => !known.has(bare(word)) && !NOBODY.has(word) && !PLAIN_WORDS.has(word),
  )
  return strange.length > 0
    ? [flag('wrong_greeting', `The greeting names “${greeted}”, which is not this lead’s name.`)]
    : []
}
