import {
  BEGIN,
  BETWEEN_DASHES,
  FROM,
  ORIGINAL,
  SENT,
  VERB,
  VERB_LAST,
} from '#lib/domain/inbox/written/quote-words'

const MAX_READ = 32_768
/** Longest line that may introduce a quotation. */
const MAX_HEAD_LINE = 600
/** Most lines into which a mail program breaks such an introduction. */
const MOST_LINES = 3

const ON = /^(on|le|am|il|el|op|em|den)\b.{0,160}$/i
const WROTE_BELOW = /^.{0,120}(wrote|écrit|schrieb|ha scritto|escribió|schreef|escreveu|skrev)\s{0,5}:/i
const RULE = /^_{10,}$/
const SIGNATURE = /^-- ?$/
const DAY = /\d{4}|\d{1,2}[./-] ?\d{1,2}[./-]/
const TIME = /\d{1,2}[:.h]\d{2}/
/** Direction marks that some programs put around an address. */
const MARKS = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
/** One of our links in quoted text; some programs rewrite it. */
const OUR_LINK = /unsubscribe(\/|%2f|-2f|_)u1\./i

/**
 * The part that the author wrote: without quoted mail and without the signature after "-- ". If the author
 * replied below marked quotes, the text below them counts.
 */
export function newText(text: string): string {
  const lines = text.slice(0, MAX_READ).replace(/\r\n?/g, '\n').split('\n')
  const heads = lines.map((line) => (line.length > MAX_HEAD_LINE ? '' : line.replace(MARKS, '').trim()))
  const end = lines.findIndex(
    (line, at) => SIGNATURE.test(line) || isQuoted(line) || headLength(heads, at) > 0,
  )
  const above = (end === -1 ? lines : lines.slice(0, end)).join('\n').trim()
  const own = above === '' && end !== -1 ? textBelow(lines, heads, end) : above
  return withoutOurLink(own)
}

/** The text of a step without its last paragraph, if that contains the unsubscribe link. */
export function stepText(text: string): string {
  const at = text.lastIndexOf('\n\n')
  return at > 0 && text.slice(at).includes('/unsubscribe/') ? text.slice(0, at).trimEnd() : text
}

const isQuoted = (line: string) => line.trimStart().startsWith('>')

/** The text between quoted lines, or below the last, of a mail that begins with quotes. */
function textBelow(lines: string[], heads: string[], begin: number): string {
  let at = begin
  const head = headLength(heads, at)
  if (head > 0) at += head
  while (lines[at]?.trim() === '') at++
  if (!isQuoted(lines[at] ?? '')) return ''
  const runs: { text: string[]; isApart: boolean }[] = []
  let isNew = true
  for (; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (SIGNATURE.test(line) || (!isQuoted(line) && headLength(heads, at) > 0)) break
    if (isQuoted(line)) isNew = true
    else if (isNew) {
      runs.push({ text: [line], isApart: line.trim() === '' })
      isNew = false
    } else runs.at(-1)?.text.push(line)
  }
  const said = runs.filter(({ text }) => text.some((line) => line.trim() !== ''))
  // Text directly after a quoted line may be its end, broken off by a mail program.
  const apart = said.filter(({ isApart }) => isApart)
  return (apart.length > 0 ? apart : said.slice(-1)).map(({ text }) => text.join('\n').trim()).join('\n\n')
}

/** How many lines introduce a quotation here; 0 if none do. */
function headLength(lines: string[], at: number): number {
  const [line = '', next = '', ...below] = lines.slice(at, at + 5)
  if (line === '') return 0
  if (ORIGINAL.test(line) || RULE.test(line)) return 1
  if (BETWEEN_DASHES.test(line) && [next, ...below].some((each) => FROM.test(each) || SENT.test(each)))
    return 1
  if (FROM.test(line) && [next, ...below].some((each) => SENT.test(each))) return 1
  if (ON.test(line) && WROTE_BELOW.test(next)) return 2
  for (let count = 1; count <= MOST_LINES; count++) {
    const parts = lines.slice(at, at + count)
    if (parts.length < count || parts.some((part) => part === '' || part.startsWith('>'))) return 0
    // Either on one line, or on several of which the first names the day.
    if (count > 1 && !DAY.test(line)) return 0
    if (isIntroduction(parts.join(' ')) && !(count > 1 && isIntroduction(parts.slice(1).join(' '))))
      return count
  }
  return 0
}

function isIntroduction(line: string): boolean {
  if (line.length > MAX_HEAD_LINE) return false
  const bare = line.replace(/[*_]/g, '').trimEnd()
  const isColon = /[:：]$/.test(bare)
  const said = isColon ? bare.slice(0, -1).trimEnd() : bare
  const isDated = DAY.test(said)
  const isAddressed = said.includes('@') && /[>)\]]$/.test(said)
  const isTold = VERB.test(said) && (VERB_LAST.test(said) || isAddressed || /^\d/.test(said))
  if (!isColon) return isAddressed && isDated && TIME.test(said) && BEGIN.test(said) && VERB.test(said)
  if (BEGIN.test(said) && VERB.test(said) && (/\d/.test(said) || VERB_LAST.test(said) || isAddressed))
    return true
  return isDated && (isTold || (isAddressed && TIME.test(said)))
}

/** A paragraph with our own link is ours, however it got there. */
function withoutOurLink(text: string): string {
  if (!OUR_LINK.test(text)) return text
  return text
    .split('\n\n')
    .filter((paragraph) => !OUR_LINK.test(paragraph))
    .join('\n\n')
    .trim()
}
