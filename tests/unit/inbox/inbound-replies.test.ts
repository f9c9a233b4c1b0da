import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { companyDomain } from '#lib/domain/inbox/company-domain'
import { newText } from '#lib/domain/inbox/new-text'
import { bareSubject } from '#lib/domain/inbox/subject'
import { haltReason } from '#lib/domain/sending/sending-health'
import { bytes, eml, judge, LEAD, OUR_ID, US } from '#tests/support/scenes/inbound-mail'

const THREAD = `In-Reply-To: ${OUR_ID}\nReferences: ${OUR_ID}`

describe('a reply is known', () => {
  test.each([
    { name: 'Gmail: by In-Reply-To', headers: THREAD, how: 'message_id' },
    { name: 'Outlook: by References alone', headers: `References: <a@x> ${OUR_ID}`, how: 'message_id' },
    {
      name: 'from another address of the person',
      headers: `From: Ada <ada@private.test>\n${THREAD}`,
      how: 'message_id',
    },
    {
      name: 'from a colleague to whom it was passed on',
      headers: `From: Bob <bob@lead.test>\n${THREAD}`,
      how: 'message_id',
    },
    {
      name: 'In-Reply-To without brackets',
      headers: `In-Reply-To: ${OUR_ID.slice(1, -1)}`,
      how: 'message_id',
    },
    {
      name: 'In-Reply-To with words around it',
      headers: `In-Reply-To: Your message of "Mon, 2 Mar" ${OUR_ID}`,
      how: 'message_id',
    },
    {
      name: 'an id whose case a gateway changed',
      headers: `In-Reply-To: ${OUR_ID.toUpperCase()}`,
      how: 'message_id',
    },
    {
      name: 'References folded over lines',
      headers: `References: <a@x>\n ${OUR_ID}\n <b@x>`,
      how: 'message_id',
    },
    {
      name: 'a phone that drops the thread: by sender',
      headers: 'Subject: Quick question',
      how: 'sender_address',
    },
    { name: 'a new subject: by sender', headers: 'Subject: Let us meet', how: 'sender_address' },
    { name: 'a sender in capitals', headers: `From: "ADA" <ADA@LEAD.TEST>`, how: 'sender_address' },
    {
      name: 'through a mailing list that keeps the thread',
      headers: `List-Id: <x.lead.test>\n${THREAD}`,
      how: 'message_id',
    },
  ])('$name', async ({ headers, how }) => {
    const { kind, match, evidence } = await judge(eml(headers, 'Yes, call me on Friday.'))
    expect(kind).toBe('reply')
    expect(match?.how).toBe(how)
    expect(evidence[0]?.rule).toBe(`matched_by_${how}`)
  })
})

describe('unrelated is', () => {
  test.each([
    { name: 'mail of strangers', raw: eml('From: x@stranger.test\nSubject: Invoice') },
    {
      name: 'an answer to mail that is not ours',
      raw: eml('From: x@stranger.test\nIn-Reply-To: <other@sender.test>'),
    },
    {
      name: 'a newsletter from the address of a lead',
      raw: eml('Subject: Our news\nList-Unsubscribe: <https://lead.test/u>\nList-Id: <news.lead.test>'),
    },
    {
      name: 'a DMARC report',
      raw: eml(
        'From: noreply-dmarc-support@google.com\nSubject: Report domain: sender.test Submitter: google.com Report-ID: 1',
      ),
    },
    {
      name: 'someone else’s out-of-office',
      raw: eml('From: x@stranger.test\nSubject: Automatic reply: Lunch\nAuto-Submitted: auto-replied'),
    },
    {
      name: 'a stranger’s wish to be taken off',
      raw: eml('From: x@stranger.test\nSubject: Hi', 'unsubscribe'),
    },
    { name: 'nothing at all', raw: '' },
    { name: 'mail without a sender', raw: 'Subject: x\n\ny' },
  ])('$name', async ({ raw }) => expect((await judge(raw)).kind).toBe('unrelated'))
})

describe('our own mail is', () => {
  test.each([
    { name: 'a copy of what was sent', raw: eml(`From: Dana <${US}>\nTo: <${LEAD}>\nMessage-ID: ${OUR_ID}`) },
    { name: 'a copy under an alias', raw: eml(`From: Dana <hello@sender.test>\nMessage-ID: ${OUR_ID}`) },
    {
      name: 'an answer written by hand, copied to oneself',
      raw: eml(`From: <${US}>\nTo: <${LEAD}>\n${THREAD}`),
    },
    {
      name: 'from another mailbox of the owner',
      raw: eml(`From: sales@sender.test\n${THREAD}`),
      own: [US, 'sales@sender.test'],
    },
    {
      name: 'with an automatic subject',
      raw: eml(`From: <${US}>\nSubject: Out of office\nAuto-Submitted: auto-replied`),
    },
  ])('$name', async ({ raw, own }) => expect((await judge(raw, own)).kind).toBe('own_message'))

  test('not what a lead answers, though the lead is a mailbox of the owner too', async () => {
    const { kind } = await judge(eml(`From: <${LEAD}>\n${THREAD}`, 'A test answer'), [US, LEAD])
    expect(kind).toBe('reply')
  })

  test('not a bounce in our own domain', async () => {
    const raw = eml(
      `Return-Path: <>\nFrom: MAILER-DAEMON <${US}>\nSubject: Undelivered Mail Returned to Sender\nX-Failed-Recipients: ${LEAD}`,
      `<${LEAD}>: 550 5.1.1 User unknown\n\n${OUR_ID}`,
    )
    expect((await judge(raw)).kind).toBe('hard_bounce')
  })
})

