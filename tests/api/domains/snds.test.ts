import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ConnectSnds, DisconnectSnds, ReadSnds } from '#lib/contracts/domains/snds'
import { db } from '#lib/db/client'
import { unseal } from '#lib/db/seal'
import { domainWarnings } from '#lib/services/domains/sender-domains'
import { connectSnds } from '#lib/services/domains/snds/accounts'
import { readDueSnds } from '#lib/services/domains/snds/read'
import { findSndsWarnings, sndsSummary } from '#lib/services/domains/snds/summary'
import { call } from '#tests/support/call'
import { aUser } from '#tests/support/scenes/factories'
import { aMember } from '#tests/support/scenes/team'
import { anSndsServer } from '#tests/support/servers/snds'

// Set early: the environment is read once, on first use.
process.env.SANDBOX_SMTP_PORT = '1025'

const NOW = new Date('2026-06-15T12:00:00Z')
const hours = (count: number) => new Date(NOW.getTime() + count * 3_600_000)
const KEY = 'f31c2f4e-9d0a-4a53-8f2c-000000000001'

let server: Awaited<ReturnType<typeof anSndsServer>>
beforeAll(async () => {
  server = await anSndsServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  server.state.keys = new Set([KEY])
  server.state.days.clear()
  server.state.blocks = []
  server.state.play = () => undefined
  server.state.asked = []
  await db.sndsAccount.deleteMany()
  await db.sndsDay.deleteMany()
})

/** A line as Microsoft writes it, for the day `back` days ago. */
function counted(back: number, ip: string, result: string, complaints = '< 0.1%', traps = 0) {
  const date = new Date(NOW.getTime() - back * 86_400_000).toISOString()
  const asked = `${date.slice(5, 7)}${date.slice(8, 10)}${date.slice(2, 4)}`
  const [from, to] = ['6/12/2026 7:00 AM', '6/12/2026 8:00 PM']
  const line = `${ip},${from},${to},1895,1894,1890,${result},${complaints},,,${traps},mail.example.com,<a@example.com>,"a, comment"`
  server.state.days.set(asked, [...(server.state.days.get(asked) ?? []), line])
}
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    ({ code }) => code,
  )
const connected = async (typed = KEY) => {
  const { workspace_id } = await aUser()
  return { workspace_id, summary: await connectSnds(workspace_id, typed, NOW, server.find) }
}

test('fourteen days of each address are read, whatever surrounds the key', async () => {
  counted(1, '198.51.100.7', 'GREEN')
  counted(2, '198.51.100.7', 'YELLOW', '0.2%')
  counted(13, '198.51.100.8', 'GREEN')
  counted(14, '198.51.100.9', 'RED')
  const address = `https://sendersupport.olc.protection.outlook.com/snds/data.aspx?key=${KEY}`
  const { summary, workspace_id } = await connected(address)
  expect(summary).toMatchObject({ connected: true, is_made_up: false, said: null, warnings: [] })
  expect(summary.ips.map(({ ip, days }) => [ip, days.map(({ result }) => result)])).toEqual([
    ['198.51.100.7', ['green', 'yellow']],
    ['198.51.100.8', ['green']],
  ])
  expect(summary.ips[0]?.days[1]).toEqual({
    date: '2026-06-13',
    result: 'yellow',
    complaints: '0.2%',
    complaint_share: 0.002,
    recipients: 1890,
    trap_hits: 0,
  })
  const row = await db.sndsAccount.findUniqueOrThrow({ where: { workspace_id } })
  expect(unseal(row.key, workspace_id)).toBe(KEY)
  expect(() => unseal(row.key)).toThrow()
  expect(JSON.stringify(summary)).not.toContain(KEY)
})

test('what is blocked, red, reported or trapped is said, the worst of each address', async () => {
  server.state.blocks = [
    '203.0.113.1,203.0.113.1,Yes,Blocked due to user complaints.',
    '203.0.113.2,203.0.113.2,No,x',
  ]
  counted(2, '198.51.100.7', 'RED', '0.5%', 3)
  counted(1, '198.51.100.7', 'GREEN')
  counted(3, '198.51.100.8', 'GREEN', '0.4%')
  counted(4, '198.51.100.9', 'GREEN', '< 0.1%', 2)
  counted(9, '198.51.100.10', 'RED')
  const { workspace_id, summary } = await connected()
  expect(summary.warnings).toHaveLength(4)
  expect(summary.warnings[0]).toContain('203.0.113.1: Blocked due to user complaints.')
  expect(summary.warnings.join('\n')).toMatch(/198\.51\.100\.7 on Sat 13 Jun 2026 as spam/)
  expect(summary.warnings.join('\n')).toMatch(/0\.4% of the mail from 198\.51\.100\.8/)
  expect(summary.warnings.join('\n')).toMatch(/2 of Microsoft’s spam traps/)
  expect(await findSndsWarnings(workspace_id, NOW.getTime())).toEqual(summary.warnings)
})

