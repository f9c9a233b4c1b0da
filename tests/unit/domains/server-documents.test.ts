import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readServers } from '#lib/domain/domains/server-documents'

const ADDRESS = 'ana@company.test'

const autoconfig = (servers: string) => `<?xml version="1.0" encoding="UTF-8"?>
<!-- <outgoingServer type="smtp"><hostname>commented.out</hostname></outgoingServer> -->
<clientConfig version="1.1"><emailProvider id="company.test"><domain>company.test</domain>
<displayName>Company &amp; Co</displayName>${servers}</emailProvider></clientConfig>`

const server = (tag: string, type: string, fields: Record<string, string>) =>
  `<${tag} type="${type}">${Object.entries(fields)
    .map(([name, text]) => `<${name}>${text}</${name}>`)
    .join('\n')}</${tag}>`

const protocol = (fields: Record<string, string>) =>
  `<Protocol>${Object.entries(fields)
    .map(([name, text]) => `<${name}>${text}</${name}>`)
    .join('')}</Protocol>`

const autodiscover = (...protocols: string[]) =>
  `<Autodiscover xmlns="http://schemas.microsoft.com/exchange/autodiscover/responseschema/2006"><Response
  xmlns="http://schemas.microsoft.com/exchange/autodiscover/outlook/responseschema/2006a"><Account><AccountType>email</AccountType>
  <Action>settings</Action>${protocols.join('')}</Account></Response></Autodiscover>`

describe('autoconfiguration', () => {
  test('the first encrypted server of each kind counts, and POP not at all', () => {
    const xml = autoconfig(
      [
        server('incomingServer', 'pop3', { hostname: 'pop.company.test', port: '995', socketType: 'SSL' }),
        server('incomingServer', 'imap', {
          hostname: 'plain.company.test',
          port: '143',
          socketType: 'plain',
        }),
        server('incomingServer', 'imap', {
          hostname: ' IMAP.company.test. ',
          port: '993',
          socketType: 'SSL',
          username: '%EMAILADDRESS%',
        }),
        server('outgoingServer', 'smtp', {
          hostname: 'smtp.company.test',
          port: '587',
          socketType: 'STARTTLS',
          username: '%EMAILLOCALPART%',
        }),
        server('outgoingServer', 'smtp', { hostname: 'second.company.test', port: '465', socketType: 'SSL' }),
      ].join('\n'),
    )
    expect(readServers(xml, ADDRESS)).toEqual({
      imap: { host: 'imap.company.test', port: 993, security: 'tls', username: null },
      smtp: { host: 'smtp.company.test', port: 587, security: 'starttls', username: 'ana' },
    })
  })

  test.each([
    ['%EMAILADDRESS%', null],
    ['%EMAILLOCALPART%', 'ana'],
    ['%EMAILLOCALPART%.%EMAILDOMAIN%', 'ana.company.test'],
    ['ana&amp;co', 'ana&co'],
    ['%REALNAME%', null],
    ['&secret;', '&secret;'],
  ])('the name %s is %s', (username, expected) => {
    const fields = { hostname: 'a.test', port: '465', socketType: 'SSL', username }
    const { smtp } = readServers(autoconfig(server('outgoingServer', 'smtp', fields)), ADDRESS)
    expect(smtp?.username).toBe(expected)
  })
})

describe('Autodiscover', () => {
  test.each([
    [{ Port: '993', SSL: 'on' }, 'tls'],
    [{ Port: '143', SSL: 'on' }, 'starttls'],
    [{ Port: '143', SSL: 'off' }, 'starttls'],
    [{ Port: '1993', Encryption: 'SSL' }, 'tls'],
    [{ Port: '1993', Encryption: 'TLS' }, 'starttls'],
    [{ Port: '1993' }, 'tls'],
  ] as const)('%j is encrypted by %s', (fields, security) => {
    const xml = autodiscover(
      protocol({ Type: 'WEB' }),
      protocol({ Type: 'IMAP', Server: 'imap.company.test', LoginName: ADDRESS, ...fields }),
    )
    expect(readServers(xml, ADDRESS).imap).toMatchObject({
      host: 'imap.company.test',
      security,
      username: null,
    })
  })

  test('a redirection, or an error, has no servers', () => {
    const xml = autodiscover('<Action>redirectAddr</Action><RedirectAddr>ana@elsewhere.test</RedirectAddr>')
    expect(readServers(xml, ADDRESS)).toEqual({ smtp: null, imap: null })
  })
})

test.each([
  ['localhost', '465'],
  ['a.test/path', '465'],
  ['a.test:1', '465'],
  ['a test.test', '465'],
  ['', '465'],
  ['a.test', '0'],
  ['a.test', '65536'],
  ['a.test', '1e3.5'],
  [`${'a'.repeat(260)}.test`, '465'],
])('a server of %s:%s is none', (hostname, port) => {
  const xml = autoconfig(server('outgoingServer', 'smtp', { hostname, port, socketType: 'SSL' }))
  expect(readServers(xml, ADDRESS).smtp).toBeNull()
})

test('entities of its own stand for nothing', () => {
  const laughs = '<!DOCTYPE a [<!ENTITY x "evil.test"><!ENTITY y "&x;&x;&x;">]>'
  const xml =
    laughs + autoconfig(server('outgoingServer', 'smtp', { hostname: '&y;', port: '465', socketType: 'SSL' }))
  expect(readServers(xml, ADDRESS).smtp).toBeNull()
})

test('whatever a server answers, nothing is thrown and only encrypted servers come out', () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom('<', '>', '<!--', '-->', '</', '/>', '<Protocol>', '</Protocol>', '<Type>SMTP</Type>'),
    fc.constantFrom(
      '<outgoingServer type="smtp">',
      '</outgoingServer>',
      '<hostname>a.test',
      '<port>25</port>',
    ),
    fc.constantFrom(
      '<socketType>SSL</socketType>',
      '<Server>b.test</Server>',
      '<SSL>off</SSL>',
      '<![CDATA[',
      '&x;',
    ),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      for (const found of Object.values(readServers(pieces.join(''), ADDRESS)))
        if (found) expect(['tls', 'starttls']).toContain(found.security)
    }),
  )
})
