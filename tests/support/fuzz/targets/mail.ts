import { MAX_HTML, MAX_NAME, MAX_PARTS, MAX_PEOPLE, MAX_SUBJECT, MAX_TEXT } from '#lib/domain/inbox/bounds'
import { readInbound } from '#lib/domain/inbox/classify'
import { parseInbound } from '#lib/domain/inbox/inbound-mail'
import { readMail } from '#lib/domain/inbox/read-mail'
import { promise, promiseCleanPrototypes, promiseStorable, type Target } from '#tests/support/fuzz/target'
import { bytes, eml, RECEIVED, RETURNED } from '#tests/support/scenes/inbound-mail'

const alternative = `--b
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: quoted-printable

Gr=C3=BC=C3=9Fe, unsubscribe me
--b
Content-Type: text/html; charset=iso-8859-1
Content-Transfer-Encoding: base64

PHA+SGk8L3A+
--b--`

const report = `--r
Content-Type: text/plain

550 5.1.1 No such user
--r
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.lead.test

Final-Recipient: rfc822; ada@lead.test
Action: failed
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 No such user
--r
Content-Type: text/rfc822-headers

${RETURNED}
--r--`

/** For any bytes there is an answer, bounded in size and storable in the database. */
export const mail: Target = {
  name: 'mail',
  max: 48 * 1024,
  seeds: () =>
    [
      eml(''),
      eml(
        'Subject: =?utf-8?B?R3LDvMOfZQ==?= =?iso-8859-1?Q?a=20b?=\nX-Long: a\n b\n\tc',
        'On Mon, Ada wrote:\n> Hi',
      ),
      eml('Content-Type: multipart/alternative; boundary=b', alternative),
      eml(
        'From: MAILER-DAEMON@mx.lead.test\nContent-Type: multipart/report; report-type=delivery-status; boundary="r"',
        report,
      ),
      eml('Content-Type: message/rfc822', eml('Content-Type: text/html', '<p>a<br>b</p>')),
      eml('Auto-Submitted: auto-replied\nSubject: Out of office', 'I am back on 12 March 2026.'),
      eml(
        'From: "A, B" <a@b.test>, G: c@d.test;\nContent-Type: text/plain; charset=utf-16le; format=flowed; filename*0=a; filename*1*=utf-8\'\'%41',
        'x',
      ),
      eml('Content-Disposition: attachment; filename="a.pdf"\nContent-Transfer-Encoding: base64', 'AAAA'),
    ].map(bytes),
  words: [
    '\r\n',
    '\r\n\r\n',
    '\r\n ',
    '--b\r\n',
    '\r\n--b--',
    '--r--\r\n',
    ': ',
    '; ',
    '=?utf-8?Q?',
    '=?gb18030?B?',
    '?=',
    '=0D=0A',
    '=C3',
    '=\r\n',
    'Content-Type: ',
    'multipart/mixed; boundary=b',
    'multipart/report; boundary=r',
    'message/rfc822',
    'message/delivery-status',
    'message/feedback-report',
    'text/rfc822-headers',
    'text/html',
    'text/calendar',
    'application/ms-tnef',
    'charset=utf-7',
    'charset=iso-2022-jp',
    'charset=x-nothing',
    'boundary=""',
    "filename*=utf-8''%00",
    'Content-Transfer-Encoding: ',
    'uuencode',
    'base64',
    'quoted-printable',
    'format=flowed; delsp=yes',
    'From: ',
    'To: ',
    'Date: ',
    'Fri, 32 Foo 99999',
    'Message-ID: <',
    'References: ',
    'In-Reply-To: ',
    'Subject: ',
    'Re: ',
    '> ',
    'unsubscribe',
    'Feedback-Type: abuse\r\n',
    'Status: 5.',
    'Action: failed\r\n',
    'Final-Recipient: rfc822;',
    'Auto-Submitted: ',
    '__proto__: x\r\n',
    'constructor: ',
    '<a@b>',
    '"',
    '(',
    ')',
    'group: ',
    ';',
    '\0',
    '\ufeff',
    '\ud83d\udc4d',
    '<p>',
    '<br>',
    '<blockquote>',
    '&#0;',
    '&#xd800;',
    'begin 644 a\r\n',
  ],
  async run(raw) {
    const read = await parseInbound(raw)
    promise(read.text.length <= MAX_TEXT && (read.html?.length ?? 0) <= MAX_HTML, 'text and HTML are bounded')
    promise(read.new_text.length <= MAX_TEXT, 'what is new is no longer than the whole')
    promise(read.subject.length <= MAX_SUBJECT, 'a subject is one line at most')
    promise(read.recipients.length <= MAX_PEOPLE, 'people are counted')
    promise(
      [read.from, ...read.recipients].every((one) => (one?.name.length ?? 0) <= MAX_NAME),
      'names are bounded',
    )
    promise(read.reports.length + read.attachments.length <= MAX_PARTS, 'parts are counted')
    promiseStorable(read)
    const reading = readInbound(read, RECEIVED)
    promiseStorable(reading)
    promise(
      reading.returns_on === null || /^\d{4}-\d\d-\d\d$/.test(reading.returns_on),
      'a day of return is a day',
    )
    promiseStorable(await readMail(raw))
    promiseCleanPrototypes()
  },
}
