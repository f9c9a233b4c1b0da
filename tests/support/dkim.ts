import { createHash, createPublicKey, verify } from 'node:crypto'

/**
 * A verifier of DKIM signatures, written from RFC 6376 section 6 independently of the signer, over the bytes as a server
 * received them. `keyRecord` is the DNS record at `<selector>._domainkey.<domain>`. Returns 'pass', or why it fails.
 */
export async function verifyDkim(
  raw: string,
  keyRecord: (name: string) => Promise<string | null>,
): Promise<{ result: string; tags: Record<string, string> }> {
  const split = raw.search(/\r\n\r\n/)
  const header = split === -1 ? raw : raw.slice(0, split + 2)
  const body = split === -1 ? '' : raw.slice(split + 4)
  const fields: string[] = []
  for (const line of header.split('\r\n').slice(0, -1)) {
    if (/^[ \t]/.test(line)) fields[fields.length - 1] += `\r\n${line}`
    else fields.push(line)
  }
  const nameOf = (field: string) => field.slice(0, field.indexOf(':')).toLowerCase().trimEnd()
  const at = fields.findIndex((field) => nameOf(field) === 'dkim-signature')
  if (at === -1) return { result: 'no signature', tags: {} }
  const own = fields[at] ?? ''
  const tags: Record<string, string> = {}
  for (const pair of own.slice(own.indexOf(':') + 1).split(';')) {
    const equals = pair.indexOf('=')
    if (equals > 0) tags[pair.slice(0, equals).trim()] = pair.slice(equals + 1).replace(/\s+/g, '')
  }
  const fail = (result: string) => ({ result, tags })
  for (const tag of ['v', 'a', 'b', 'bh', 'd', 'h', 's']) if (!tags[tag]) return fail(`no ${tag}=`)
  if (tags.v !== '1' || tags.a !== 'rsa-sha256' || tags.c !== 'relaxed/relaxed') return fail('not understood')
  const names = (tags.h ?? '').toLowerCase().split(':')
  if (!names.includes('from')) return fail('From is not signed')

  const lines = body.split('\r\n').map((line) => line.replace(/[\t ]+/g, ' ').replace(/ $/, ''))
  while (lines.length > 0 && lines.at(-1) === '') lines.pop()
  const canonical = lines.length === 0 ? '' : `${lines.join('\r\n')}\r\n`
  if (createHash('sha256').update(canonical, 'latin1').digest('base64') !== tags.bh) return fail('body hash')

  const canonicalField = (field: string) => {
    const value = field.slice(field.indexOf(':') + 1).replaceAll('\r\n', '')
    return `${nameOf(field)}:${value.replace(/[\t ]+/g, ' ').replace(/^ | $/g, '')}`
  }
  const left = fields.filter((_, index) => index !== at)
  const hashed: string[] = []
  for (const name of names) {
    const index = left.findLastIndex((field) => nameOf(field) === name)
    if (index >= 0) hashed.push(`${canonicalField(left.splice(index, 1)[0] ?? '')}\r\n`)
  }
  const empty = own.replace(/(;\s*b=)[^;]*/, '$1')
  hashed.push(canonicalField(empty))
  const record = await keyRecord(`${tags.s}._domainkey.${tags.d}`)
  const key = /(?:^|;)\s*p=([^;]+)/.exec(record ?? '')?.[1]?.replace(/\s/g, '')
  if (!key) return fail('no key')
  const publicKey = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' })
  const signature = Buffer.from(tags.b ?? '', 'base64')
  return fail(
    verify('sha256', Buffer.from(hashed.join(''), 'latin1'), publicKey, signature) ? 'pass' : 'signature',
  )
}
