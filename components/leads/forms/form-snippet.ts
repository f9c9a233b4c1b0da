import { EMAIL_COLUMN, type FormField, HONEYPOT } from '#lib/domain/leads/form-fields'
import { capital } from '#lib/domain/text/capital'

type Snippet = { url: string; fields: readonly FormField[]; consent_text: string }

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replace(/[&<>"]/g, (letter) => ENTITIES[letter] ?? letter)

const label = (name: string) => {
  const words = name.replaceAll('_', ' ').trim() || name
  return capital(words)
}

/** HTML to embed in a website. It works without scripts, and its honeypot field is hidden from people. */
export function formSnippet({ url, fields, consent_text }: Snippet): string {
  const inputs = fields.map(({ name, column, required }) => {
    const isEmail = column === EMAIL_COLUMN
    const type = isEmail ? 'email' : 'text'
    const must = isEmail || required ? ' required' : ''
    return `  <p><label>${escaped(label(name))} <input type="${type}" name="${escaped(name)}"${must}></label></p>`
  })
  return [
    `<form method="post" action="${escaped(url)}">`,
    ...inputs,
    `  <p hidden><label>Leave this empty <input name="${HONEYPOT}" tabindex="-1" autocomplete="off"></label></p>`,
    `  <p>${escaped(consent_text)}</p>`,
    '  <p><button>Send</button></p>',
    '</form>',
  ].join('\n')
}

/** Example of a server submitting a signed entry. */
export const serverSnippet = ({ url, fields }: Snippet): string => {
  const email = fields.find(({ column }) => column === EMAIL_COLUMN)?.name ?? EMAIL_COLUMN
  return `import { Webhook } from 'standardwebhooks'

const body = JSON.stringify({ ${JSON.stringify(email)}: email, visitor_ip: ip })
const [id, at] = [crypto.randomUUID(), new Date()]
await fetch('${url}', {
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  },
  body,
})`
}
