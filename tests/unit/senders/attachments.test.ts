import { createHash } from 'node:crypto'
import { simpleParser } from 'mailparser'
import { describe, expect, test } from 'vitest'
import { readMime } from '#lib/domain/inbox/mime'
import { readFiles } from '#lib/domain/inbox/written/mail-files'
import { composeMail } from '#lib/providers/mail/compose'
import { aProvider, aSink, mailboxAt, message } from '#tests/support/scenes/smtp'

const ALL_BYTES = Uint8Array.from({ length: 70_001 }, (_, i) => (i * 7919 + (i >> 8)) % 256)
const LINES = new TextEncoder().encode('one\rtwo\n.three\r\n\r\n--\r\n.\r\n')
const FILES = [
  { filename: 'Angebot für Zoë.pdf', content_type: 'application/pdf', content: ALL_BYTES },
  { filename: 'a "quoted"; name.txt', content_type: 'text/plain', content: LINES },
  { filename: 'empty.csv', content_type: 'text/csv', content: new Uint8Array() },
]
const digest = (content: Uint8Array) => createHash('sha256').update(content).digest('hex')
const told = (files: { filename?: string | null | undefined; content: Uint8Array }[]) =>
  files.map(({ filename, content }) => [filename, digest(content)])

describe('files of a message', () => {
  test('arrive byte for byte over real SMTP, under their names, beside the text and the HTML', async () => {
    const sink = await aSink({ extensions: ['AUTH PLAIN', 'SIZE 10000000'] })
    const outcome = await aProvider().send(mailboxAt(sink.port), message({ attachments: FILES }))
    expect(outcome.outcome).toBe('accepted')
    const raw = Buffer.from(sink.messages[0]?.raw ?? '', 'latin1')
    const read = await simpleParser(raw)
    expect(told(read.attachments)).toEqual(told(FILES))
    expect(read.attachments.map(({ contentType }) => contentType)).toEqual(
      FILES.map(({ content_type }) => content_type),
    )
    expect(read.attachments.every(({ contentDisposition }) => contentDisposition === 'attachment')).toBe(true)
    expect(read.text).toContain('Hello Grace')
    expect(read.html).toContain('<p>Hello Grace</p>')
    expect(raw.toString('latin1')).toMatch(/^Content-Type: multipart\/mixed;/m)
  })

  test('make lines that every server takes, and the same bytes each time', () => {
    const raw = composeMail(message({ attachments: FILES })).toString('latin1')
    expect(raw).not.toMatch(/[^\r]\n|\r[^\n]/)
    expect(Math.max(...raw.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(998)
    expect(composeMail(message({ attachments: FILES })).toString('latin1')).toBe(raw)
    expect(composeMail(message({ attachments: [] }))).toEqual(composeMail(message()))
  })

  test('are read back from a mail with their bytes, and none from what cannot be taken apart', async () => {
    const raw = composeMail(message({ attachments: FILES }))
    expect(told(await readFiles(raw))).toEqual(told(FILES))
    expect((await readMime(raw)).parts.map(({ filename }) => filename)).toEqual(
      FILES.map(({ filename }) => filename),
    )
    expect(await readFiles(Buffer.from('no mail at all'))).toEqual([])
  })

  test('of a type that means something to who takes a mail apart are plain bytes', async () => {
    const raw = `From: a@x.test\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: message/partial; id=1\r\nContent-Disposition: attachment; filename=x.eml\r\n\r\nFrom: b@x.test\r\n--b\r\nContent-Type: text/html\r\nContent-Disposition: attachment; filename=x.html\r\n\r\n<p>\r\n--b--\r\n`
    const types = (await readFiles(Buffer.from(raw))).map(({ content_type }) => content_type)
    expect(types).toEqual(['application/octet-stream', 'text/html'])
  })
})
