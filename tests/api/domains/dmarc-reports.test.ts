import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { AddDmarcReports, ReadDmarcReports } from '#lib/contracts/domains/dmarc-reports'
import { db, pool } from '#lib/db/client'
import { removeOldReports } from '#lib/services/domains/dmarc-reports'
import { handleInbound } from '#lib/services/inbox/handle-mail'
import { call } from '#tests/support/call'
import { aDmarcReport, dmarcRecord, zipOf } from '#tests/support/files/dmarc'
import { added, type Owner } from '#tests/support/scenes/domains'
import { aMailbox, aUser } from '#tests/support/scenes/factories'
import { bytes } from '#tests/support/scenes/inbound-mail'

afterEach(() => db.mailbox.deleteMany())

let made = 0
async function aDomain() {
  const owner = await aUser()
  made += 1
  const domain = `reported-${made}.example.com`
  return { owner, domain, params: { domain_id: (await added(owner, domain)).domain_id } }
}
type Params = { domain_id: string }
const read = async (as: Owner, params: Params) => (await call(ReadDmarcReports, { as, params })).body
const add = (as: Owner, params: Params, content: Uint8Array) =>
  call(AddDmarcReports, { as, params, body: { file: new File([new Uint8Array(content)], 'report.xml.gz') } })

const yesterday = () => new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000 - 86_400_000)
const MIXED = [
  dmarcRecord({ ip: '192.0.2.1', count: 90 }),
  dmarcRecord({ ip: '192.0.2.1', count: 6, spf: 'fail' }),
  dmarcRecord({ ip: '203.0.113.9', count: 4, spf: 'fail', dkim: 'fail', disposition: 'reject' }),
]

test('a report is counted once, by day and by server', async () => {
  const { owner, domain, params } = await aDomain()
  const xml = aDmarcReport({ domain, begins: yesterday(), records: MIXED })
  const first = await add(owner, params, gzipSync(xml))
  expect([first.status, first.body]).toEqual([201, { added: 1, known: 0 }])
  expect((await add(owner, params, zipOf({ 'a.xml': bytes(xml) }))).body).toEqual({ added: 0, known: 1 })
  const summary = await read(owner, params)
  expect(summary).toMatchObject({
    domain,
    reports: 1,
    total: { messages: 100, passed: 96, quarantined: 0, rejected: 4 },
    reporters: [{ org_name: 'Google & Co', messages: 100 }],
    sources: [
      { source_ip: '192.0.2.1', messages: 96, passed: 96, spf: 90, dkim: 96, rejected: 0 },
      { source_ip: '203.0.113.9', messages: 4, passed: 0, spf: 0, dkim: 0, rejected: 4 },
    ],
  })
  expect(summary.days).toHaveLength(30)
  expect(summary.days.at(-2)).toEqual({
    date: yesterday().toISOString().slice(0, 10),
    messages: 100,
    passed: 96,
  })
})

test('a report is forgotten 400 days after it was taken in', async () => {
  const { owner, domain, params } = await aDomain()
  await add(owner, params, gzipSync(aDmarcReport({ domain, begins: yesterday(), records: MIXED })))
  const later = (days: number) => new Date(Date.now() + days * 86_400_000)
  const count = () => db.dmarcReport.count({ where: params })
  await removeOldReports(later(399))
  expect(await count()).toBe(1)
  await removeOldReports(later(401))
  expect(await count()).toBe(0)
})

test('what is none, too much, or about another domain is refused in words', async () => {
  const { owner, domain, params } = await aDomain()
  const bomb = gzipSync(Buffer.alloc(50_000_000, ' '))
  for (const content of [bytes('Hello'), bomb, bytes(aDmarcReport({ domain: 'other.test' }))]) {
    const { status, body } = await add(owner, params, content)
    expect([status, body]).toEqual([
      400,
      { detail: 'bad_request', message: expect.stringContaining('report') },
    ])
  }
  // The DMARC record of the parent domain applies to a domain without its own.
  const above = await add(owner, params, bytes(aDmarcReport({ domain: 'example.com', begins: yesterday() })))
  expect(above.body).toEqual({ added: 1, known: 0 })
  expect(await read(owner, params)).toMatchObject({ domain, reports: 1 })
  const stranger = await aUser()
  expect((await call(ReadDmarcReports, { as: stranger, params })).status).toBe(404)
  expect((await add(stranger, params, bytes(aDmarcReport({ domain })))).status).toBe(404)
})

const mailOf = (domain: string, id: string, said: string) => {
  const packed = gzipSync(aDmarcReport({ domain, id, begins: yesterday(), records: MIXED }))
  return bytes(`Authentication-Results: mx.own.test; ${said}
From: noreply-dmarc-support@google.com
To: dana@own.test
Subject: Report domain: ${domain} Submitter: google.com Report-ID: ${id}
Message-ID: <${id}@google.com>
MIME-Version: 1.0
Content-Type: application/gzip; name="google.com!${domain}!1772323200!1772409599.xml.gz"
Content-Disposition: attachment; filename="google.com!${domain}!1772323200!1772409599.xml.gz"
Content-Transfer-Encoding: base64

${packed.toString('base64').replace(/.{76}/g, '$&\n')}
`)
}

test('one that comes into a mailbox is taken in, unless its sender is a false one', async () => {
  const { owner, domain, params } = await aDomain()
  const mailbox = await aMailbox(owner, { address: 'dana@own.test' })
  let uid = 0
  const arrive = (raw: Uint8Array) => {
    const now = new Date()
    uid += 1
    const arrived = { folder: 'INBOX', uid_validity: 1n, uid, raw, size_bytes: raw.length, received_at: now }
    return handleInbound(pool(), mailbox, arrived, now)
  }
  await arrive(mailOf(domain, 'one', 'dmarc=pass header.from=google.com'))
  await arrive(mailOf(domain, 'two', 'dmarc=fail header.from=google.com'))
  await arrive(mailOf('elsewhere.test', 'three', 'dmarc=pass header.from=google.com'))
  expect(await read(owner, params)).toMatchObject({ reports: 1, total: { messages: 100, passed: 96 } })
  expect(await db.dmarcReport.count({ where: { workspace_id: owner.workspace_id } })).toBe(1)
})
