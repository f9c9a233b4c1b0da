type Person = { name: string | null; address: string }
export type Forwarded = {
  from: Person
  to: Person[]
  subject: string
  text: string
  /** When it was received or sent, in words. */
  date: string
}

/** A link that unsubscribes the lead; anybody who followed it in a quote would unsubscribe the lead. */
const WAY_OUT = /\bu1\.[A-Za-z0-9_-]{64}(?![A-Za-z0-9_-])/g
const MAX_LINK = 300
const MAX_PEOPLE = 20

/** Removes the token together with the URL around it, as far as that can be determined. */
export function withoutUnsubscribeLinks(text: string): string {
  let kept = ''
  let end = 0
  for (const { 0: token, index } of text.matchAll(WAY_OUT)) {
    const before = text.slice(end, index)
    const link = before.slice(-MAX_LINK)
    const start = Math.max(...[...' \n\t\r<>"\'([|'].map((stop) => link.lastIndexOf(stop)))
    const isLink = /^https?:/.test(link.slice(start + 1))
    kept += `${isLink ? before.slice(0, before.length - link.length + start + 1) : before}[unsubscribe link]`
    end = index + token.length
  }
  return kept + text.slice(end)
}

const named = ({ name, address }: Person) => (name && name !== address ? `${name} <${address}>` : address)

/** The note about a message, followed by the message as text. */
export function forwardedText(note: string, { from, to, subject, text, date }: Forwarded): string {
  const recipients = to.slice(0, MAX_PEOPLE).map(named).join(', ')
  const head = [
    '---------- Forwarded message ----------',
    `From: ${named(from)}`,
    `Date: ${date}`,
    `Subject: ${subject}`,
    ...(recipients ? [`To: ${recipients}`] : []),
  ]
  return withoutUnsubscribeLinks([note.trim(), head.join('\n'), text.trim()].filter(Boolean).join('\n\n'))
}

export const forwardSubject = (subject: string): string =>
  /^(fwd?|wg|tr|rv|i|vs):/i.test(subject.trim()) ? subject : `Fwd: ${subject}`