test('any bytes are judged, and quickly', async () => {
  const piece = fc.constantFrom(
    'From: ',
    'Subject: Undeliverable: ',
    'Content-Type: multipart/report; boundary=b\r\n',
    'Content-Type: message/delivery-status\r\n\r\n',
    'Final-Recipient: rfc822;',
    'Status: 5.1.1\r\n',
    '--b\r\n',
    '--b--',
    '\r\n\r\n',
    '<>',
    LEAD,
    OUR_ID,
    '\0',
    '\ud800',
    '=?utf-8?b?////?=',
    'unsubscribe ',
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(piece, { maxLength: 30 }),
      fc.uint8Array({ maxLength: 200 }),
      async (pieces, junk) => {
        const raw = new Uint8Array([...bytes(pieces.join('')), ...junk])
        const { kind, mail, evidence } = await judge(raw)
        expect(kind).toBeTruthy()
        expect(JSON.stringify([mail, evidence])).not.toMatch(/\\u0000|\\ud[89ab]../)
      },
    ),
  )
})

test.each([
  ['a text of one long line', `Subject: x\n\n${'a '.repeat(500_000)}`],
  ['a text of quotes', `Subject: x\n\n${'> '.repeat(300_000)}`],
  ['many “from:” lines', `Subject: x\n\n${'from: a\n'.repeat(8_000)}`],
  ['many “on … wrote”', `Subject: x\n\n${'on a b c '.repeat(60_000)}wrote`],
  ['a subject without end', `Subject: ${'Re: '.repeat(100_000)}\n\nx`],
  ['many please', `Subject: x\n\n${'please '.repeat(50_000)}`],
  ['many addresses', `From: MAILER-DAEMON@x.test\nSubject: Undeliverable\n\n${'a@b.test '.repeat(60_000)}`],
  ['many references', `References: ${'<a@b> '.repeat(60_000)}\n\nx`],
  ['many digits', `From: MAILER-DAEMON@x.test\nSubject: failure notice\n\n${'5.1.'.repeat(80_000)}`],
  [
    'nested parts',
    `Content-Type: multipart/mixed; boundary=b\n\n${'--b\nContent-Type: multipart/mixed; boundary=b\n\n'.repeat(3_000)}`,
  ],
])('%s is judged soon', async (_, raw) => {
  expect(await judge(raw)).toBeDefined()
})

test.each([
  ['Yes.\n\nOn Mon, 2 Mar 2026 at 09:00, Dana <d@x> wrote:\n> Hello', 'Yes.'],
  ['Ja.\n\nAm 02.03.2026 um 09:00 schrieb Dana:\n> Hallo', 'Ja.'],
  ['Oui.\n\nLe lun. 2 mars 2026 à 09:00, Dana <d@x> a écrit :\n> Bonjour', 'Oui.'],
  ['Yes.\n\n-----Original Message-----\nFrom: Dana\n', 'Yes.'],
  ['Yes.\n\nFrom: Dana <d@x>\nSent: Monday\nTo: Ada\nSubject: Hi\n\nHello', 'Yes.'],
  ['Ja.\n\nVon: Dana <d@x>\nGesendet: Montag\nAn: Ada\n\nHallo', 'Ja.'],
  ['Yes.\n\n________________________________\nFrom: Dana', 'Yes.'],
  ['Yes.\n-- \nAda', 'Yes.'],
  ['All mine.', 'All mine.'],
])('of %j its author wrote %j', (text, own) => expect(newText(text)).toBe(own))

test.each([
  ['Re: Quick question', 'quick question'],
  ['RE: AW: Fwd:  Quick   question', 'quick question'],
  ['[EXTERNAL] SV: Re[2]: Quick question', 'quick question'],
  ['回复：Quick question', 'quick question'],
  ['Regarding lunch', 'regarding lunch'],
])('%s is about %s', (subject, bare) => expect(bareSubject(subject)).toBe(bare))

test.each([
  ['ada@lead.test', 'lead.test'],
  ['ada@GMAIL.com', null],
  ['ada@yahoo.co.uk', null],
  ['ada@outlook.fr', null],
  ['ada@web.de', null],
  ['ada@live.nl', null],
  ['ada@livenation.com', 'livenation.com'],
  ['ada', null],
  ['ada@localhost', null],
])('the company of %s is %s', (address, domain) => expect(companyDomain(address)).toBe(domain))

test.each([
  { sends: 49, hard_bounces: 49, complaints: 0, reason: null },
  { sends: 50, hard_bounces: 2, complaints: 0, reason: null },
  { sends: 50, hard_bounces: 3, complaints: 0, reason: 'bounce_rate' },
  { sends: 100, hard_bounces: 5, complaints: 0, reason: null },
  { sends: 299, hard_bounces: 0, complaints: 20, reason: null },
  { sends: 300, hard_bounces: 0, complaints: 1, reason: 'complaint_rate' },
  { sends: 1000, hard_bounces: 0, complaints: 3, reason: null },
  { sends: 1000, hard_bounces: 0, complaints: 4, reason: 'complaint_rate' },
  { sends: 1000, hard_bounces: 51, complaints: 4, reason: 'bounce_rate' },
])('$hard_bounces bounces and $complaints complaints of $sends: $reason', ({ reason, ...counts }) => {
  expect(haltReason(counts)).toBe(reason)
})
