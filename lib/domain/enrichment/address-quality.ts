import { disposableEmailBlocklistSet } from 'disposable-email-domains-js'
import { readEmailCell } from '#lib/domain/datasets/email-address'
import { companyDomain } from '#lib/domain/inbox/company-domain'

/** Local parts of shared mailboxes; from RFC 2142 and common practice. */
const ROLES = new Set(
  `abuse account accounting accounts admin administrator anfrage anfragen billing bookings booking buchhaltung business careers
  career compliance contact contacto contactus customercare customerservice customer-service customersupport datenschutz
  desk dev developer dispatch editor einkauf empfang enquiries enquiry events feedback finance ftp general gdpr hello
  help helpdesk hi hostmaster hola hr info information infos inquiries inquiry investors invoice invoices it jobs kontakt
  kundenservice legal list mail mailbox mailer-daemon management manager marketing media moderator newsletter newsroom noc
  no-reply noreply do-not-reply donotreply office operations ops order orders partner partners payroll personal postmaster
  praxis press presse privacy purchasing reception recruiting recruitment registrar reservations returns root rrhh sales
  sav secretary security sekretariat service services shop spam staff studio subscribe support sysadmin team tech technical
  undisclosed-recipients unsubscribe usenet uucp vendas ventas verkauf vertrieb verwaltung webmaster welcome www zentrale
  contabilidad administracion administration commercial comercial direction accueil bonjour ciao amministrazione`.split(
    /\s+/,
  ),
)

let disposable: ReadonlySet<string> | undefined

/** Whether the domain offers disposable addresses; subdomains count as their domain. */
export function isDisposableDomain(domain: string): boolean {
  // No name in DNS is longer.
  if (domain.length > 253) return false
  disposable ??= disposableEmailBlocklistSet()
  const labels = domain.toLowerCase().split('.')
  return labels.some(
    (_, from) => labels.length - from >= 2 && (disposable?.has(labels.slice(from).join('.')) ?? false),
  )
}

/** Whether a team and not a person reads it: `info@`, `sales-uk@`, `support+de@`. */
export function isRoleLocal(local: string): boolean {
  const bare = local.toLowerCase().split('+')[0] ?? ''
  return (
    ROLES.has(bare) ||
    (ROLES.has(bare.split(/[._-]/)[0] ?? '') &&
      /^[a-z]+[._-](de|en|uk|us|fr|es|it|eu|at|ch|nl|team|desk|\d+)$/.test(bare))
  )
}

/** True for free mail, and for anything that is not an address: neither identifies a company. */
export const isFreeMail = (email: string) => companyDomain(email) === null

export type AddressFault = 'invalid' | 'disposable' | 'duplicate' | 'role' | 'free_mail'

/** Objections to an address from its text alone, the worst first; empty: none. */
export function addressFaults(email: string, { isRepeated = false } = {}): AddressFault[] {
  const reading = readEmailCell(email)
  if (reading.kind !== 'address') return ['invalid']
  const at = reading.email.lastIndexOf('@')
  const faults: AddressFault[] = []
  if (isDisposableDomain(reading.email.slice(at + 1))) faults.push('disposable')
  if (isRepeated) faults.push('duplicate')
  if (isRoleLocal(reading.email.slice(0, at))) faults.push('role')
  if (isFreeMail(reading.email)) faults.push('free_mail')
  return faults
}
