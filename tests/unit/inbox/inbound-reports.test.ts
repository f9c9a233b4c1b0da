import { describe, expect, test } from 'vitest'
import { delayed, failed, hard, judged, type Report, soft } from '#tests/support/scenes/bounces'
import { eml, judge, LEAD, OUR_ID, US } from '#tests/support/scenes/inbound-mail'

describe('reports after RFC 3464, of mail servers', () => {
  test.each<Report>([
    {
      name: 'Postfix: unknown user',
      from: 'MAILER-DAEMON@sender.test (Mail Delivery System)',
      subject: 'Undelivered Mail Returned to Sender',
      text: `This is the mail system at host mail.sender.test.\n\nI'm sorry to have to inform you that your message could not\nbe delivered to one or more recipients. It's attached below.\n\n<${LEAD}>: host mx.lead.test[192.0.2.1] said: 550 5.1.1 <${LEAD}>:\n    Recipient address rejected: User unknown (in reply to RCPT TO command)`,
      report: `Reporting-MTA: dns; mail.sender.test\nX-Postfix-Queue-ID: 4F1A2B3C\nX-Postfix-Sender: rfc822; ${US}\nArrival-Date: Mon,  2 Mar 2026 09:00:00 +0000 (UTC)\n\nFinal-Recipient: rfc822; ${LEAD}\nOriginal-Recipient: rfc822;${LEAD}\nAction: failed\nStatus: 5.1.1\nRemote-MTA: dns; mx.lead.test\nDiagnostic-Code: smtp; 550 5.1.1 <${LEAD}>: Recipient address rejected:\n    User unknown`,
      expected: hard('5.1.1'),
    },
    {
      name: 'Postfix: domain not found',
      from: 'MAILER-DAEMON@sender.test',
      subject: 'Undelivered Mail Returned to Sender',
      text: `<${LEAD}>: Host or domain name not found. Name service error for name=lead.test type=A: Host not found`,
      report: failed('5.4.4', 'X-Postfix; Host or domain name not found. Name service error'),
      expected: hard('5.4.4'),
    },
    {
      name: 'Postfix: gave up after five days',
      from: 'MAILER-DAEMON@sender.test',
      subject: 'Undelivered Mail Returned to Sender',
      text: `<${LEAD}>: connect to mx.lead.test[192.0.2.1]:25: Connection timed out`,
      report: failed('4.4.1', 'X-Postfix; connect to mx.lead.test[192.0.2.1]:25: Connection timed out'),
      expected: soft('4.4.1'),
    },
    {
      name: 'Postfix: delay warning',
      from: 'MAILER-DAEMON@sender.test',
      subject: 'Delayed Mail (still being retried)',
      text: '# THIS IS A WARNING ONLY.  YOU DO NOT NEED TO RESEND YOUR MESSAGE. #',
      report: `Reporting-MTA: dns; mail.sender.test\n\nFinal-Recipient: rfc822; ${LEAD}\nAction: delayed\nStatus: 4.4.1\nWill-Retry-Until: Sat,  7 Mar 2026 09:00:00 +0000 (UTC)`,
      expected: delayed,
    },
    {
      name: 'Postfix: over quota for now, given up',
      from: 'MAILER-DAEMON@sender.test',
      subject: 'Undelivered Mail Returned to Sender',
      text: 'mailbox full',
      report: failed('4.2.2', 'smtp; 452 4.2.2 The email account that you tried to reach is over quota'),
      expected: soft('4.2.2'),
    },
    {
      name: 'Gmail: address not found',
      from: 'Mail Delivery Subsystem <mailer-daemon@googlemail.com>',
      subject: 'Delivery Status Notification (Failure)',
      headers: `X-Failed-Recipients: ${LEAD}\nReferences: ${OUR_ID}\nIn-Reply-To: ${OUR_ID}`,
      text: `** Address not found **\n\nYour message wasn't delivered to ${LEAD} because the address couldn't be found, or is unable to receive mail.\n\nThe response from the remote server was:\n550 5.1.1 The email account that you tried to reach does not exist.`,
      report: failed(
        '5.1.1',
        'smtp; 550-5.1.1 The email account that you tried to reach does not exist. Please try',
      ),
      returned_type: 'message/rfc822',
      expected: hard('5.1.1'),
    },
    {
      name: 'Gmail: blocked for missing authentication',
      from: 'mailer-daemon@googlemail.com',
      subject: 'Delivery Status Notification (Failure)',
      text: '** Message blocked **',
      report: failed(
        '5.7.26',
        'smtp; 550-5.7.26 This mail has been blocked because the sender is unauthenticated.',
      ),
      expected: hard('5.7.26', 'sender'),
    },
    {
      name: 'Gmail: delivery incomplete, will retry',
      from: 'mailer-daemon@googlemail.com',
      subject: 'Delivery Status Notification (Delay)',
      text: '** Delivery incomplete **\n\nThere was a temporary problem delivering your message. Gmail will retry for 45 more hours.',
      report: `Reporting-MTA: dns; googlemail.com\n\nFinal-Recipient: rfc822; ${LEAD}\nAction: delayed\nStatus: 4.4.1\nDiagnostic-Code: smtp; The recipient server did not accept our requests to connect.`,
      expected: delayed,
    },
    {
      name: 'Microsoft 365: recipient not found',
      from: 'Microsoft Outlook <MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@lead.test>',
      subject: 'Undeliverable: Quick question',
      headers: `In-Reply-To: ${OUR_ID}\nX-MS-Exchange-Message-Is-Ndr:\nX-Auto-Response-Suppress: All`,
      text: `Delivery has failed to these recipients or groups:\n\n${LEAD}\nYour message couldn't be delivered. The recipient wasn't found at lead.test.`,
      report: failed(
        '5.1.10',
        'smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup',
        `rfc822;${LEAD}`,
      ),
      returned_type: 'message/rfc822',
      expected: hard('5.1.10'),
    },
    {
      name: 'Microsoft 365: access denied by the tenant',
      from: 'postmaster@lead.test',
      subject: 'Undeliverable: Quick question',
      text: 'Your message to ada couldn’t be delivered. 550 5.7.1 TRANSPORT.RULES.RejectMessage',
      report: failed(
        '5.7.1',
        'smtp;550 5.7.1 TRANSPORT.RULES.RejectMessage; the message was rejected by organization policy',
      ),
      expected: hard('5.7.1', 'sender'),
    },
    {
      name: 'Microsoft 365: expired in the queue',
      from: 'postmaster@outlook.test',
      subject: 'Undeliverable: Quick question',
      text: 'Server at lead.test returned 4.4.7',
      report: failed('4.4.7', 'smtp;550 4.4.7 QUEUE.Expired; message expired'),
      expected: soft('4.4.7'),
    },
    {
      name: 'Exchange on premises: mailbox full',
      from: 'Microsoft Exchange <postmaster@lead.test>',
      subject: 'Undeliverable: Quick question',
      text: "The recipient's mailbox is full and can't accept messages now.",
      report: failed(
        '5.2.2',
        'smtp;554 5.2.2 mailbox full; STOREDRV.Deliver.Exception:QuotaExceededException',
      ),
      expected: hard('5.2.2'),
    },
    {
      name: 'Exchange on premises: delayed',
      from: 'postmaster@lead.test',
      subject: 'Delivery delayed: Quick question',
      text: 'Delivery is delayed to these recipients or groups:',
      report: `Reporting-MTA: dns;ex01.lead.test\n\nFinal-recipient: RFC822; ${LEAD}\nAction: delayed\nStatus: 4.4.7\nWill-Retry-Until: Wed, 4 Mar 2026 09:00:00 +0000`,
      expected: delayed,
    },
    {
      name: 'Exim with a report: unrouteable',
      from: 'Mail Delivery System <Mailer-Daemon@host.test>',
      subject: 'Mail delivery failed: returning message to sender',
      headers: `X-Failed-Recipients: ${LEAD}`,
      text: `The following address(es) failed:\n\n  ${LEAD}\n    Unrouteable address`,
      report: `Reporting-MTA: dns; host.test\n\nAction: failed\nFinal-Recipient: rfc822;${LEAD}\nStatus: 5.0.0`,
      returned_type: 'message/rfc822',
      expected: hard('5.0.0'),
    },
    {
      name: 'Exim with a report whose status is vague and whose words are not',
      from: 'Mailer-Daemon@host.test',
      subject: 'Mail delivery failed: returning message to sender',
      text: 'x',
      report: failed('5.0.0', 'smtp; 550 5.7.1 Blocked by Spamhaus'),
      expected: hard('5.7.1', 'sender'),
    },
    {
      name: 'sendmail: user unknown',
      from: 'Mail Delivery Subsystem <MAILER-DAEMON@host.test>',
      subject: 'Returned mail: see transcript for details',
      text: `   ----- The following addresses had permanent fatal errors -----\n<${LEAD}>\n    (reason: 550 5.1.1 <${LEAD}>... User unknown)`,
      report: failed('5.1.1', 'SMTP; 550 5.1.1 User unknown', `RFC822; ${LEAD}`),
      expected: hard('5.1.1'),
    },
    {
      name: 'sendmail: warning after four hours',
      from: 'MAILER-DAEMON@host.test',
      subject: 'Warning: could not send message for past 4 hours',
      text: '    **      THIS IS A WARNING MESSAGE ONLY      **',
      report: `Reporting-MTA: dns; host.test\n\nFinal-Recipient: RFC822; ${LEAD}\nAction: delayed\nStatus: 4.4.1`,
      expected: delayed,
    },
    {
      name: 'Amazon SES: with the recipient in brackets',
      from: 'MAILER-DAEMON@amazonses.com',
      subject: 'Delivery Status Notification (Failure)',
      text: 'An error occurred while trying to deliver the mail to the following recipients',
      report: failed('5.1.1', 'smtp; 550 5.1.1 user unknown', `rfc822;<${LEAD}>`),
      expected: hard('5.1.1'),
    },
    {
      name: 'Yahoo: no such user',
      from: 'MAILER-DAEMON@yahoo.com',
      subject: 'Failure Notice',
      text: `Sorry, we were unable to deliver your message to the following address.\n\n<${LEAD}>:\n554: delivery error: dd Not a valid recipient`,
      report: failed('5.0.0', 'smtp; 554 delivery error: dd This user doesn’t have an account - mta1'),
      expected: hard('5.0.0'),
    },
    {
      name: 'iCloud: mailbox full',
      from: 'postmaster@me.com',
      subject: 'Undelivered Mail Returned to Sender',
      text: `<${LEAD}>: user is over quota`,
      report: failed('5.2.2', 'smtp; 552 5.2.2 <ada@lead.test>: user is over quota (in reply to RCPT TO)'),
      expected: hard('5.2.2'),
    },
    {
      name: 'Zoho: invalid recipient',
      from: 'mailer-daemon@mail.zoho.com',
      subject: 'Undelivered Mail Returned to Sender',
      text: `This message was created automatically by mail delivery software.\n${LEAD}, ERROR CODE :550 - 5.1.1 Mailbox not found`,
      report: failed('5.1.1', 'smtp; 550 5.1.1 Mailbox not found'),
      expected: hard('5.1.1'),
    },
  ])('$name', judged)
})

