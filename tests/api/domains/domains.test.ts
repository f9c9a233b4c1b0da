import { createPrivateKey, createPublicKey } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { LaunchCampaign } from '#lib/contracts/campaigns/campaigns'
import { ReadLaunchChecks } from '#lib/contracts/campaigns/launch-checks'
import {
  CreateDomain,
  DeleteDomain,
  ListDomains,
  ReadDomain,
  ReadDomainRequirements,
  ReadDomainSetup,
  RotateDomainKey,
  UpdateDomain,
  VerifyDomain,
} from '#lib/contracts/domains/domains'
import { ReadAccountSettings, UpdateAccountSettings } from '#lib/contracts/workspaces/account-settings'
import { db } from '#lib/db/client'
import { unseal } from '#lib/db/seal'
import { dkimRecord } from '#lib/domain/domains/dkim-record'
import { createDnsProvider } from '#lib/providers/dns/driver'
import { checkDueDomains } from '#lib/services/domains/sweep'
import { call } from '#tests/support/call'
import { aCampaign, aMailbox, aUser } from '#tests/support/scenes/factories'
import { createDnsServer } from '#tests/support/servers/dns'

const dns = await createDnsServer()
process.env.DNS_SERVERS = dns.server
process.env.TRACKING_HOST = 'links.opener.example'
process.env.BOUNCE_HOST = 'mx.opener.example'
afterAll(() => dns.close())
const patient = createDnsProvider({ servers: [dns.server], timeout_ms: 20_000 })
const impatient = createDnsProvider({ servers: [dns.server], timeout_ms: 200 })

let made = 0
let domain = ''
beforeEach(() => {
  made += 1
  domain = `domain-${made}.example.com`
})

type Owner = { user_id: string }
const added = async (owner: Owner, name = domain) =>
  (await call(CreateDomain, { as: owner, body: { domain: name } })).body
const setup = async (owner: Owner, params: { domain_id: string }) =>
  (await call(ReadDomainSetup, { as: owner, params })).body
const verify = (owner: Owner, params: { domain_id: string }) => call(VerifyDomain, { as: owner, params })

/** Publishes what setup asks for, as an owner would. */
async function publish(
  owner: Owner,
  params: { domain_id: string },
  purposes = ['spf', 'dkim', 'dmarc', 'mx'],
) {
  const { records } = await setup(owner, params)
  for (const { purpose, type, host, value, strings } of records) {
    if (!purposes.includes(purpose)) continue
    const before = dns.zone[host]
    const rest = typeof before === 'object' ? before : {}
    if (type === 'TXT') dns.zone[host] = { ...rest, TXT: [strings] }
    if (type === 'CNAME') dns.zone[host] = { CNAME: value }
    const [priority = '', exchange = ''] = value.split(' ')
    if (type === 'MX') dns.zone[host] = { ...rest, MX: [[Number(priority), exchange]] }
  }
}
const recordOf = async (owner: Owner, params: { domain_id: string }, purpose: string) => {
  const record = (await setup(owner, params)).records.find((one) => one.purpose === purpose)
  if (!record) throw new Error(`no ${purpose} record`)
  return record
}

