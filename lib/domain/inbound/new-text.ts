// Where an answer ends and what it answers begins, as mail programs write it in several languages.
const QUOTE_HEADS = [
  /^\s*>/m,
  /^[ \t]*(on|le|am|il|el|op|em|den|w dniu|dnia)\b.{0,200}(wrote|écrit|schrieb|ha scritto|escribió|schreef|escreveu|skrev|napisał\(?a?\)?)[^\n:]{0,160}:?[ \t]*$/im,
  /^[ \t]*(on|le|am|il|el|op|em|den)\b[^\n]{0,160}\n[^\n]{0,120}(wrote|écrit|schrieb|ha scritto|escribió|schreef|escreveu|skrev)\s*:/im,
  /^[ \t]*-{2,} ?(original message|ursprüngliche nachricht|message d'origine|mensaje original|messaggio originale|oorspronkelijk bericht|mensagem original|originalmeddelande|forwarded message).{0,20}-{0,}/im,
  /^[ \t]*\*?(from|von|de|da|van|från|fra|od)\*?\s*:.{1,200}\n(.{0,200}\n){0,3}?\*?(sent|date|gesendet|datum|envoyé|enviado|inviato|verzonden|skickat|sendt|data|an|to|à|para|a)\*?\s*:/im,
  /^[ \t]*_{10,}[ \t]*$/m,
]

/** What its author wrote: without the quoted mail below and the signature behind "-- ". */
export function newText(text: string): string {
  const whole = text.slice(0, 32_768).replace(/\r\n?/g, '\n')
  const ends = QUOTE_HEADS.flatMap((head) => {
    const index = head.exec(whole)?.index
    return index === undefined ? [] : [index]
  })
  const signature = /^-- ?$/m.exec(whole)?.index
  const end = Math.min(...ends, signature ?? whole.length, whole.length)
  return whole.slice(0, end).trim()
}
