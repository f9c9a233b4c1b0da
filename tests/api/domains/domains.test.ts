import { createPrivateKey, createPublicKey } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { ReadLaunchChecks } from '#lib/contracts/campaigns/launch-checks'
import { LaunchCampaign } from '#lib/contracts/campaigns/lifecycle'
import {
  CreateDomain,
  DeleteDomain,
  ListDomains,
  ReadDomain,
  ReadDomainRequirements,
  ReadDomainSetup,
} from '#lib/contracts/domains/domains'
import { ReadAccountSettings, UpdateAccountSettings } from '#lib/contracts/workspaces/account-settings'
import { db } from '#lib/db/client'
import { unseal } from '#lib/db/seal'
import { call } from '#tests/support/call'
import { added, dns, type Owner, publish, setup, verify } from '#tests/support/scenes/domains'
import { aCampaign, aMailbox, aUser } from '#tests/support/scenes/factories'

let made = 0
let domain = ''
beforeEach(() => {
  made += 1
  domain = `domain-${made}.example.com`
})

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
      reports: pending,
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

describe('requirements', () => {
  test('of each: whether it is met, why, who demands it and where; and each mailbox’s alignment', async () => {
    const owner = await aUser()
    const made = await added(owner, domain)
    const { mailbox_id, address } = await aMailbox(owner, { address: `ada@${domain}` })
    const before = (await call(ReadDomainRequirements, { as: owner, params: made })).body
    expect(before.requirements.find(({ id }) => id === 'dkim')).toMatchObject({ status: 'unknown' })
    expect(before.mailboxes).toEqual([
      {
        mailbox_id,
        address,
        alignment: { spf: false, dkim: false, dmarc: false, reason: expect.any(String) },
        seen: [],
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
    const made = await added(owner, domain)
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
    const made = await added(owner, domain)
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
      where: { workspace_id: owner.workspace_id },
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
      workspace_id: owner.workspace_id,
      require_verified_domain: false,
      ai_tokens_per_month: null,
      ai_tokens_most: null,
      ai_tokens_used: 0,
      version: 1,
    })
    const set = await call(UpdateAccountSettings, { as: owner, body: { require_verified_domain: true } })
    expect([set.status, set.body.require_verified_domain]).toEqual([200, true])
    expect(codes((await checks()).blocks)).toContain('domain_unverified')
    const refused = await call(LaunchCampaign, { as: owner, params: campaign })
    expect(refused.status).toBe(409)
    expect(refused.error.detail).toContain(domain)

    dns.zone['_spf.google.com'] = { TXT: ['v=spf1 ip4:198.51.100.0/24 ~all'] }
    const made = await added(owner, domain)
    await publish(owner, made)
    expect((await verify(owner, made)).body.status).toBe('verified')
    const last = await checks()
    expect([...codes(last.blocks), ...codes(last.warns)]).not.toContain('domain_unverified')
    expect((await call(LaunchCampaign, { as: owner, params: campaign })).status).toBe(202)
  })
})
