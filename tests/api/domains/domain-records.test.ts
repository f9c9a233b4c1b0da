import { beforeEach, describe, expect, test } from 'vitest'
import { ReadDomainRequirements } from '#lib/contracts/domains/domains'
import { db } from '#lib/db/client'
import { dkimRecord } from '#lib/domain/domains/dkim-record'
import { call } from '#tests/support/call'
import { added, dns, publish, recordOf, setup, verify } from '#tests/support/scenes/domains'
import { aMailbox, aUser } from '#tests/support/scenes/factories'

let made = 0
let domain = ''
beforeEach(() => {
  made += 1
  domain = `domain-${made}.example.com`
})

describe('what to publish', () => {
  test('every record with its whole value, its strings and its line of a zone file', async () => {
    const owner = await aUser()
    const made = await added(owner, domain)
    const answer = await setup(owner, made)
    expect(answer).toMatchObject({ domain_id: made.domain_id, domain, ready: false })
    expect(answer.instructions).toContain(`_dmarc.${domain}`)
    const shown = answer.records.map(({ purpose, type, host, required, status }) => [
      purpose,
      type,
      host,
      required,
      status,
    ])
    expect(shown).toEqual([
      ['spf', 'TXT', domain, true, 'missing'],
      ['dkim', 'TXT', `${made.dkim_selector}._domainkey.${domain}`, true, 'missing'],
      ['dmarc', 'TXT', `_dmarc.${domain}`, true, 'missing'],
      ['mx', 'MX', domain, true, 'missing'],
      ['return_path', 'MX', `bounce.${domain}`, false, 'missing'],
      ['return_path', 'TXT', `bounce.${domain}`, false, 'missing'],
      ['tracking', 'CNAME', `track.${domain}`, false, 'missing'],
      ['reports', 'CNAME', `reports.${domain}`, false, 'missing'],
    ])
    const dkim = await recordOf(owner, made, 'dkim')
    const { public_key } = await db.domainKey.findFirstOrThrow({ where: { domain_id: made.domain_id } })
    expect(dkim.value).toBe(dkimRecord(public_key))
    expect(dkim.value.length).toBeGreaterThan(255)
    expect(dkim.strings.join('')).toBe(dkim.value)
    expect(dkim.strings.every((text) => text.length <= 255)).toBe(true)
    expect(dkim.zone_line).toBe(`${dkim.host}. 3600 IN TXT "${dkim.strings[0]}" "${dkim.strings[1]}"`)
    expect((await recordOf(owner, made, 'tracking')).value).toBe('links.opener.example')
    expect((await recordOf(owner, made, 'return_path')).value).toBe('10 mx.opener.example')
    expect((await recordOf(owner, made, 'dmarc')).value).toBe('v=DMARC1; p=none')
  })

  test('an SPF record that exists is extended, before the first check too, and never joined by a second', async () => {
    const owner = await aUser()
    dns.zone[domain] = { TXT: ['v=spf1 include:mail.example.net -all', 'other=1'] }
    dns.zone['mail.example.net'] = { TXT: ['v=spf1 ip4:192.0.2.0/24 -all'] }
    dns.zone['_spf.google.com'] = { TXT: ['v=spf1 ip4:198.51.100.0/24 ~all'] }
    await aMailbox(owner, { address: `ada@${domain}` })
    await db.mailbox.updateMany({
      where: { workspace_id: owner.workspace_id },
      data: { smtp: { host: 'smtp.gmail.com', port: 465, security: 'tls', username: null } },
    })
    const made = await added(owner, domain)
    const spf = await recordOf(owner, made, 'spf')
    expect(spf).toMatchObject({
      value: 'v=spf1 include:mail.example.net include:_spf.google.com -all',
      status: 'mismatch',
      found: ['v=spf1 include:mail.example.net -all'],
    })
    expect(spf.note).toContain('include:_spf.google.com')
    expect(spf.note).toContain('2 of 10')
    await publish(owner, made, ['spf'])
    expect((await verify(owner, made)).body.spf.status).toBe('found')
    expect((await recordOf(owner, made, 'spf')).value).toBe(spf.value)
  })

  test('two SPF records are an error, and one value replaces both', async () => {
    const owner = await aUser()
    dns.zone[domain] = { TXT: ['v=spf1 a -all', ['v=spf1 ', 'mx ~all']] }
    const spf = await recordOf(owner, await added(owner, domain), 'spf')
    expect(spf).toMatchObject({ status: 'mismatch', value: 'v=spf1 a mx ~all' })
    expect(spf.found.toSorted()).toEqual(['v=spf1 a -all', 'v=spf1 mx ~all'])
  })

  test('more than ten lookups are told, however deep they are', async () => {
    const owner = await aUser()
    dns.zone[domain] = { TXT: [`v=spf1 include:deep.${domain} a mx -all`] }
    dns.zone[`deep.${domain}`] = {
      TXT: [
        `v=spf1 ${Array.from({ length: 8 }, (_, index) => `include:i${index}.${domain}`).join(' ')} -all`,
      ],
    }
    for (let index = 0; index < 8; index++)
      dns.zone[`i${index}.${domain}`] = { TXT: ['v=spf1 ip4:192.0.2.1 -all'] }
    const made = await added(owner, domain)
    expect((await recordOf(owner, made, 'spf')).note).toContain('more than 10 DNS lookups')
    dns.zone[domain] = { TXT: [`v=spf1 include:deep.${domain} a -all`] }
    await verify(owner, made)
    expect(await recordOf(owner, made, 'spf')).toMatchObject({
      status: 'found',
      note: '10 of 10 DNS lookups are used.',
    })
  })

  test('an own server is permitted by its name, or by a network that holds its address', async () => {
    const owner = await aUser()
    dns.zone[domain] = { TXT: ['v=spf1 -all'] }
    dns.zone[`mail.${domain}`] = { A: ['8.8.4.4'] }
    dns.zone['4.4.8.8.in-addr.arpa'] = { PTR: [`mail.${domain}`] }
    await aMailbox(owner, { address: `ada@${domain}` })
    await db.mailbox.updateMany({
      where: { workspace_id: owner.workspace_id },
      data: { smtp: { host: `mail.${domain}`, port: 587, security: 'starttls', username: null } },
    })
    const made = await added(owner, domain)
    expect((await recordOf(owner, made, 'spf')).value).toBe(`v=spf1 a:mail.${domain} -all`)
    dns.zone[domain] = { TXT: ['v=spf1 ip4:8.8.4.0/24 -all'] }
    expect((await verify(owner, made)).body.spf.status).toBe('found')
    const { requirements } = (await call(ReadDomainRequirements, { as: owner, params: made })).body
    expect(requirements.find(({ id }) => id === 'reverse_dns')).toMatchObject({ status: 'met' })
    expect(requirements.find(({ id }) => id === 'tls')).toMatchObject({ status: 'met' })
    dns.zone['4.4.8.8.in-addr.arpa'] = { PTR: ['elsewhere.example.net'] }
    await verify(owner, made)
    const after = (await call(ReadDomainRequirements, { as: owner, params: made })).body.requirements
    expect(after.find(({ id }) => id === 'reverse_dns')).toMatchObject({ status: 'not_met' })
  })

  test('a DMARC record that exists is respected, that of the registered domain counts, a wildcard’s text does not', async () => {
    const owner = await aUser()
    dns.zone['_dmarc.example.com'] = { TXT: ['v=DMARC1; p=reject; rua=mailto:d@example.com'] }
    const made = await added(owner, domain)
    expect(await recordOf(owner, made, 'dmarc')).toMatchObject({
      status: 'found',
      value: 'v=DMARC1; p=reject; rua=mailto:d@example.com',
      note: expect.stringContaining('example.com'),
    })
    dns.zone[`_dmarc.${domain}`] = { TXT: ['v=DMARC1; p=quarantine'] }
    await verify(owner, made)
    expect((await recordOf(owner, made, 'dmarc')).value).toBe('v=DMARC1; p=quarantine')
    delete dns.zone['_dmarc.example.com']
    delete dns.zone[`_dmarc.${domain}`]
    dns.zone[`*.${domain}`] = { TXT: ['v=spf1 -all'] }
    await verify(owner, made)
    for (const purpose of ['dmarc', 'dkim'])
      expect(await recordOf(owner, made, purpose)).toMatchObject({
        status: 'mismatch',
        found: ['v=spf1 -all'],
      })
  })
})