describe('adding a domain', () => {
  test('201 with a pending record; its private key is sealed and told to nobody', async () => {
    const owner = await aUser()
    const { status, body } = await call(CreateDomain, {
      as: owner,
      body: { domain: ` ${domain.toUpperCase()}. ` },
    })
    expect(status).toBe(201)
    const pending = { status: 'pending', checked_at: null }
    expect(body).toEqual({
      domain_id: expect.any(String),
      domain,
      status: 'pending',
      dkim_selector: expect.stringMatching(/^opn\d{8}[0-9a-f]{4}$/),
      dkim_next_selector: null,
      spf: pending,
      dkim: pending,
      dmarc: pending,
      mx: pending,
      tracking: pending,
      return_path: { ...pending, enabled: false },
      next_check_at: expect.any(String),
      version: 1,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      verified_at: null,
    })
    expect((await call(ReadDomain, { as: owner, params: body })).body).toEqual(body)
    expect((await call(ListDomains, { as: owner })).body).toEqual({
      items: [body],
      total: 1,
      page: 1,
      page_size: 20,
    })
    const key = await db.domainKey.findFirstOrThrow({ where: { domain_id: body.domain_id } })
    const pair = createPrivateKey(unseal(key.private_key ?? ''))
    expect(pair.asymmetricKeyDetails?.modulusLength).toBe(2048)
    const mine = createPublicKey(pair).export({ type: 'spki', format: 'der' }).toString('base64')
    expect(mine).toBe(key.public_key)
    const answers = JSON.stringify([
      body,
      await setup(owner, body),
      (await call(ListDomains, { as: owner })).body,
    ])
    expect(answers).not.toContain('PRIVATE KEY')
    expect(answers).not.toContain(key.private_key)
  })

  test.each(['localhost', '192.0.2.1', 'co.uk', 'gmail.com', 'https://example.com', 'a@b.com', 'no dots'])(
    '422 for %s',
    async (name) => {
      const { status, error } = await call(CreateDomain, { as: await aUser(), body: { domain: name } })
      expect(status).toBe(422)
      expect(error.details[0].loc).toEqual(['body', 'domain'])
    },
  )

  test('umlauts become punycode; twice is 409, also at once, but not for another owner', async () => {
    const owner = await aUser()
    const first = await added(owner, `bücher-${made}.de`)
    expect(first.domain).toMatch(/^xn--bcher-/)
    const again = await call(CreateDomain, { as: owner, body: { domain: first.domain } })
    expect([again.status, again.error.detail]).toEqual([409, 'domain_exists'])
    const other = await added(await aUser(), first.domain)
    expect(other.dkim_selector).not.toBe('')
    const rushed = await Promise.all([1, 2, 3].map(() => call(CreateDomain, { as: owner, body: { domain } })))
    expect(rushed.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
  })

  test('the two endpoints of the interface refuse in the legacy shape, the others flat', async () => {
    const params = { domain_id: crypto.randomUUID() }
    const as = await aUser()
    for (const contract of [ReadDomain, ReadDomainSetup])
      expect((await call(contract, { as, params })).error).toEqual({ detail: 'Domain not found.' })
    expect((await verify(as, params)).error).toEqual({
      detail: 'domain_not_found',
      message: 'Domain not found.',
    })
  })
})

describe('what to publish', () => {
  test('every record with its whole value, its strings and its line of a zone file', async () => {
    const owner = await aUser()
    const made = await added(owner)
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
      where: { user_id: owner.user_id },
      data: { smtp: { host: 'smtp.gmail.com', port: 465, security: 'tls', username: null } },
    })
    const made = await added(owner)
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
    const spf = await recordOf(owner, await added(owner), 'spf')
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
    const made = await added(owner)
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
      where: { user_id: owner.user_id },
      data: { smtp: { host: `mail.${domain}`, port: 587, security: 'starttls', username: null } },
    })
    const made = await added(owner)
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
    const made = await added(owner)
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

describe('verification', () => {
  test('with every required record found the domain is verified, and stays so while DNS fails', async () => {
    const owner = await aUser()
    const made = await added(owner)
    await publish(owner, made)
    const { status, body } = await verify(owner, made)
    expect(status).toBe(200)
    const found = { status: 'found', checked_at: expect.any(String) }
    expect(body).toMatchObject({ status: 'verified', spf: found, dkim: found, dmarc: found, mx: found })
    expect(body.verified_at).not.toBeNull()
    expect(await setup(owner, made)).toMatchObject({
      ready: true,
      instructions: expect.stringContaining('published'),
    })

    for (const failing of ['servfail', 'refused', 'silent'] as const) {
      const kept = { ...dns.zone }
      for (const host of Object.keys(dns.zone)) if (host.endsWith(domain)) dns.zone[host] = failing
      await db.mailDomain.update({
        where: { domain_id: made.domain_id },
        data: { next_check_at: new Date(0) },
      })
      await checkDueDomains(new Date(), impatient)
      Object.assign(dns.zone, kept)
      const still = (await call(ReadDomain, { as: owner, params: made })).body
      expect(still).toMatchObject({ status: 'verified', spf: body.spf, dkim: body.dkim })
      expect((await recordOf(owner, made, 'dkim')).failure).toBeTruthy()
    }
  })

  test('a record that is surely gone shows at once, and fails the domain only after three days', async () => {
    const owner = await aUser()
    const made = await added(owner)
    await publish(owner, made)
    await verify(owner, made)
    delete dns.zone[`_dmarc.${domain}`]
    const hours = async (count: number) => {
      const at = new Date(Date.now() + count * 3_600_000)
      await db.mailDomain.update({ where: { domain_id: made.domain_id }, data: { next_check_at: at } })
      await checkDueDomains(at, patient)
      return (await call(ReadDomain, { as: owner, params: made })).body
    }
    expect(await hours(1)).toMatchObject({ status: 'verified', dmarc: { status: 'missing' } })
    expect(await hours(72)).toMatchObject({ status: 'verified' })
    expect(await hours(74)).toMatchObject({ status: 'failed' })
    await publish(owner, made)
    expect((await verify(owner, made)).body.status).toBe('verified')
  })

  test('CNAMEs of the key and of tracking are followed', async () => {
    const owner = await aUser()
    const made = await added(owner)
    await publish(owner, made, ['dkim', 'tracking'])
    const host = `${made.dkim_selector}._domainkey.${domain}`
    dns.zone[`hosted.${domain}`] = dns.zone[host] ?? {}
    dns.zone[host] = { CNAME: `hosted.${domain}` }
    expect((await verify(owner, made)).body).toMatchObject({
      status: 'verifying',
      dkim: { status: 'found' },
      tracking: { status: 'found' },
      spf: { status: 'missing' },
    })
  })

  test('asking again and again is limited, gently', async () => {
    const owner = await aUser()
    const made = await added(owner)
    const answers = []
    for (let tries = 0; tries < 8; tries++) answers.push(await verify(owner, made))
    expect(answers.slice(0, 6).map(({ status }) => status)).toEqual(Array(6).fill(200))
    const refused = answers.at(-1)
    expect([refused?.status, refused?.headers.get('retry-after')]).toEqual([429, '10'])
  })

  test('the sweep looks at what is due, once, and not again before its time', async () => {
    const owner = await aUser()
    const made = await added(owner)
    await publish(owner, made)
    await db.mailDomain.updateMany({ data: { next_check_at: new Date('2100-01-01') } })
    await db.mailDomain.update({ where: { domain_id: made.domain_id }, data: { next_check_at: new Date(0) } })
    const now = new Date()
    const rounds = await Promise.all([checkDueDomains(now, impatient), checkDueDomains(now, impatient)])
    expect(rounds.map(({ checked }) => checked).toSorted()).toEqual([0, 1])
    expect(await checkDueDomains(now, impatient)).toEqual({ checked: 0 })
    const { body } = await call(ReadDomain, { as: owner, params: made })
    expect(body.status).toBe('verified')
    expect(new Date(body.next_check_at).getTime()).toBe(now.getTime() + 86_400_000)
  })
})

describe('rotation', () => {
  test('the first key signs until the second is found; then it is forgotten, and its record stays for a while', async () => {
    const owner = await aUser()
    const made = await added(owner)
    await publish(owner, made)
    await verify(owner, made)
    const { status, body } = await call(RotateDomainKey, { as: owner, params: made })
    expect(status).toBe(200)
    expect(body.dkim_selector).toBe(made.dkim_selector)
    expect(body.dkim_next_selector).toMatch(/^opn/)
    const again = await call(RotateDomainKey, { as: owner, params: made })
    expect([again.status, again.error.detail]).toEqual([409, 'rotation_under_way'])

    expect((await verify(owner, made)).body).toMatchObject({
      status: 'verified',
      dkim_selector: made.dkim_selector,
      dkim: { status: 'found' },
    })
    const hosts = (await setup(owner, made)).records
      .filter(({ purpose }) => purpose === 'dkim')
      .map(({ host }) => host)
    expect(hosts).toEqual(
      [made.dkim_selector, body.dkim_next_selector].map((one) => `${one}._domainkey.${domain}`),
    )

    await publish(owner, made, ['dkim'])
    expect((await verify(owner, made)).body).toMatchObject({
      status: 'verified',
      dkim_selector: body.dkim_next_selector,
      dkim_next_selector: null,
      dkim: { status: 'found' },
    })
    const { instructions } = await setup(owner, made)
    expect(instructions).toContain(`${made.dkim_selector}._domainkey.${domain}`)
    const old = await db.domainKey.findFirstOrThrow({ where: { selector: made.dkim_selector } })
    expect(old).toMatchObject({ state: 'retired', private_key: null })
    await db.domainKey.update({ where: { key_id: old.key_id }, data: { retired_at: new Date(0) } })
    await verify(owner, made)
    expect(await db.domainKey.count({ where: { domain_id: made.domain_id } })).toBe(1)
  })

  test('a key that nobody ever published is replaced at once', async () => {
    const owner = await aUser()
    const made = await added(owner)
    const { body } = await call(RotateDomainKey, { as: owner, params: made })
    expect(body.dkim_selector).not.toBe(made.dkim_selector)
    expect(body.dkim_next_selector).toBeNull()
    expect(await db.domainKey.count({ where: { domain_id: made.domain_id } })).toBe(1)
  })
})

test('the bounce address counts among what is required once it is switched on', async () => {
  const owner = await aUser()
  const made = await added(owner)
  await publish(owner, made)
  const { body } = await call(UpdateDomain, { as: owner, params: made, body: { bounce_address: true } })
  expect(body.return_path).toMatchObject({ enabled: true })
  expect((await verify(owner, made)).body).toMatchObject({
    status: 'verifying',
    return_path: { status: 'missing' },
  })
  await publish(owner, made, ['return_path'])
  expect((await verify(owner, made)).body).toMatchObject({
    status: 'verified',
    return_path: { status: 'found' },
  })
})

describe('requirements', () => {
  test('of each: whether it is met, why, who demands it and where; and each mailbox’s alignment', async () => {
    const owner = await aUser()
    const made = await added(owner)
    const { mailbox_id, address } = await aMailbox(owner, { address: `ada@${domain}` })
    const before = (await call(ReadDomainRequirements, { as: owner, params: made })).body
    expect(before.requirements.find(({ id }) => id === 'dkim')).toMatchObject({ status: 'unknown' })
    expect(before.mailboxes).toEqual([
      {
        mailbox_id,
        address,
        alignment: { spf: false, dkim: false, dmarc: false, reason: expect.any(String) },
      },
    ])
    await publish(owner, made)
    await verify(owner, made)
    const { status, body } = await call(ReadDomainRequirements, { as: owner, params: made })
    expect(status).toBe(200)
    const verdicts = Object.fromEntries(body.requirements.map((one) => [one.id, one.status]))
    expect(verdicts).toMatchObject({
      spf: 'met',
      dkim: 'met',
      dmarc: 'met',
      alignment: 'met',
      complaint_rate: 'unknown',
    })
    expect(body.mailboxes[0]?.alignment).toMatchObject({ spf: true, dkim: true, dmarc: true })
  })
})

describe('removing a domain', () => {
  test('204 and its keys with it; 409 while a campaign under way sends from it', async () => {
    const owner = await aUser()
    const made = await added(owner)
    await aMailbox(owner, { address: `ada@${domain}` })
    const { campaign_id, name } = await aCampaign(owner)
    await db.campaign.update({ where: { campaign_id }, data: { status: 'active' } })
    const refused = await call(DeleteDomain, { as: owner, params: made })
    expect([refused.status, refused.error.detail]).toEqual([409, 'domain_in_use'])
    expect(refused.error.message).toContain(name)
    await db.campaign.update({
      where: { campaign_id },
      data: { status: 'paused', paused_from: 'active', paused_reason: 'user' },
    })
    expect((await call(DeleteDomain, { as: owner, params: made })).status).toBe(204)
    expect(await db.domainKey.count({ where: { domain_id: made.domain_id } })).toBe(0)
    expect((await call(ReadDomain, { as: owner, params: made })).status).toBe(404)
  })

  test('a campaign that names another mailbox does not hold it', async () => {
    const owner = await aUser()
    const made = await added(owner)
    await aMailbox(owner, { address: `ada@${domain}` })
    const other = await aMailbox(owner)
    const { campaign_id } = await aCampaign(owner, { alias_ids: [other.mailbox_id] })
    await db.campaign.update({ where: { campaign_id }, data: { status: 'active' } })
    expect((await call(DeleteDomain, { as: owner, params: made })).status).toBe(204)
  })
})

describe('before a launch', () => {
  async function launchable(owner: Owner) {
    await aMailbox(owner, { address: `ada@${domain}` })
    await db.mailbox.updateMany({
      where: { user_id: owner.user_id },
      data: { smtp: { host: 'smtp.gmail.com', port: 465, security: 'tls', username: null } },
    })
    return aCampaign(owner, { steps_config: [{ subject: 'Hi', message_template: 'Hi' }] })
  }
  const codes = (found: { code: string }[]) => found.map(({ code }) => code)

  test('mail from a domain that nobody looked at warns, and blocks where the owner demands it', async () => {
    const owner = await aUser()
    const campaign = await launchable(owner)
    const checks = async () => (await call(ReadLaunchChecks, { as: owner, params: campaign })).body
    const first = await checks()
    expect(codes(first.warns)).toEqual(expect.arrayContaining(['domain_unverified', 'from_not_aligned']))
    expect(first.warns.find(({ code }) => code === 'domain_unverified')?.fix).toBe('/domains')
    expect(codes(first.blocks)).not.toContain('domain_unverified')

    expect((await call(ReadAccountSettings, { as: owner })).body).toEqual({
      user_id: owner.user_id,
      require_verified_domain: false,
      version: 1,
    })
    const set = await call(UpdateAccountSettings, { as: owner, body: { require_verified_domain: true } })
    expect([set.status, set.body.require_verified_domain]).toEqual([200, true])
    expect(codes((await checks()).blocks)).toContain('domain_unverified')
    const refused = await call(LaunchCampaign, { as: owner, params: campaign })
    expect(refused.status).toBe(409)
    expect(refused.error.detail).toContain(domain)

    dns.zone['_spf.google.com'] = { TXT: ['v=spf1 ip4:198.51.100.0/24 ~all'] }
    const made = await added(owner)
    await publish(owner, made)
    expect((await verify(owner, made)).body.status).toBe('verified')
    const last = await checks()
    expect([...codes(last.blocks), ...codes(last.warns)]).not.toContain('domain_unverified')
    expect((await call(LaunchCampaign, { as: owner, params: campaign })).status).toBe(202)
  })
})
