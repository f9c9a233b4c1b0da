import type { MailVendor } from '#lib/domain/domains/mail-vendors'

/** Why a mailbox of an organization was not connected. */
export const ORGANIZATION_REFUSALS = [
  'not_an_address',
  'key_refused',
  'not_allowed',
  'not_found',
  'api_off',
  'throttled',
  'unreachable',
  'no_time',
] as const
export type OrganizationRefusal = (typeof ORGANIZATION_REFUSALS)[number]

const ELSEWHERE: Record<OrganizationRefusal, string> = {
  not_an_address: 'This is not an email address. Check the spelling.',
  key_refused: 'The organization’s key was refused. Replace it, then try again.',
  not_allowed: 'The organization does not allow it.',
  not_found: 'Nobody there has this address, or the mailbox is suspended. Check the spelling.',
  api_off: 'The API is switched off.',
  throttled: 'The provider is not accepting more requests right now. Try again in a few minutes.',
  unreachable: 'The provider did not answer. Try again.',
  no_time: 'There was not enough time. Submit it again.',
}

const OF_GOOGLE: Partial<Record<OrganizationRefusal, string>> = {
  key_refused:
    'Google refused the key. Create a new key for the service account in the Google Cloud console and replace it here.',
  not_allowed:
    'Google does not let the service account use this mailbox. In the Admin console, under Domain-wide delegation, its client ID needs exactly the scope shown here, and the address must belong to that organization. Changes there take up to 24 hours.',
  not_found:
    'Google has no such mailbox, or it is suspended. Use its primary address, not an alias, and check that Gmail is turned on for it.',
  api_off: 'The Gmail API is off in the service account’s project. Enable it in the Google Cloud console.',
}

const OF_MICROSOFT: Partial<Record<OrganizationRefusal, string>> = {
  key_refused:
    'Microsoft refused the application. Check the tenant ID, application ID and client secret, and whether the secret has expired.',
  not_allowed:
    'The application may not use this mailbox. It needs the application permissions Mail.ReadWrite and Mail.Send with admin consent, and an application access policy or RBAC must include the mailbox.',
  not_found:
    'Microsoft has no such mailbox. Use the name its owner signs in with (user principal name), and check that it has an Exchange Online licence.',
}

/** What a person can do about it. */
export const remedy = (vendor: MailVendor, cause: OrganizationRefusal): string => {
  if (vendor === 'google') return OF_GOOGLE[cause] ?? ELSEWHERE[cause]
  return (vendor === 'microsoft' ? OF_MICROSOFT[cause] : null) ?? ELSEWHERE[cause]
}

type Obstacle = 'client' | 'admin' | 'declined' | 'ended' | 'unreachable'

/** From the fault for which no token was issued. */
export const refusalOfKey = (fault: Obstacle): OrganizationRefusal => {
  if (fault === 'client') return 'key_refused'
  if (fault === 'admin' || fault === 'declined') return 'not_allowed'
  return fault === 'ended' ? 'not_found' : 'unreachable'
}

/** From the server's refusal of an issued token. */
export function refusalOfMailbox(reason: string): OrganizationRefusal {
  switch (reason) {
    case 'auth':
      return 'not_found'
    case 'scope':
    case 'policy':
      return 'not_allowed'
    case 'client':
      return 'api_off'
    case 'throttled':
      return 'throttled'
    default:
      return 'unreachable'
  }
}

/** A Microsoft tenant, by its id or one of its domains; `common` and the like are refused. */
const TENANT_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

export function isTenant(text: string): boolean {
  if (TENANT_ID.test(text)) return true
  const labels = text.split('.')
  return labels.length > 1 && text.length <= 253 && labels.every((label) => LABEL.test(label))
}
