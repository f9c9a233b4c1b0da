import services from 'nodemailer/lib/well-known/services.json' with { type: 'json' }
import { expect, test } from 'vitest'
import { findMailProvider, findProviderByMx, MAIL_PROVIDERS } from '#lib/domain/domains/mail-providers'

type Known = { host: string; port: number; secure?: boolean }
const KNOWN: Record<string, Known> = {
  Google: services.Gmail,
  'Microsoft 365': services.Outlook365,
  Yahoo: services.Yahoo,
  iCloud: services.iCloud,
  Zoho: services.Zoho,
  Fastmail: services.FastMail,
}

test.each(Object.entries(KNOWN))(
  '%s: mail goes out where the mail library says',
  (name, { host, port, secure }) => {
    const found = MAIL_PROVIDERS.find((provider) => provider.name === name)
    expect(found?.smtp).toEqual({ host, port, security: secure ? 'tls' : 'starttls' })
  },
)

test.each([
  ['dana@gmail.com', 'Google'],
  ['Dana@GoogleMail.com ', 'Google'],
  ['dana@me.com', 'iCloud'],
  ['dana@example.com', undefined],
  ['dana', undefined],
  ['', undefined],
])('%j is at %s', (address, name) => {
  expect(findMailProvider(address)?.name).toBe(name)
})

test('no domain is at two providers, and what a password opens is encrypted from the start or by STARTTLS', () => {
  const domains = MAIL_PROVIDERS.flatMap(({ domains }) => domains)
  expect(new Set(domains).size).toBe(domains.length)
  const ports = { tls: [465, 993], starttls: [587] }
  for (const { name, smtp, imap } of MAIL_PROVIDERS)
    for (const server of imap ? [smtp, imap] : [smtp])
      expect(ports[server.security], name).toContain(server.port)
})

test.each([
  [['aspmx.l.google.com'], 'Google'],
  [['smtp.google.com'], 'Google'],
  [['example-com.mail.protection.outlook.com'], 'Microsoft 365'],
  [['in1-smtp.messagingengine.com'], 'Fastmail'],
  // The exchange with the highest priority counts, and a host name matches at label boundaries only.
  [['mail.example.com', 'aspmx.l.google.com'], undefined],
  [['evilgoogle.com'], undefined],
  [[], undefined],
])('mail for a domain that %j take is at %s', (exchanges, name) => {
  const records = exchanges.map((exchange, priority) => ({ exchange, priority }))
  expect(findProviderByMx(records.toReversed())?.name).toBe(name)
})
