import { readMime } from '#lib/domain/inbox/mime'
import { buildMailMessage } from '#lib/domain/messages/mail-message'
import { finishedMessage, headerText } from '#lib/domain/messages/message'
import { composeMail } from '#lib/providers/mail/compose'
import { joined, promise, type Target, textsOf } from '#tests/support/fuzz/target'

const HEADERS =
  'from to reply-to subject message-id date mime-version content-type content-transfer-encoding list-unsubscribe list-unsubscribe-post in-reply-to references'.split(
    ' ',
  )
const ACTION = '01963f3e-7c1a-7abc-8def-0123456789ab'

/** Whatever text a mail is made of, it goes to one recipient and carries no header that we did not set. */
export const sent: Target = {
  name: 'sent',
  max: 8 * 1024,
  seeds: () => [
    joined(
      'Quick question',
      'Hi Ann,\n\nhow are you?\n\nBob',
      'Ann Grün',
      'Bob "B" <x@y.test>',
      '<p>Bob</p>',
    ),
    joined(
      'Grüße 👍',
      '<p>Hi <a href="https://a.test/x?y=1&amp;z=2">Ann</a></p>',
      'A, B',
      '=?utf-8?Q?x?=',
      '',
    ),
    joined(
      `x${' y'.repeat(100)}`,
      `${'z'.repeat(2_000)}\n.\n--=_\nFrom me`,
      '',
      '',
      'https://b.test {{ unsubscribe_url }}',
    ),
  ],
  words: [
    '\x1e',
    '\r\n',
    '\n',
    '\r\nBcc: x@y.test',
    '\r\n\r\n',
    '\r\n.\r\n',
    '--=_',
    '=?utf-8?B?',
    '?=',
    '"',
    '<',
    '>',
    ',',
    ';',
    ':',
    '\0',
    '\u0085',
    '\u2028',
    '\u00ad',
    '\ud83d\udc4d',
    '<p>',
    '</body>',
    '<html>',
    '<a href="',
    '=',
    ' '.repeat(80),
    'x'.repeat(998),
    '{{ unsubscribe_url }}',
  ],
  async run(input) {
    const [subject = '', body = '', lead = '', own = '', signature = ''] = textsOf(input, 5)
    const words = finishedMessage({ subject, body })
    if (!words.ok) return
    const made = buildMailMessage({
      action_id: ACTION,
      rendered: words.message,
      sender: { address: 'bob@b.test', name: own, signature, reply_to: 'r@b.test' },
      recipient: { address: 'ann@a.test', name: lead },
      date: new Date('2026-03-02T10:00:00Z'),
      thread: ['<a@b.test>'],
      unsubscribe: { url: 'https://o.test/unsubscribe/u1.x', token: 'u1.x' },
      tracking: { click_url: (_url, link) => `https://o.test/c/${link}`, pixel_url: 'https://o.test/o' },
    })
    const raw = composeMail(made)
    promise(!/[^\r]\n|\r[^\n]/.test(raw.toString('latin1')), 'lines end as mail has it')
    const read = await readMime(raw)
    const names = read.headers.map(({ name }) => name)
    promise(
      names.every((name, at) => HEADERS.includes(name) && names.indexOf(name) === at),
      `no header but ours: ${names}`,
    )
    promise(
      read.to.length === 1 && read.to[0]?.address === 'ann@a.test' && read.cc.length === 0,
      'it goes to one person',
    )
    promise(read.from?.address === 'bob@b.test', 'it comes from its sender')
    promise(
      read.subject === headerText(words.message.subject).slice(0, 998),
      `the subject arrives: ${JSON.stringify([read.subject, words.message.subject])}`,
    )
    promise(read.text.includes('https://o.test/unsubscribe/u1.x'), 'the way out stands in the text')
    promise(read.html?.includes('https://o.test/unsubscribe/u1.x') === true, 'the way out stands in the HTML')
  },
}
