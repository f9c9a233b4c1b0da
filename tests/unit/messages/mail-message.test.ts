import fc from 'fast-check'
import PostalMime from 'postal-mime'
import { describe, expect, test } from 'vitest'
import {
  buildMailMessage,
  type MailInput,
  readActionId,
  toMessageId,
} from '#lib/domain/messages/mail-message'
import { composeMail } from '#lib/providers/mail/compose'

const ACTION = '01890000-0000-7000-8000-0000000000bb'

const build = (over: Partial<MailInput> = {}) =>
  buildMailMessage({
    action_id: ACTION,
    rendered: { subject: 'Hello', text: 'Hi Grace', html: '<p>Hi Grace</p>' },
    sender: { address: 'ada@Sender.test', name: 'Ada L' },
    recipient: { address: 'grace@lead.test', name: 'Grace' },
    date: new Date('2026-03-02T09:00:00Z'),
    thread: [],
    unsubscribe: { url: 'https://app.test/u/u1.tok-en', token: 'u1.tok-en' },
    ...over,
  })

describe('a mail', () => {
  test('carries its action in the Message-ID, under the sender’s domain', () => {
    expect(build().message_id).toBe(`<${ACTION}@sender.test>`)
    expect(readActionId(toMessageId(ACTION, 'ada@sender.test'))).toBe(ACTION)
    expect(readActionId(`<${ACTION.toUpperCase()}@elsewhere>`)).toBe(ACTION)
    expect(readActionId('<CAF-1234@mail.gmail.com>')).toBeNull()
    expect(toMessageId(ACTION, 'no domain>\r\nx')).toBe(`<${ACTION}@localhost.invalid>`)
  })

  test('a follow-up names the thread it belongs to', () => {
    expect(build()).toMatchObject({ in_reply_to: null, references: [] })
    const thread = ['<1@a>', '<2@a>']
    expect(build({ thread })).toMatchObject({ in_reply_to: '<2@a>', references: thread })
    const long = Array.from({ length: 40 }, (_, i) => `<${i}@a>`)
    const { references } = build({ thread: long })
    expect(references).toHaveLength(20)
    expect([references[0], references[1], references.at(-1)]).toEqual(['<0@a>', '<21@a>', '<39@a>'])
  })

  test('can be unsubscribed from by header, both ways, with one click', () => {
    expect(build().headers).toEqual({
      'List-Unsubscribe':
        '<https://app.test/u/u1.tok-en>, <mailto:ada@Sender.test?subject=unsubscribe%20u1.tok-en>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    })
    expect(build({ unsubscribe: null }).headers).toEqual({})
  })

  test('without a link in its words gets a line with one, after the signature', () => {
    const sender = { address: 'ada@sender.test', name: null, signature: 'Ada <Countess>\nLondon' }
    const { text, html } = build({ sender })
    expect(text).toBe(
      'Hi Grace\n\nAda <Countess>\nLondon\n\nIf this is not for you, just say so or use this link: https://app.test/u/u1.tok-en',
    )
    expect(html).toContain('<p>Ada &lt;Countess&gt;<br>\nLondon</p>')
    expect(html).toMatch(
      /use this link: <a href="https:\/\/app\.test\/u\/u1\.tok-en">Unsubscribe<\/a><\/p>\n<\/body>/,
    )
  })

  test('with a link in its words gets no second one, and the owner may word the line', () => {
    const url = 'https://app.test/u/u1.tok-en'
    const rendered = { subject: 'x', text: `Bye: ${url}`, html: `<a href="${url}">Bye</a>` }
    expect(build({ rendered }).text).toBe(`Bye: ${url}`)
    const unsubscribe = { url, token: 't', text: 'Abmelden: {{unsubscribe_url}} – danke' }
    expect(build({ unsubscribe }).text).toBe(`Hi Grace\n\nAbmelden: ${url} – danke`)
    expect(build({ unsubscribe: { url, token: 't', text: 'Stop' } }).text).toContain(`Stop ${url}`)
    expect(build({ unsubscribe: null }).text).toBe('Hi Grace')
  })

  test('an HTML document keeps its shape when lines are added', () => {
    const html = '<html><body><p>Hi</p></body></html>'
    const built = build({
      rendered: { subject: 'x', text: 'Hi', html },
      sender: { address: 'a@b.test', name: null, signature: '<b>Ada</b>' },
    })
    expect(built.html).toMatch(/^<html><body><p>Hi<\/p><b>Ada<\/b>\n<p>If .*<\/p>\n<\/body><\/html>$/)
    expect(built.text).toContain('\n\nAda\n\n')
  })
})

test('what goes over the wire reads back as what was meant, in any script', async () => {
  const mail = build({
    rendered: {
      subject: 'Grüße 你好 🎉 '.repeat(8).trim(),
      text: 'Zeile – 你好\n.dot',
      html: '<p>Zeile – 你好</p>',
    },
    recipient: { address: 'grace@lead.test', name: '王, "Grace"' },
    thread: ['<1@a>', '<2@a>'],
  })
  const raw = composeMail(mail)
  const read = await PostalMime.parse(raw)
  expect(read).toMatchObject({
    subject: mail.subject,
    messageId: mail.message_id,
    inReplyTo: '<2@a>',
    references: '<1@a> <2@a>',
    date: '2026-03-02T09:00:00.000Z',
    from: { address: 'ada@sender.test', name: 'Ada L' },
    to: [{ address: 'grace@lead.test', name: '王, "Grace"' }],
  })
  expect(read.text?.trim()).toBe(mail.text)
  expect(read.html).toContain('Zeile – 你好')
  const header = read.headers.find(({ key }) => key === 'list-unsubscribe')?.value
  expect(header?.replace(/\s+/g, ' ')).toBe(mail.headers['List-Unsubscribe'])
  for (const line of raw.toString('latin1').split('\r\n')) expect(line.length).toBeLessThan(998)
})

test('any words arrive as they are, in lines that every server takes', async () => {
  const words = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 400 }),
    fc.string({ unit: 'grapheme-ascii', maxLength: 400 }),
    // Text that encodings may damage: dots and blanks at line ends, equals signs, words longer than a line.
    fc
      .array(
        fc.constantFrom(
          '.',
          '=',
          ' ',
          '\t',
          '\n',
          '\r\n',
          '=3D',
          'ü',
          '你好',
          '🎉',
          'word '.repeat(20),
          'x'.repeat(90),
        ),
        {
          maxLength: 30,
        },
      )
      .map((parts) => parts.join('')),
  )
  const lines = (text: string) => text.replace(/\r\n?/g, '\n').trimEnd()
  await fc.assert(
    fc.asyncProperty(words, words, async (text, html) => {
      const mail = { ...build({ unsubscribe: null }), text: `a${text}`, html: `<p>${html}</p>` }
      const raw = composeMail(mail)
      const read = await PostalMime.parse(raw)
      expect(lines(read.text ?? '')).toBe(lines(mail.text))
      expect(lines(read.html ?? '')).toBe(lines(mail.html))
      const wire = raw.toString('latin1')
      expect(raw.every((byte) => byte < 128)).toBe(true)
      expect(wire.endsWith('\r\n')).toBe(true)
      expect(wire).not.toMatch(/[^\r]\n|\r[^\n]/)
      for (const line of wire.split('\r\n')) expect(line.length).toBeLessThanOrEqual(78)
    }),
    { numRuns: 300 },
  )
})

