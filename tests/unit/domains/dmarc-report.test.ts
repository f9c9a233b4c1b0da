import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { bringsReports } from '#lib/domain/domains/attached-reports'
import { readDmarcReport } from '#lib/domain/domains/dmarc-report'
import { reportsOfFile, reportsOfMail } from '#lib/services/reading/dmarc'
import { aDmarcReport, dmarcRecord, zipOf } from '#tests/support/files/dmarc'
import { bytes } from '#tests/support/scenes/inbound-mail'

test('who saw what, when, and from which servers', () => {
  const xml = aDmarcReport({
    records: [
      dmarcRecord({ ip: '192.0.2.1', count: 7 }),
      dmarcRecord({ ip: '2001:DB8::1', count: 2, spf: 'fail', dkim: 'fail', disposition: 'quarantine' }),
      dmarcRecord({ ip: '192.0.2.1', count: 3 }),
    ],
  })
  expect(readDmarcReport(xml)).toEqual({
    org_name: 'Google & Co',
    external_id: '8293631894893125362',
    begins_at: Date.parse('2026-03-01T00:00:00Z'),
    ends_at: Date.parse('2026-03-01T23:59:59Z'),
    domain: 'sender.test',
    policy: 'none',
    sources: [
      {
        source_ip: '192.0.2.1',
        messages: 10,
        disposition: 'none',
        spf: true,
        dkim: true,
        header_from: 'sender.test',
      },
      {
        source_ip: '2001:db8::1',
        messages: 2,
        disposition: 'quarantine',
        spf: false,
        dkim: false,
        header_from: 'sender.test',
      },
    ],
  })
})

test('prefixes, comments, CDATA, empty elements and unknown ones are no matter', () => {
  const xml = aDmarcReport()
    .replaceAll(
      '<report_metadata>',
      '<f:report_metadata xmlns:f="urn:x"><!-- <report_id>no</report_id> --><f:extra/>',
    )
    .replaceAll('</report_metadata>', '</f:report_metadata>')
    .replace('Google &amp; Co', '<![CDATA[Google <&> Co]]>')
  expect(readDmarcReport(xml)).toMatchObject({
    org_name: 'Google <&> Co',
    external_id: '8293631894893125362',
  })
})

test.each([
  ['nothing', ''],
  ['another document', '<html><body>Hi</body></html>'],
  ['a document type', `<!DOCTYPE f [<!ENTITY a "aaaa">]>${aDmarcReport()}`],
  ['an end that is missing', aDmarcReport().replace('</feedback>', '')],
  ['ends in the wrong order', aDmarcReport().replace('</row>', '</record>')],
  ['no domain', aDmarcReport().replace('<domain>sender.test</domain>', '')],
  ['times that go backwards', aDmarcReport().replace('<end>1772409599', '<end>1')],
  ['a tag without an end', `${aDmarcReport()}<feedback`],
  ['elements in elements without end', `${'<a>'.repeat(100_000)}`],
])('%s is no report', (_, xml) => {
  expect(readDmarcReport(xml)).toBeNull()
})

test('rows that say nothing of a server are left out, and no number is too large', () => {
  const records = ['0', '-1', '1e9', '99999999999', '', '999999999', '999999999'].map((count) =>
    dmarcRecord({ ip: '192.0.2.1', count }),
  )
  records.push(dmarcRecord({ ip: 'not an address', count: 1 }))
  expect(readDmarcReport(aDmarcReport({ records }))?.sources).toMatchObject([{ messages: 1_000_000_000 }])
})

test('packed by gzip or zip, or not at all', async () => {
  const xml = bytes(aDmarcReport())
  for (const file of [
    xml,
    gzipSync(xml),
    zipOf({ 'report.xml': xml }),
    zipOf({ 'readme.txt': xml, 'a.XML': xml }),
  ])
    expect(await reportsOfFile(new Uint8Array(file))).toMatchObject([{ domain: 'sender.test' }])
})

test('a bomb is left unread, and so is what is damaged', async () => {
  const bomb = Buffer.alloc(200_000_000, ' ')
  const began = process.memoryUsage().rss
  for (const file of [
    gzipSync(bomb),
    zipOf({ 'a.xml': bomb }),
    gzipSync(bytes(aDmarcReport())).subarray(0, 60),
    zipOf({ 'a.xml': bytes(aDmarcReport()) }).subarray(0, 90),
    new Uint8Array([0x1f, 0x8b]),
    new Uint8Array([0x50, 0x4b, 3, 4]),
  ])
    expect(await reportsOfFile(new Uint8Array(file))).toEqual([])
  expect(process.memoryUsage().rss - began).toBeLessThan(150_000_000)
})

const mailWith = (packed: Uint8Array, filename: string) =>
  bytes(`From: noreply-dmarc-support@google.com
To: dana@sender.test
Subject: Report domain: sender.test Submitter: google.com Report-ID: 1
Message-ID: <r1@google.com>
MIME-Version: 1.0
Content-Type: application/zip; name="${filename}"
Content-Disposition: attachment; filename="${filename}"
Content-Transfer-Encoding: base64

${Buffer.from(packed).toString('base64').replace(/.{76}/g, '$&\n')}
`)

test('a mail that brings one', async () => {
  const name = 'google.com!sender.test!1772323200!1772409599.zip'
  expect(await reportsOfMail(mailWith(zipOf({ 'a.xml': bytes(aDmarcReport()) }), name))).toMatchObject([
    { org_name: 'Google & Co' },
  ])
  expect(await reportsOfMail(bytes('Subject: Hello\n\nHello.'))).toEqual([])
})

test.each([
  ['google.com!sender.test!1772323200!1772409599.zip', 'Hello', 'application/octet-stream', true],
  ['report.xml.gz', 'Report Domain: sender.test', 'application/gzip', true],
  ['invoice.zip', 'Your invoice', 'application/zip', false],
  ['photo.jpg', 'Report domain: sender.test', 'image/jpeg', false],
])('%s of "%s" as %s is looked into: %s', (filename, subject, content_type, expected) => {
  expect(bringsReports({ subject, attachments: [{ filename, content_type }] })).toBe(expected)
})
