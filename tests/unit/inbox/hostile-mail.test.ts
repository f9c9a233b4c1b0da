import { describe, expect, test } from 'vitest'
import { readInbound } from '#lib/domain/inbox/classify'
import { displayDocument } from '#lib/domain/inbox/display-html'
import { parseInbound } from '#lib/domain/inbox/inbound-mail'
import { newText } from '#lib/domain/inbox/new-text'
import { readMail } from '#lib/domain/inbox/read-mail'
import { htmlToText } from '#lib/domain/messages/html-to-text'
import { bytes, eml, judge, RECEIVED } from '#tests/support/scenes/inbound-mail'

/** CPU time of this thread, so that other processes on a busy machine do not count. */
async function work(run: () => unknown): Promise<number> {
  const before = process.threadCpuUsage()
  await run()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}

async function best(run: () => unknown): Promise<number> {
  return Math.min(await work(run), await work(run), await work(run))
}

/** For four times the text the work may grow sixfold; quadratic work grows sixteenfold, in every round. */
async function growth(few: () => unknown, many: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < 5 && least >= 6; round++) {
    const large = await best(many)
    if (large < 50) return 1
    least = Math.min(least, large / Math.max(1, await best(few)))
  }
  return least
}

const read = async (raw: Uint8Array) => readInbound(await parseInbound(raw), RECEIVED)
const html = (text: string) => eml('Content-Type: text/html; charset=utf-8', text)

describe('a mail made to stop its reader is read all the same', () => {
  test.each([
    'x; boundary=b\n\n--b\nContent-Type: \u2028',
    'text/p\u2028ain',
    '\0',
    'a: b: multipart/mixed; boundary=',
  ])('a content type that is none: %j', async (type) => {
    const mail = await parseInbound(bytes(`From: a@b.test\nContent-Type: ${type}\n\nHi.\n`))
    const types = mail.attachments.map(({ content_type }) => content_type)
    expect(types.every((one) => one.length > 0 && !one.includes('\0') && one.isWellFormed())).toBe(true)
    expect(mail.from?.address).toBe('a@b.test')
  })

  test('words of courtesy without end, in 114 characters', async () => {
    const said = `${'dear ,,,'.repeat(14)}zz`
    expect(said).toHaveLength(114)
    const { reading, kind } = await judge(eml('', said))
    expect({ kind, wish: reading.unsubscribe }).toEqual({ kind: 'reply', wish: null })
    const wish = await judge(eml('', `${'dear ,,,'.repeat(14)} unsubscribe`))
    expect(wish.kind).toBe('unsubscribe')
  })

  test('a greeting that goes on for ever says nothing', async () => {
    const { reading } = await judge(eml('', `${'no thanks dear '.repeat(10)}x`))
    expect(reading.unsubscribe).toBeNull()
  })

  test('300 KB of paragraphs', async () => {
    const mail = await parseInbound(bytes(html('<p>a</p>'.repeat(40_000))))
    expect(mail.text.startsWith('a\n\na\n\na')).toBe(true)
    expect(mail.html).toHaveLength(256 * 1024)
    expect(mail.cut).toEqual(expect.arrayContaining(['html']))
  })

  test('900 KB of line ends, with the words behind them cut', async () => {
    const mail = await parseInbound(bytes(eml('', `Yes.${'\n'.repeat(450_000)}No.`)))
    expect(mail.new_text).toBe('Yes.')
    expect(mail.text).toHaveLength(64 * 1024)
    expect(mail.cut).toEqual(['text'])
  })

  test('a megabyte of tags that are never closed', async () => {
    const mail = await parseInbound(bytes(html('a <b>'.repeat(190_000))))
    expect(mail.text.startsWith('a a a ')).toBe(true)
    expect((await readMail(bytes(html('a <b>'.repeat(190_000))))).display_html).toContain('a <b>a <b>')
  })

  test('more parts than a mail has', async () => {
    const part = '--b\nContent-Type: text/plain\n\nx\n'
    const raw = bytes(eml('Content-Type: multipart/mixed; boundary=b', `${part.repeat(20_000)}--b--`))
    const { cut, subject, from } = await parseInbound(raw)
    expect({ cut, subject, from: from?.address }).toMatchObject({
      cut: expect.arrayContaining(['structure']),
      subject: 'Re: Quick question',
      from: 'ada@lead.test',
    })
  })

  test('parts within parts within parts', async () => {
    const open = (at: number) => `Content-Type: multipart/mixed; boundary=b${at}\n\n--b${at}\n`
    const raw = `Subject: x\n${Array.from({ length: 120 }, (_, at) => open(at)).join('')}\nwords\n`
    expect((await parseInbound(bytes(raw))).cut).toContain('depth')
  })

  test('a head without end is cut, and the body is still read', async () => {
    const filler = Array.from({ length: 20_000 }, (_, at) => `X-${at}: ${'y'.repeat(20)}`).join('\n')
    const mail = await parseInbound(bytes(`Subject: Hello\nFrom: a@b.test\n${filler}\n\nThe words.`))
    expect(mail).toMatchObject({
      subject: 'Hello',
      text: expect.stringContaining('The words.'),
      cut: ['head'],
    })
  })

  test('one header without end is cut, and those below it are still read', async () => {
    const mail = await parseInbound(
      bytes(`References: ${'<a@b.test> '.repeat(20_000)}\nSubject: Hello\n\nHi`),
    )
    expect(mail).toMatchObject({ subject: 'Hello', cut: ['head'] })
  })

  test('a subject and recipients without end', async () => {
    const to = Array.from({ length: 400 }, (_, at) => `p${at}@b.test`).join(',\n ')
    const mail = await parseInbound(bytes(`Subject: ${'x'.repeat(5_000)}\nTo: ${to}\n\nHi`))
    expect(mail.subject).toHaveLength(998)
    expect(mail.recipients).toHaveLength(100)
    expect(mail.cut).toEqual(['subject', 'people'])
  })

  test('what was cut stands in the evidence', async () => {
    const { evidence } = await judge(eml('', `Yes. ${'word '.repeat(20_000)}`))
    expect(evidence).toContainEqual({ rule: 'cut', found: 'text' })
  })
})

