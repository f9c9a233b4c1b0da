import { withoutGreeting } from '#lib/domain/inbox/intent/whole-answer'

const CLOSING =
  /^(best|kind|warm|many|with|warmest|kindest|sincere|yours|sincerely|cheers|thanks|thank you|regards|br|kr|mit|viele|beste|herzliche|freundliche|liebe|schone|mfg|vg|lg|gru(ss|ß)|cordialement|bien|cdlt|salutations|sinceres|belle|bonne|saludos|un|atentamente|atte|cordiales|cordiali|distinti|saluti|grazie|gracias|merci|danke|met|vriendelijke|groet|groeten|mvg|atenciosamente|cumprimentos|abra[cç]os?|obrigad[oa]|med|v[aä]nliga|h[aä]lsningar|hilsen|venlig|vennlig|pozdrawiam|z powa[zż]aniem|s pozdravem)\b/i
const DEVICE =
  /^(sent from my|get outlook for|von meinem|gesendet von|envoyé de mon|enviado desde|inviato da|verstuurd vanaf|verzonden vanaf|enviado do|skickat från|sendt fra|wysłane z)/i

/**
 * The text above the closing line and the name below it. A closing is a short line with little more than a
 * greeting. What is said first below the salutation is kept even if it looks like a closing ("Thanks, we have
 * no interest").
 */
export function withoutSignature(text: string): string {
  const lines = text.split('\n')
  const begins = text.length - withoutGreeting(text.toLowerCase()).text.length
  const first = text.slice(0, begins).split('\n').length - 1
  const end = lines.findIndex((line, at) => {
    const said = line.slice(0, 60).trim()
    const isLast = lines.slice(at + 1, at + 4).every((below) => below.trim().length < 60)
    if (DEVICE.test(said)) return true
    return at > first && line.trim().length < 40 && said.split(' ').length <= 4 && isLast && isClosing(said)
  })
  return (end === -1 ? lines : lines.slice(0, end)).join('\n').trim()
}

const isClosing = (line: string) =>
  CLOSING.test(line) && !/[?]$/.test(line) && !/^(bien s|with pleasure|un moment)/i.test(line)
