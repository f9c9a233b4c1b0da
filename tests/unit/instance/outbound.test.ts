import { readFile } from 'node:fs/promises'
import os from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLookup, isPublicAddress, resolveHost } from '#lib/providers/outbound'
import { createDnsServer } from '#tests/support/servers/dns'

let dns: Awaited<ReturnType<typeof createDnsServer>>
beforeAll(async () => {
  dns = await createDnsServer({
    'both.example': { A: ['8.8.8.8', '8.8.4.4'], AAAA: ['2606:4700::1111'] },
    'six.example': { AAAA: ['2606:4700::1111'] },
    'silent.example': 'silent',
  })
})
afterAll(() => dns.close())

test.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '64:ff9b::7f00:1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'ff02::1',
  '2001:db8::1',
  '2001::1',
  '2002:7f00:1::',
  'localhost',
  '',
  '0x7f000001',
  '2130706433',
])('%s is not a public address', (address) => expect(isPublicAddress(address)).toBe(false))

test.each(['8.8.8.8', '172.15.0.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450:4001::1'])(
  '%s is a public address',
  (address) => expect(isPublicAddress(address)).toBe(true),
)

const strict = { allow_private_hosts: false }

test('a name is resolved once, and only what may be reached of it is handed on', async () => {
  const asked: string[] = []
  const lookup = async (host: string) => {
    asked.push(host)
    return ['10.0.0.1', '8.8.8.8', '::1']
  }
  expect(await resolveHost('mail.example', 25, strict, lookup)).toEqual({ ok: true, addresses: ['8.8.8.8'] })
  expect(asked).toEqual(['mail.example'])
})

test('a public name that points inside is blocked', async () => {
  const inside = await resolveHost('evil.example', 25, strict, async () => ['169.254.169.254'])
  expect(inside).toMatchObject({ ok: false, reason: 'blocked' })
  expect(await resolveHost('[::1]', 25, strict)).toMatchObject({ ok: false, reason: 'blocked' })
})

test('the operator may allow his own network, or one endpoint of it by name or by address', async () => {
  const lookup = async () => ['10.0.0.9']
  const one = {
    ...strict,
    allowed_endpoints: [
      { host: 'sandbox', port: 2525 },
      { host: '10.0.0.9', port: 26 },
    ],
  }
  const ok = { ok: true, addresses: ['10.0.0.9'] }
  expect(await resolveHost('mail.lan', 25, { allow_private_hosts: true }, lookup)).toEqual(ok)
  expect(await resolveHost('sandbox', 2525, one, lookup)).toEqual(ok)
  expect(await resolveHost('sandbox', 22, one, lookup)).toMatchObject({ reason: 'blocked' })
  expect(await resolveHost('any.name', 26, one, lookup)).toEqual(ok)
})

test('a name that does not resolve says so', async () => {
  const lookup = () => Promise.reject(new Error('ENOTFOUND'))
  expect(await resolveHost('no.example', 25, strict, lookup)).toMatchObject({
    ok: false,
    reason: 'not_found',
  })
  expect(await resolveHost('no.example', 25, strict, async () => [])).toMatchObject({ reason: 'not_found' })
})

test('names are asked of DNS, IPv4 first, and one that it does not know says so', async () => {
  const lookup = createLookup([dns.server])
  expect((await lookup('both.example')).toSorted()).toEqual(['2606:4700::1111', '8.8.4.4', '8.8.8.8'])
  expect((await lookup('both.example')).at(-1)).toBe('2606:4700::1111')
  expect(await lookup('six.example')).toEqual(['2606:4700::1111'])
  expect(await resolveHost('no.example', 25, strict, lookup)).toEqual({
    ok: false,
    reason: 'not_found',
    error: 'Cannot find no.example: DNS has no such name.',
  })
})

test('names whose servers are silent hold up nothing else', async () => {
  const lookup = createLookup([dns.server])
  let ended = 0
  for (let times = 0; times < 8; times += 1)
    void lookup('silent.example').catch(() => {
      ended += 1
    })
  // Reading a file or hashing a password needs a thread of the same pool that the system's lookup function would block.
  await readFile(import.meta.filename)
  expect([await lookup('six.example'), ended]).toEqual([['2606:4700::1111'], 0])
})

test('names of this machine are resolved where they are allowed, and elsewhere not even asked for', async () => {
  const allowed = await resolveHost('localhost', 25, { allow_private_hosts: true })
  expect(allowed).toMatchObject({ ok: true })
  const one = { ...strict, allowed_endpoints: [{ host: '127.0.0.1', port: 2525 }] }
  expect(await resolveHost('localhost', 2525, one)).toEqual({ ok: true, addresses: ['127.0.0.1'] })
  const asked: string[] = []
  const lookup = async (host: string) => {
    asked.push(host)
    return ['8.8.8.8']
  }
  for (const host of ['localhost', os.hostname().split('.')[0] ?? '', 'printer.local', '10.0.0.1'])
    expect(await resolveHost(host, 25, strict, lookup)).toMatchObject({ ok: false, reason: 'blocked' })
  expect(asked).toEqual([])
})
