import { afterEach, describe, expect, test } from 'vitest'
import { judgeList, type ListRisk } from '#lib/domain/finder/list-risk'
import { neverBounce } from '#lib/providers/verification/neverbounce'
import { sandboxVerifier } from '#lib/providers/verification/sandbox'
import { zeroBounce } from '#lib/providers/verification/zerobounce'
import { scriptedServer } from '#tests/support/servers/scripted-server'

describe('the risk of a list', () => {
  const none = { valid: 0, invalid: 0, risky: 0, unknown: 0, unverified: 0 }
  test.each<[Partial<typeof none>, ListRisk, RegExp]>([
    [{}, 'unknown', /no addresses/],
    [{ unverified: 10 }, 'unknown', /No address has been verified/],
    [{ valid: 95, invalid: 5 }, 'high', /5 % .* would bounce/],
    [{ valid: 9, invalid: 1, unverified: 990 }, 'high', /10 %/],
    [{ valid: 79, unverified: 21 }, 'unknown', /79 %/],
    [{ valid: 80, unverified: 20 }, 'low', /Few/],
    [{ valid: 98, invalid: 2 }, 'medium', /2 %/],
    [{ valid: 80, risky: 20 }, 'medium', /20 % .* risky/],
    [{ unknown: 100 }, 'unknown', /it is unknown which/],
    [{ valid: 1_000, invalid: 1 }, 'low', /Few/],
  ])('%o is %s', (counts, risk, reason) => {
    expect(judgeList({ ...none, ...counts })).toEqual({ risk, reason: expect.stringMatching(reason) })
  })
})

describe('verification services', () => {
  let close = async () => {}
  afterEach(() => close())
  const options = { api_key: 'key-1', price_micros: 8_000, policy: { allow_private_hosts: true } }
  const serve = async (reply: Parameters<typeof scriptedServer>[0][number]) => {
    const server = await scriptedServer([reply])
    close = server.close
    return server
  }

  test.each([
    [
      { status: 'success', result: 'valid', flags: [] },
      { status: 'valid', code: 'accepted' },
    ],
    [
      { status: 'success', result: 'valid', flags: ['role_account'] },
      { status: 'risky', code: 'role' },
    ],
    [
      { status: 'success', result: 'invalid' },
      { status: 'invalid', code: 'no_such_mailbox' },
    ],
    [
      { status: 'success', result: 'disposable' },
      { status: 'risky', code: 'disposable' },
    ],
    [
      { status: 'success', result: 'catchall' },
      { status: 'risky', code: 'catch_all' },
    ],
  ])('NeverBounce says %o', async (body, fields) => {
    const server = await serve({ body })
    const answer = await neverBounce({ ...options, url: server.url }).lookup({ email: 'ada@acme.com' })
    expect(answer).toEqual({
      outcome: 'found',
      fields: { ...fields, reason: expect.stringContaining('NeverBounce says') },
      cost_micros: 8_000,
      source: 'NeverBounce',
    })
    expect(JSON.parse(server.heard[0]?.body ?? '')).toMatchObject({ key: 'key-1', email: 'ada@acme.com' })
  })

  test.each([
    [{ body: { status: 'success', result: 'unknown' } }, { outcome: 'nothing', cost_micros: 0 }],
    [
      { body: { status: 'auth_failure', message: 'Wrong key' } },
      { outcome: 'failed', error: 'NeverBounce: Wrong key', is_paid: false },
    ],
    [{ status: 503 }, { outcome: 'failed', error: 'NeverBounce answered 503.', is_paid: true }],
    [{ body: '<html>' }, { outcome: 'failed', is_paid: true }],
    [{ hangUp: true as const }, { outcome: 'failed', is_paid: true }],
  ])('NeverBounce answers %o', async (reply, expected) => {
    const server = await serve(reply)
    const answer = await neverBounce({ ...options, url: server.url }).lookup({ email: 'ada@acme.com' })
    expect(answer).toMatchObject(expected)
  })

  test.each([
    ['valid', '', { status: 'valid', code: 'accepted' }],
    ['invalid', 'mailbox_not_found', { status: 'invalid', code: 'no_such_mailbox' }],
    ['invalid', 'no_dns_entries', { status: 'invalid', code: 'no_such_domain' }],
    ['spamtrap', '', { status: 'invalid', code: 'spam_trap' }],
    ['catch-all', '', { status: 'risky', code: 'catch_all' }],
    ['do_not_mail', 'role_based', { status: 'risky', code: 'role' }],
    ['do_not_mail', 'toxic', { status: 'risky', code: 'do_not_mail' }],
    ['abuse', '', { status: 'risky', code: 'complains' }],
  ])('ZeroBounce says %s %s', async (status, sub_status, fields) => {
    const server = await serve({ body: { address: 'ada+x@acme.com', status, sub_status } })
    const answer = await zeroBounce({ ...options, url: server.url }).lookup({ email: 'ada+x@acme.com' })
    expect(answer).toMatchObject({ outcome: 'found', fields })
    const { method, url } = server.heard[0] ?? { url: '/' }
    expect(method).toBe('GET')
    expect(new URL(url, server.url).searchParams.get('email')).toBe('ada+x@acme.com')
  })

  test('no error of ZeroBounce tells the key', async () => {
    const server = await serve({ body: { error: 'Invalid API key or your account ran out of credits' } })
    const verifier = zeroBounce({ ...options, url: server.url })
    const refused = await verifier.lookup({ email: 'ada@acme.com' })
    expect(refused).toMatchObject({ outcome: 'failed', is_paid: false })
    await server.close()
    const gone = await verifier.lookup({ email: 'ada@acme.com' })
    expect(gone).toMatchObject({ outcome: 'failed' })
    expect(JSON.stringify([refused, gone])).not.toContain('key-1')
  })

  test('the sandbox knows example domains alone', async () => {
    const said = async (email: string) => await sandboxVerifier.lookup({ email })
    expect(await said('ada@acme.com')).toEqual({ outcome: 'nothing', cost_micros: 0 })
    expect(await said('gone@example.com')).toMatchObject({ fields: { status: 'invalid' } })
    expect(await said('maybe@a.example')).toMatchObject({ fields: { status: 'risky' } })
    expect(await said('ada@example.org')).toMatchObject({
      fields: { reason: expect.stringContaining('made up') },
    })
  })
})
