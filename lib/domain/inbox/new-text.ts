const MAX_READ = 32_768
/** A line that introduces a quotation is not longer. */
const MAX_HEAD_LINE = 600

// Where an answer ends and what it answers begins, as mail programs write it in several languages. Each is asked of one
// line, or of a line and those below it, and never of a longer one than MAX_HEAD_LINE.
const WROTE =
  /^(on|le|am|il|el|op|em|den|w dniu|dnia)\b.{0,200}(wrote|écrit|schrieb|ha scritto|escribió|schreef|escreveu|skrev|napisał\(?a?\)?)[^:]{0,160}:?$/i
const ON = /^(on|le|am|il|el|op|em|den)\b.{0,160}$/i
const WROTE_BELOW = /^.{0,120}(wrote|écrit|schrieb|ha scritto|escribió|schreef|escreveu|skrev)\s{0,5}:/i
const ORIGINAL =
  /^-{2,} ?(original message|ursprüngliche nachricht|message d'origine|mensaje original|messaggio originale|oorspronkelijk bericht|mensagem original|originalmeddelande|forwarded message)/i
const FROM = /^\*?(from|von|de|da|van|från|fra|od)\*?\s{0,5}:.{1,200}$/i
const SENT =
  /^\*?(sent|date|gesendet|datum|envoyé|enviado|inviato|verzonden|skickat|sendt|data|an|to|à|para|a)\*?\s{0,5}:/i
const RULE = /^_{10,}$/
const SIGNATURE = /^-- ?$/

/** What its author wrote: without the quoted mail below and the signature behind "-- ". */
export function newText(text: string): string {
  const lines = text.slice(0, MAX_READ).replace(/\r\n?/g, '\n').split('\n')
  const heads = lines.map((line) => (line.length > MAX_HEAD_LINE ? '' : line.trim()))
  const end = lines.findIndex(
    (line, at) => SIGNATURE.test(line) || line.trimStart().startsWith('>') || isHead(heads, at),
  )
  return (end === -1 ? lines : lines.slice(0, end)).join('\n').trim()
}

/** What a step said: without the last paragraph, where that is the way to unsubscribe. */
export function stepText(text: string): string {
  const at = text.lastIndexOf('\n\n')
  return at > 0 && text.slice(at).includes('/unsubscribe/') ? text.slice(0, at).trimEnd() : text
}

function isHead(lines: string[], at: number): boolean {
  const [line = '', next = '', ...below] = lines.slice(at, at + 5)
  if (line === '') return false
  if (WROTE.test(line) || ORIGINAL.test(line) || RULE.test(line)) return true
  if (ON.test(line) && WROTE_BELOW.test(next)) return true
  return FROM.test(line) && [next, ...below].some((each) => SENT.test(each))
}
