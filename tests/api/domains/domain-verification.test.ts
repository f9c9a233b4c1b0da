import { beforeEach, describe, expect, test } from 'vitest'
import { ReadDomain, RotateDomainKey, UpdateDomain } from '#lib/contracts/domains/domains'
import { db } from '#lib/db/client'
import { createDnsProvider } from '#lib/providers/dns/driver'
import { checkDueDomains } from '#lib/services/domains/sweep'
import { call } from '#tests/support/call'
import { added, dns, publish, recordOf, setup, verify } from '#tests/support/scenes/domains'
import { aUser } from '#tests/support/scenes/factories'

const patient = createDnsProvider({ servers: [dns.server], timeout_ms: 20_000 })
const impatient = createDnsProvider({ servers: [dns.server], timeout_ms: 200 })

let made = 0
let domain = ''
beforeEach(() => {
  made += 1
  domain = `domain-${made}.example.com`
})

describe('verification', () => {
  test('with every required record found the domain is verified, and stays so while DNS fails', async () => {
    const owner = await aUser()
    const made = await added(owner, domain)
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
    const made = await added(owner, domain)
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
    const made = await added(owner, domain)
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
    const made = await added(owner, domain)
    const answers = []
    for (let tries = 0; tries < 8; tries++) answers.push(await verify(owner, made))
    expect(answers.slice(0, 6).map(({ status }) => status)).toEqual(Array(6).fill(200))
    const refused = answers.at(-1)
    expect([refused?.status, refused?.headers.get('retry-after')]).toEqual([429, '10'])
  })

  test('the sweep looks at what is due, once, and not again before its time', async () => {
    const owner = await aUser()
    const made = await added(owner, domain)
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
    const made = await added(owner, domain)
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
    const made = await added(owner, domain)
    const { body } = await call(RotateDomainKey, { as: owner, params: made })
    expect(body.dkim_selector).not.toBe(made.dkim_selector)
    expect(body.dkim_next_selector).toBeNull()
    expect(await db.domainKey.count({ where: { domain_id: made.domain_id } })).toBe(1)
  })
})

test('the bounce address counts among what is required once it is switched on', async () => {
  const owner = await aUser()
  const made = await added(owner, domain)
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
