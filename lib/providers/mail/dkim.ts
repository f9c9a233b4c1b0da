import { createHash, createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { promisify } from 'node:util'

/** The domain that a message is signed for. `private_key` is PKCS #8 in PEM. */
export type DkimKey = { domain: string; selector: string; private_key: string }

/**
 * Header fields that are signed if present. Each is named once more than it occurs, so that nobody can add another in transit: a
 * second From or List-Unsubscribe would be shown or followed in place of ours (RFC 6376, sections 5.4.2 and 8.15).
 */
const OVERSIGNED = [
  'from',
  'to',
  'cc',
  'subject',
  'date',
  'message-id',
  'reply-to',
  'sender',
  'in-reply-to',
  'references',
  'mime-version',
  'content-type',
  'content-transfer-encoding',
  'list-unsubscribe',
  'list-unsubscribe-post',
]

const signAsync = promisify(sign)
const keys = new WeakMap<DkimKey, KeyObject>()

type Field = { name: string; raw: string }

/** The header fields of a message, unparsed, and its body. */
function splitMessage(message: string): { fields: Field[]; body: string } {
  const end = message.indexOf('\r\n\r\n')
  const head = end < 0 ? message : message.slice(0, end)
  const fields = head.split(/\r\n(?![ \t])/).map((raw) => ({
    name: raw.slice(0, raw.indexOf(':')).trim().toLowerCase(),
    raw,
  }))
  return { fields, body: end < 0 ? '' : message.slice(end + 4) }
}

/** RFC 6376 section 3.4.2. */
function relaxedField(raw: string): string {
  const colon = raw.indexOf(':')
  const value = raw
    .slice(colon + 1)
    .replace(/\r\n/g, '')
    .replace(/[ \t]+/g, ' ')
  return `${raw.slice(0, colon).trim().toLowerCase()}:${value.trim()}`
}

/** RFC 6376 section 3.4.4. */
function relaxedBody(body: string): string {
  const text = body.replace(/[ \t]+/g, ' ').replace(/ (?=\r\n|$)/g, '')
  let end = text.length
  while (text.endsWith('\r\n', end)) end -= 2
  return end === 0 ? '' : `${text.slice(0, end)}\r\n`
}

/** If a field occurs several times, the last one is signed first (section 5.4.2); naming an absent field signs its absence. */
function signedFields(fields: Field[]): { names: string[]; lines: string[] } {
  const names: string[] = []
  const lines: string[] = []
  for (const name of OVERSIGNED) {
    const present = fields.filter((field) => field.name === name).toReversed()
    names.push(...present.map(() => name), name)
    lines.push(...present.map(({ raw }) => relaxedField(raw)))
  }
  return { names, lines }
}

const folded = (text: string, width: number) =>
  Array.from({ length: Math.ceil(text.length / width) }, (_, at) =>
    text.slice(at * width, (at + 1) * width),
  ).join('\r\n ')

/**
 * The DKIM-Signature field of a finished message (RFC 6376; rsa-sha256, relaxed/relaxed), with its line break. It is put on top
 * of the message, whose bytes stay unchanged.
 */
export async function dkimSignature(message: Buffer, dkim: DkimKey): Promise<string> {
  // Header and body are bytes; latin1 keeps each byte as one character.
  const { fields, body } = splitMessage(message.toString('latin1'))
  const { names, lines } = signedFields(fields)
  const bodyHash = createHash('sha256').update(relaxedBody(body), 'latin1').digest('base64')
  const unsigned = [
    `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=${dkim.domain};`,
    ` s=${dkim.selector}; q=dns/txt;`,
    ` h=${namesFolded(names)};`,
    ` bh=${bodyHash};`,
    ' b=',
  ].join('\r\n')
  const data = Buffer.from([...lines, relaxedField(unsigned)].join('\r\n'), 'latin1')
  const key = keys.get(dkim) ?? createPrivateKey(dkim.private_key)
  keys.set(dkim, key)
  const signature = await signAsync('sha256', data, key)
  return `${unsigned}${folded(signature.toString('base64'), 72)}\r\n`
}

/** Breaks lines between two names, where folding white space is allowed. */
function namesFolded(names: string[]): string {
  const lines = ['']
  for (const [index, name] of names.entries()) {
    const text = index < names.length - 1 ? `${name}:` : name
    if ((lines.at(-1) ?? '').length + text.length > 70) lines.push('')
    lines[lines.length - 1] += text
  }
  return lines.join('\r\n  ')
}
