import { createServer } from 'node:https'
import { afterAll, afterEach, expect, test } from 'vitest'
import { finding } from '#lib/domain/domains/record-check'
import { createDnsProvider } from '#lib/providers/dns/driver'
import { createOwnHosts } from '#lib/providers/mail-config/certificate'
import { runFurtherChecks } from '#lib/services/domains/further-lookups'
import { certificateFor } from '#tests/support/servers/certificate'
import { createDnsServer } from '#tests/support/servers/dns'

const dns = await createDnsServer()
const provider = createDnsProvider({ servers: [dns.server] })
const POLICY = 'version: STSv1\nmode: enforce\nmx: mx1.sender.test\nmax_age: 604800\n'
let answer: { status: number; location?: string } = { status: 200 }

async function hostFor(name: string) {
  const { key, cert } = certificateFor(name)
  const server = createServer({ key, cert }, (_request, response) => {
    response.writeHead(answer.status, answer.location ? { location: answer.location } : {})
    response.end(POLICY)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const at = (policy = { allow_private_hosts: true }, ca: string | undefined = cert) =>
    createOwnHosts({ policy, port, ...(ca && { ca }), lookup: async () => ['127.0.0.1'], timeout_ms: 3_000 })
  closers.push(() => new Promise((resolve) => server.close(resolve)))
  return at
}
const closers: (() => Promise<unknown>)[] = [() => dns.close()]
const asPolicy = await hostFor('mta-sts.sender.test')
const asTracking = await hostFor('track.sender.test')
afterAll(() => Promise.all(closers.map((close) => close())))
afterEach(() => {
  answer = { status: 200 }
  for (const name of Object.keys(dns.zone)) delete dns.zone[name]
})

const wanted = {
  domain: 'sender.test',
  servers: [{ host: 'smtp.sender.test', encrypted: true }],
  looked: {
    dmarc: { answer: finding('found', ['v=DMARC1; p=reject']) },
    mx: { answer: finding('found', ['10 mx1.sender.test']) },
    tracking: { answer: finding('found', ['links.opener.test']) },
  },
  now: new Date(),
}
const states = (checks: Awaited<ReturnType<typeof runFurtherChecks>>) =>
  Object.fromEntries(checks.map(({ id, state }) => [id, state]))

test('what a domain publishes is read from DNS and from its own hosts', async () => {
  dns.zone['_mta-sts.sender.test'] = { TXT: ['v=STSv1; id=1'] }
  dns.zone['_smtp._tls.sender.test'] = { TXT: ['v=TLSRPTv1; rua=mailto:tls@sender.test'] }
  dns.zone['default._bimi.sender.test'] = { TXT: ['v=BIMI1; l=https://sender.test/logo.svg'] }
  const checks = await runFurtherChecks(provider, wanted, { ...asTracking(), mtaSts: asPolicy().mtaSts })
  // The test's certificate is valid for an hour.
  expect(states(checks)).toEqual({
    mta_sts: 'ok',
    tls_rpt: 'ok',
    bimi: 'ok',
    tracking_certificate: 'problem',
  })
  expect(checks.at(-1)?.detail).toContain('expires on')
})

test('nothing is set up, and no blocklist is asked unless the operator names one', async () => {
  const before = dns.asked.length
  const none = { ...wanted, looked: { ...wanted.looked, tracking: { answer: finding('missing') } } }
  expect(states(await runFurtherChecks(provider, none, asTracking()))).toEqual({
    mta_sts: 'absent',
    tls_rpt: 'absent',
    bimi: 'absent',
  })
  const asked = dns.asked.slice(before).map(({ name }) => name)
  expect(asked.toSorted()).toEqual([
    '_mta-sts.sender.test',
    '_smtp._tls.sender.test',
    'default._bimi.sender.test',
  ])
})

test('DNS that fails says nothing', async () => {
  dns.zone['_mta-sts.sender.test'] = 'servfail'
  expect(states(await runFurtherChecks(provider, wanted, asTracking())).mta_sts).toBe('unknown')
})

test('a policy behind a redirect does not count, and a private host is not asked', async () => {
  answer = { status: 301, location: 'https://elsewhere.test/' }
  expect(await asPolicy().mtaSts('sender.test')).toEqual({ error: 'it answers 301' })
  const closed = asPolicy({ allow_private_hosts: false })
  expect(await closed.mtaSts('sender.test')).toMatchObject({ error: expect.stringContaining('private') })
  expect(await closed.certificate('track.sender.test')).toMatchObject({ is_reachable: false })
})

test('a certificate that a browser refuses is told apart from a host that is away', async () => {
  expect(await asTracking().certificate('other.sender.test')).toMatchObject({ is_reachable: true })
  expect(await asTracking(undefined, '').certificate('track.sender.test')).toMatchObject({
    is_reachable: true,
  })
  const away = createOwnHosts({
    policy: { allow_private_hosts: true },
    port: 1,
    lookup: async () => ['127.0.0.1'],
  })
  expect(await away.certificate('track.sender.test')).toMatchObject({ is_reachable: false })
})

test('the lists that the operator names are asked about the domain and its servers', async () => {
  const lists = { domains: ['dbl.test'], addresses: ['zen.test', 'other.test'] }
  dns.zone['smtp.sender.test'] = { A: ['8.8.4.4'] }
  dns.zone['sender.test.dbl.test'] = { A: ['127.0.1.2'] }
  const listed = await runFurtherChecks(provider, wanted, asTracking(), lists)
  expect(states(listed)).toMatchObject({ blocklist_domain: 'problem', blocklist_servers: 'ok' })
  expect(dns.asked.map(({ name }) => name)).toContain('4.4.8.8.zen.test')
  dns.zone['4.4.8.8.other.test'] = { A: ['127.0.0.2'] }
  const [servers] = (await runFurtherChecks(provider, wanted, asTracking(), lists)).filter(
    ({ id }) => id === 'blocklist_servers',
  )
  expect(servers?.detail).toBe('On a list: 8.8.4.4 (other.test).')
})