test('no name, subject or address adds a header or a recipient', async () => {
  const nasty = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.constantFrom(
      'a\r\nBcc: x@evil.test',
      'a\nX-Injected: 1',
      'a, evil@evil.test',
      '<evil@evil.test>',
      '"',
      '\\',
    ),
  )
  const known = [
    'from',
    'to',
    'subject',
    'date',
    'message-id',
    'mime-version',
    'content-type',
    'list-unsubscribe',
    'list-unsubscribe-post',
  ]
  await fc.assert(
    fc.asyncProperty(nasty, nasty, nasty, async (subject, senderName, leadName) => {
      const mail = build({
        rendered: { subject, text: 'x', html: '<p>x</p>' },
        sender: { address: 'ada@sender.test', name: senderName },
        recipient: { address: 'grace@lead.test', name: leadName },
      })
      const read = await PostalMime.parse(composeMail(mail))
      const keys = new Set(read.headers.map(({ key }) => key))
      for (const key of keys) expect(known).toContain(key)
      expect(read.to).toHaveLength(1)
      expect(read.to?.[0]?.address).toBe('grace@lead.test')
      expect(read.from?.address).toBe('ada@sender.test')
    }),
    { numRuns: 150 },
  )
})

// The lower bytes of these characters are CR and LF: 不 is U+4E0D, 上 is U+4E0A.
test.each(['不上bcc:grace', '上', 'jörg'])(
  'who wrote to us from %s@ adds no line to the answer',
  async (local) => {
    const mail = build({
      recipient: { address: `${local}@lead.test` },
      cc: [`${local}@elsewhere.test`],
      thread: ['<1@a>', `<${local}@lead.test>`],
      unsubscribe: null,
    })
    expect(mail).toMatchObject({ in_reply_to: '<1@a>', references: ['<1@a>'] })
    const raw = composeMail(mail)
    const head = raw.toString('utf8').split('\r\n\r\n', 1)[0] ?? ''
    expect(head).not.toMatch(/[^\r]\n|\r[^\n]|(?![\r\n\t])\p{Cc}/u)
    const known = /^(From|To|Cc|In-Reply-To|References|Subject|Message-ID|Date|MIME-Version|Content-Type): /
    for (const line of head.split(/\r\n(?![ \t])/)) expect(line).toMatch(known)
    expect(head).toContain(`${local}`)
  },
)

test('a word longer than a line of a header arrives whole, and a name that long is cut', async () => {
  const subject = `See ${'x'.repeat(3_000)}`
  const mail = build({
    rendered: { subject, text: 'x', html: '<p>x</p>' },
    recipient: { address: 'grace@lead.test', name: 'y'.repeat(3_000) },
  })
  const raw = composeMail(mail)
  for (const line of raw.toString('latin1').split('\r\n')) expect(line.length).toBeLessThan(998)
  const read = await PostalMime.parse(raw)
  expect(read.subject).toBe(subject)
  expect(read.to?.[0]).toEqual({ address: 'grace@lead.test', name: 'y'.repeat(250) })
})
