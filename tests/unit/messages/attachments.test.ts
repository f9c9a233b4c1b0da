import { describe, expect, test } from 'vitest'
import { attachmentName } from '#lib/domain/messages/attached/filename'
import { judgeAttachment } from '#lib/domain/messages/attached/judge'
import { attachedProblem, sentBytes } from '#lib/domain/messages/attached/limits'
import { composeMail } from '#lib/providers/mail/compose'
import { zipOf } from '#tests/support/files/zip'
import { message } from '#tests/support/scenes/smtp'

const MIB = 1024 * 1024
const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))
const judge = (filename: string, content: Uint8Array) => judgeAttachment({ filename, bytes: content })
const reason = (filename: string, content: Uint8Array) => {
  const judged = judge(filename, content)
  return judged.ok ? 'taken' : judged.reason
}
const packed = (names: string[]) => zipOf(names.map((name) => ({ name, content: 'x' })))
const OOXML = ['[Content_Types].xml', 'word/document.xml']
const OLE = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'
const PNG = '\x89PNG\r\n\x1a\n'

describe('a file', () => {
  test.each([
    ['Offer.pdf', bytes('%PDF-1.7'), 'application/pdf'],
    ['a.png', bytes(PNG), 'image/png'],
    // Phones name images like that; the recipient still sees an image.
    ['a.jpg', bytes(PNG), 'image/png'],
    ['list.csv', bytes('a,b\n1,2'), 'text/csv'],
    ['MZ.txt', bytes('MZ is a text'), 'text/plain'],
    ['Unicode.txt', bytes('\xff\xfea\0b\0'), 'text/plain'],
    ['page.html', bytes('<p>'), 'text/html'],
    // Mail servers would take a part of this type apart.
    ['mail.eml', bytes('From: a@b.test'), 'application/octet-stream'],
    ['no ending', bytes('%PDF-1.7'), 'application/pdf'],
    ['plan.dwg', bytes('AC1032\0\0'), 'application/octet-stream'],
    ['old.doc', bytes(`${OLE}words`), 'application/msword'],
    ['cv.docx', packed(OOXML), 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['all.zip', packed(['a.txt', 'docs/b.pdf']), 'application/zip'],
  ])('%s has the type of its content', (filename, content, content_type) => {
    expect(judge(filename, content)).toEqual({ ok: true, filename, content_type })
  })

  test.each([
    ['a.exe', bytes('harmless'), 'programs'],
    ['a.js', bytes('harmless'), 'programs'],
    ['a.pdf.scr', bytes('%PDF-1.7'), 'programs'],
    ['a.vbs. ', bytes('harmless'), 'programs'],
    ['a.ＥＸＥ', bytes('harmless'), 'programs'],
    ['list.xlsm', packed(OOXML), 'macros'],
    ['all.rar', bytes('Rar!'), 'Use a ZIP'],
    ['a.pdf', bytes('MZ\x90\0\x03'), 'program'],
    ['a.txt', bytes('#!/bin/sh\nrm'), 'program'],
    ['a', bytes('\x7fELF\x02'), 'program'],
    ['a.dat', bytes('7z\xbc\xaf\x27\x1c'), 'cannot be checked'],
    ['cv.docx', packed([...OOXML, 'word/vbaProject.bin']), 'macros'],
    ['old.doc', bytes(`${OLE}${[...'_VBA_PROJECT'].join('\0')}\0`), 'macros'],
    ['all.zip', packed(['docs/a.pdf', 'docs/run.bat']), 'programs'],
    ['all.zip', packed(['inner.zip']), 'another ZIP'],
    ['all.zip', packed(['a.txt']).subarray(0, 40), 'damaged'],
    ['Offer.pdf', packed(['a.txt']), 'named .pdf, but it is a ZIP archive'],
    ['cv.docx', packed(['a.txt']), 'named .docx, but it is a ZIP archive'],
    ['a.csv', bytes(PNG), 'named .csv, but it is an image'],
    ['a.pdf', new Uint8Array(), 'empty'],
    ['a.pdf', new Uint8Array(10 * MIB + 1).fill(65), 'larger than 10 MB'],
  ])('%s is refused, and it is said why', (filename, content, why) => {
    expect(reason(filename, content)).toContain(why)
  })

  test('in a ZIP with a password is refused', () => {
    const locked = zipOf([{ name: 'a.txt', content: 'x', encrypted: true }])
    expect(reason('all.zip', locked)).toContain('password')
  })

  test('that says of itself what is not there ends the reading of it', () => {
    for (let at = 0; at < 60; at += 1) {
      const broken = packed(['a.txt'])
      broken[broken.length - 1 - at] = 0xff
      expect(reason('all.zip', broken)).toMatch(/taken|damaged|password|named/)
    }
  })
})

describe('the name of a file', () => {
  test.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\me\\Offer.pdf', 'Offer.pdf'],
    ['in\r\nvoice\0.pdf', 'invoice.pdf'],
    ['cod\u202efdp.exe', 'codfdp.exe'],
    ['\u2066a\u2069\u200b.pdf', 'a.pdf'],
    ['.htaccess', 'htaccess'],
    ['a.exe. . ', 'a.exe'],
    ['a"b<c>:d|e?.pdf', 'a_b_c__d_e_.pdf'],
    ['Angebot für Zoë.pdf', 'Angebot für Zoë.pdf'],
    ['提案.pdf', '提案.pdf'],
    ['...', 'attachment'],
    ['', 'attachment'],
  ])('%j travels as %j', (given, name) => {
    expect(attachmentName(given)).toBe(name)
  })

  test('that is too long keeps its ending', () => {
    const name = attachmentName(`${'ä'.repeat(400)}.pdf`)
    expect([name.length, name.endsWith('ä.pdf')]).toEqual([120, true])
    expect(attachmentName(`${'😀'.repeat(100)}.pdf`).isWellFormed()).toBe(true)
  })
})

describe('the files of an email', () => {
  test.each([0, 1, 56, 57, 58, 1_000, 70_001])('of %d bytes are counted as they travel', (size) => {
    const files = [{ filename: 'a', content_type: 'text/plain', content: new Uint8Array(size) }]
    const raw = composeMail(message({ attachments: files })).toString('latin1')
    const [part = ''] = raw.split('base64').at(-1)?.split('\r\n\r\n').at(1)?.split('\r\n--') ?? []
    expect(sentBytes(size)).toBe(part.length === 0 ? 0 : part.length + 2)
  })

  test('are ten at most, and 20 MB together in base64', () => {
    const of = (...sizes: number[]) => attachedProblem(sizes.map((size_bytes) => ({ size_bytes })))
    expect(of(...Array(10).fill(1))).toBeNull()
    expect(of(...Array(11).fill(1))).toContain('10 files')
    expect(of(10 * MIB, 4 * MIB)).toBeNull()
    expect(of(10 * MIB, 5 * MIB)).toContain('20.5 MB')
  })
})
