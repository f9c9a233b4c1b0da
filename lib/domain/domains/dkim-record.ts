import { finding, type RecordFinding } from '#lib/domain/domains/record-check'
import { parseTags } from '#lib/domain/domains/txt'

/** RFC 6376 section 3.6.1. `public_key` is a SubjectPublicKeyInfo in base64. */
export const dkimRecord = (public_key: string) => `v=DKIM1; k=rsa; p=${public_key}`

export const dkimHost = (selector: string, domain: string) => `${selector}._domainkey.${domain}`

/** Whether the published key is the one that we sign with. */
export function checkDkim(txts: string[], public_key: string): RecordFinding {
  if (txts.length === 0) return finding('missing', [], null)
  if (txts.length > 1)
    return finding(
      'mismatch',
      txts,
      'There are several records with this name, so it is undefined which one applies.',
    )
  const [record = ''] = txts
  const tags = parseTags(record)
  const key = tags?.get('p')?.replace(/\s/g, '')
  if (!tags || key === undefined)
    return finding('mismatch', txts, 'This is not a DKIM record. Is a wildcard record (*) answering here?')
  if (key === '') return finding('mismatch', txts, 'The key is empty, which means it was revoked.')
  if ((tags.get('v') ?? 'DKIM1') !== 'DKIM1') return finding('mismatch', txts, 'Its version is not DKIM1.')
  if (key !== public_key)
    return finding(
      'mismatch',
      txts,
      public_key.startsWith(key) || public_key.endsWith(key)
        ? 'The key is cut off: some DNS editors keep only the first 255 characters. Enter it as several strings.'
        : 'It is a different key.',
    )
  if ((tags.get('k') ?? 'rsa') !== 'rsa') return finding('mismatch', txts, 'Its key type must be rsa.')
  const services = (tags.get('s') ?? '*').split(':').map((service) => service.trim())
  if (!services.some((service) => service === '*' || service === 'email'))
    return finding('mismatch', txts, 'It does not allow the key for email (s=).')
  const flags = (tags.get('t') ?? '').split(':').map((flag) => flag.trim())
  return finding('found', txts, flags.includes('y') ? 'It says t=y, “testing only”. Remove that.' : null)
}