test('it warns where a mailbox has a server of its own, and nowhere else', async () => {
  counted(1, '198.51.100.7', 'RED')
  const { workspace_id } = await connected()
  const through = async (host: string) => {
    const mailbox = {
      address: 'ana@company.test',
      smtp: { host, port: 465, security: 'tls', username: null },
    }
    return (await domainWarnings(workspace_id, [mailbox], NOW.getTime())).map(({ code }) => code)
  }
  expect(await through('mail.company.test')).toContain('ip_filtered_by_outlook')
  expect(await through('smtp.gmail.com')).not.toContain('ip_filtered_by_outlook')
})

test('it is read twice a day, by the days that may have changed', async () => {
  const { workspace_id } = await connected()
  server.state.asked = []
  expect(await readDueSnds(hours(11), server.find)).toEqual({ read: 0 })
  counted(1, '198.51.100.7', 'GREEN')
  expect(await readDueSnds(hours(12), server.find)).toEqual({ read: 1 })
  expect(server.state.asked).toEqual([
    '/snds/ipStatus.aspx',
    '/snds/data.aspx 061626',
    '/snds/data.aspx 061526',
    '/snds/data.aspx 061426',
    '/snds/data.aspx 061326',
  ])
  expect(await sndsSummary(workspace_id, hours(12))).toMatchObject({ ips: [{ ip: '198.51.100.7' }] })
  server.state.days.clear()
  await readDueSnds(hours(24), server.find)
  expect((await sndsSummary(workspace_id, hours(24))).ips).toEqual([])
})

test.each([
  ['a page in the place of a table', { status: 200, body: '<html>Sorry</html>' }, 24],
  ['no time', { status: 429, body: '' }, 13],
  ['an error', { status: 500, body: '' }, 13],
  ['a redirect to a sign-in', { status: 302, body: '', headers: { location: 'http://127.0.0.1:9/' } }, 24],
])('%s keeps what was known, and says so', async (_, answer, next) => {
  counted(1, '198.51.100.7', 'GREEN')
  const { workspace_id } = await connected()
  server.state.play = () => answer
  await readDueSnds(hours(12), server.find)
  const summary = await sndsSummary(workspace_id, hours(12))
  expect(summary).toMatchObject({ next_read_at: hours(next).toISOString(), ips: [{ ip: '198.51.100.7' }] })
  expect(summary.said).toBeTruthy()
  expect(summary.said).not.toContain(KEY)
})

test('a key that Microsoft does not take is not kept, and one out of reach says nothing of it', async () => {
  const { workspace_id } = await aUser()
  const stranger = KEY.replace('1', '2')
  expect(await codeOf(connectSnds(workspace_id, stranger, NOW, server.find))).toBe('snds_key_refused')
  server.state.play = () => ({ status: 503, body: '' })
  expect(await codeOf(connectSnds(workspace_id, KEY, NOW, server.find))).toBe('provider_unavailable')
  expect(await db.sndsAccount.count()).toBe(0)
})

test('another key takes the place of the first, and what was read by that is gone', async () => {
  counted(1, '198.51.100.7', 'GREEN')
  const { workspace_id } = await connected()
  const other = KEY.replace(/1$/, '2')
  server.state.keys.add(other)
  server.state.days.clear()
  expect((await connectSnds(workspace_id, other, hours(1), server.find)).ips).toEqual([])
})

test('lines that are none are passed over', async () => {
  server.state.days.set('061426', [
    '',
    'not,a,line',
    'x,,,1,1,1,GREEN,,,,0,,,',
    '198.51.100.7,,,1,1,-4,PURPLE,,,,0,,,',
  ])
  expect((await connected()).summary.ips).toEqual([])
})

test('admins connect it; viewers read it, and nobody else sees it', async () => {
  const owner = await aUser()
  const body = { key: 'sandbox' }
  expect((await call(ConnectSnds, { as: await aMember(owner, 'member'), body })).status).toBe(403)
  const made = await call(ConnectSnds, { as: owner, body })
  expect(made.body).toMatchObject({ connected: true, is_made_up: true })
  expect(made.body.ips).toHaveLength(2)
  expect(await findSndsWarnings(owner.workspace_id, Date.now())).toEqual([])
  const viewer = await aMember(owner, 'viewer')
  expect((await call(ReadSnds, { as: viewer })).body.connected).toBe(true)
  expect((await call(ReadSnds, { as: await aUser() })).body).toMatchObject({ connected: false, ips: [] })
  expect((await call(DisconnectSnds, { as: viewer })).status).toBe(403)
  expect((await call(DisconnectSnds, { as: owner })).status).toBe(204)
  expect((await call(DisconnectSnds, { as: owner })).status).toBe(404)
  expect(await db.sndsDay.count()).toBe(0)
})

test('422 for what is no key, without a word of it', async () => {
  const { status, text } = await call(ConnectSnds, { as: await aUser(), body: { key: 'my secret key' } })
  expect(status).toBe(422)
  expect(text).not.toContain('my secret')
})