describe('receipts of Outlook that are no report after RFC 8098', () => {
  const form = (first: string, labels: [to: string, subject: string, sent: string], last: string) =>
    `${first}\n\n   ${labels[0]}: Ada Lovelace\n   ${labels[1]}: Quick question\n   ${labels[2]}: 2 March 2026 09:00:00 (UTC)\n\n ${last}`
  const ENGLISH = form('Your message', ['To', 'Subject', 'Sent'], 'was read on 2 March 2026 10:00:00 (UTC).')
  const mail = (subject: string, text: string, more = '') =>
    eml(
      `Subject: =?utf-8?b?${Buffer.from(subject).toString('base64')}?=\nIn-Reply-To: ${OUR_ID}\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n${more}`,
      text,
    )

  test.each([
    ['Read: Quick question', ENGLISH],
    ['Not read: Quick question', ENGLISH.replace('was read', 'was deleted without being read')],
    [
      'Gelesen: Quick question',
      form('Ihre Nachricht', ['An', 'Betreff', 'Gesendet'], 'wurde am 02.03.2026 10:00 gelesen.'),
    ],
    [
      'Lu : Quick question',
      form('Votre message', ['À', 'Objet', 'Envoyé'], 'a été lu le lundi 2 mars 2026 10:00:00.'),
    ],
    [
      'Leído: Quick question',
      form('El mensaje', ['Para', 'Asunto', 'Enviado'], 'fue leído el 02/03/2026 10:00.'),
    ],
    [
      'Letto: Quick question',
      form('Il messaggio', ['A', 'Oggetto', 'Inviato'], 'è stato letto il 02/03/2026 10:00.'),
    ],
    [
      'Lida: Quick question',
      form('A sua mensagem', ['Para', 'Assunto', 'Enviada'], 'foi lida em 02/03/2026 10:00.'),
    ],
    [
      'Gelezen: Quick question',
      form('Uw bericht', ['Aan', 'Onderwerp', 'Verzonden'], 'is gelezen op 2-3-2026 10:00.'),
    ],
    [
      'Läst: Quick question',
      form('Ditt meddelande', ['Till', 'Ämne', 'Skickat'], 'lästes den 2 mars 2026 10:00.'),
    ],
    [
      'Læst: Quick question',
      form('Din meddelelse', ['Til', 'Emne', 'Sendt'], 'blev læst den 2. marts 2026 10:00.'),
    ],
    ['Lest: Quick question', form('Meldingen', ['Til', 'Emne', 'Sendt'], 'ble lest 2. mars 2026 10:00.')],
    [
      'Luettu: Quick question',
      form('Viestisi', ['Vastaanottaja', 'Aihe', 'Lähetetty'], 'luettiin, luettu 2.3.2026 10:00.'),
    ],
    [
      'Przeczytano: Quick question',
      form('Twoja wiadomość', ['Do', 'Temat', 'Wysłano'], 'została przeczytana 2 marca 2026 10:00.'),
    ],
    [
      'Přečteno: Quick question',
      form('Vaše zpráva', ['Komu', 'Předmět', 'Odesláno'], 'byla přečtena 2. března 2026 10:00.'),
    ],
    [
      'Прочитано: Quick question',
      form('Ваше сообщение', ['Кому', 'Тема', 'Отправлено'], 'прочитано 2 марта 2026 10:00.'),
    ],
    [
      'Okundu: Quick question',
      form('İletiniz', ['Kime', 'Konu', 'Gönderme'], '2 Mart 2026 10:00 tarihinde okundu.'),
    ],
    [
      '開封済み: Quick question',
      form('次のメッセージは', ['宛先', '件名', '送信日時'], '2026年3月2日 10:00 に開封されました。'),
    ],
    [
      '已读: Quick question',
      form('您的邮件', ['收件人', '主题', '发送时间'], '于 2026年3月2日 10:00 已读。'),
    ],
    [
      '읽음: Quick question',
      form('보낸 메시지', ['받는 사람', '제목', '보낸 날짜'], '2026년 3월 2일 10:00에 읽음.'),
    ],
  ])('%s', async (subject, text) => {
    const { kind, reading, evidence } = await judge(mail(subject, text))
    expect(kind).toBe('automatic_reply')
    expect(reading).toMatchObject({ absence: null, returns_on: null, intent: null })
    expect(evidence.map(({ rule }) => rule)).toContain('read_receipt')
  })

  test('without a text, by the subject that its thread has', async () => {
    const empty = mail('Read: Quick question', '', 'Thread-Topic: Quick question')
    expect((await judge(empty)).kind).toBe('automatic_reply')
  })

  test('a report whose part a gateway took away', async () => {
    const type = 'Content-Type: multipart/report; report-type=disposition-notification; boundary="b1"'
    const raw = eml(
      `Subject: Quick question\nIn-Reply-To: ${OUR_ID}\nMIME-Version: 1.0\n${type}`,
      '--b1\nContent-Type: text/plain\n\nIt was displayed.\n\n--b1--',
    )
    expect((await judge(raw)).kind).toBe('automatic_reply')
  })

  const QUOTED =
    'Your message is what we need.\n\nFrom: Dana\nSent: 2 March 2026 09:00\nTo: Ada\nSubject: Quick question\n\nHave you read it by 10?'
  test.each<[string, string, string?]>([
    ['Read: yes, interested, call me', ''],
    ['Read: yes, interested, call me', '', 'Thread-Topic: Read: yes, interested, call me'],
    ['Read: Quick question', ''],
    ['Read: Quick question', 'Thanks, I read your message. Call me at 10.'],
    ['Gelesen: Quick question', 'Danke, Ihre Nachricht habe ich gelesen. Montag um 10?'],
    ['Read: Quick question', `${ENGLISH}\n\n${'And yes, please call me about it tomorrow. '.repeat(8)}`],
    ['Read: Quick question', QUOTED],
    ['Read: Quick question', 'Your message\nDay: Monday\nTime: 10:00\nPhone: 555\nI have read it.'],
    ['Re: Read: Quick question', ENGLISH],
    ['Reading your mail', ENGLISH],
    ['Lest we forget', 'Call me.'],
  ])('a person may begin like that: %s, %s', async (subject, text, more) => {
    expect((await judge(mail(subject, text, more))).kind).toBe('reply')
  })
})