describe('four times the words take no more than about four times as long', () => {
  test.each([
    ['dear ,,,'],
    ['nodear '],
    ['please remove me from your '],
    ['\n'],
    ['\n \n'],
    ['> '],
    ['on a wrote\n'],
    ['from: a\n'],
    ['--- '],
    ['a@'],
    ['5.1.'],
    ['<p>a</p>'],
    ['a <b>'],
    ['=20'],
    ['=\n'],
  ])('a text of %j', async (unit) => {
    const of = (length: number) => bytes(eml('', unit.repeat(Math.ceil(length / unit.length))))
    const [few, many] = [of(120_000), of(480_000)]
    expect(
      await growth(
        () => read(few),
        () => read(many),
      ),
    ).toBeLessThan(6)
  })

  test.each([
    ['<p>a</p>'],
    ['a <b>'],
    ['<a href="https://x.test">a</a>'],
    ['<a href=x '],
    ['<!--'],
    ['<svg><a>'],
    ['&amp;'],
    ['&#'],
    ['<b a="'],
    ['</'],
    ['<'],
  ])('HTML of %j', async (unit) => {
    const of = (length: number) => unit.repeat(Math.ceil(length / unit.length))
    const [few, many] = [of(150_000), of(600_000)]
    for (const show of [htmlToText, displayDocument])
      expect(
        await growth(
          () => show(few),
          () => show(many),
        ),
      ).toBeLessThan(6)
  })

  test.each([['Subject: '], ['To: '], ['References: '], ['From: '], ['X-Y: '], ['Content-Type: ']])(
    'a header %j of blanks, addresses or brackets',
    async (name) => {
      for (const unit of [' ', 'a@b.test, ', '<a@b> ', '=?a?q?', '(', '"', ': ,', 'g: a@b.test;']) {
        const of = (length: number) => bytes(`${name}${unit.repeat(length / unit.length)}x\n\nHi`)
        const [few, many] = [of(8_000), of(32_000)]
        expect(
          await growth(
            () => read(few),
            () => read(many),
          ),
          unit,
        ).toBeLessThan(6)
      }
    },
  )

  test('what its author wrote, of lines that never end', async () => {
    for (const unit of [' ', 'on ', '-', '_', 'from: ', 'wrote ', '*'])
      expect(
        await growth(
          () => newText(unit.repeat(8_000)),
          () => newText(unit.repeat(32_000)),
        ),
        unit,
      ).toBeLessThan(6)
  })
})

describe('HTML of a stranger keeps its words', () => {
  test.each([
    ['an address in brackets', 'Write to <ada@lead.test> today', 'Write to <ada@lead.test> today'],
    ['names of entities that few use', 'Gr&uuml;&szlig;e &amp; mehr&nbsp;davon', 'Grüße & mehr davon'],
    ['what Word puts in', '<p class=x>Hello<o:p></o:p></p>', 'Hello'],
    ['a head that is never closed', '<html><head><title>x</title><body><p>Hello</p>', 'Hello'],
    [
      'a link and where it leads',
      'See <a href="https://x.test/?a=1&amp;b=2">this</a>',
      'See this (https://x.test/?a=1&b=2)',
    ],
    ['tags across lines', '<p\n  class="x"\n>Hello</p>', 'Hello'],
  ])('%s', (_, html, text) => expect(htmlToText(html)).toBe(text))
})
