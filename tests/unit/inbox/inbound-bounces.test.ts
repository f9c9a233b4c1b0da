import { describe, expect, test } from 'vitest'
import { delayed, hard, soft } from '#tests/support/scenes/bounces'
import { eml, judge, LEAD, OUR_ID, RETURNED } from '#tests/support/scenes/inbound-mail'

const ORIGINAL = `\n\n------ This is a copy of the message, including all the headers. ------\n\n${RETURNED}\n\nHello`

describe('bounces in words of their own', () => {
  test.each([
    {
      name: 'Exim: rejected after RCPT',
      headers: `From: Mail Delivery System <Mailer-Daemon@host.test>\nSubject: Mail delivery failed: returning message to sender\nX-Failed-Recipients: ${LEAD}\nAuto-Submitted: auto-replied`,
      text: `This message was created automatically by mail delivery software.\n\nA message that you sent could not be delivered to one or more of its\nrecipients. This is a permanent error. The following address(es) failed:\n\n  ${LEAD}\n    host mx.lead.test [192.0.2.1]\n    SMTP error from remote mail server after RCPT TO:<${LEAD}>:\n    550 5.1.1 <${LEAD}>: Recipient address rejected: User unknown${ORIGINAL}`,
      expected: hard('5.1.1'),
    },
    {
      name: 'Exim: retry time exceeded',
      headers: `From: Mail Delivery System <Mailer-Daemon@host.test>\nSubject: Mail delivery failed: returning message to sender\nX-Failed-Recipients: ${LEAD}`,
      text: `A message that you sent could not be delivered. The following address(es) failed:\n\n  ${LEAD}\n    retry timeout exceeded${ORIGINAL}`,
      expected: { severity: 'soft', is_final: true },
    },
    {
      name: 'Exim: delayed 24 hours',
      headers: `From: Mail Delivery System <Mailer-Daemon@host.test>\nSubject: Warning: message 1abcde-0001 delayed 24 hours`,
      text: `This message was created automatically by mail delivery software.\nA message that you sent has not yet been delivered to one or more of its\nrecipients after more than 24 hours on the queue on host.test.\n\nThe address to which the message has not yet been delivered is:\n\n  ${LEAD}\n\nNo action is required on your part. Delivery attempts will continue for\nsome time, and this warning may be repeated at intervals.\n\nMessage-ID: ${OUR_ID}`,
      expected: delayed,
    },
    {
      name: 'Exim: delayed, with what happens should it give up',
      headers: `From: Mail Delivery System <Mailer-Daemon@host.test>\nSubject: Warning: message 1abcde-0001 delayed 24 hours`,
      text: `This message was created automatically by mail delivery software.\nA message that you sent has not yet been delivered to one or more of its\nrecipients after more than 24 hours on the queue on host.test.\n\nThe address to which the message has not yet been delivered is:\n\n  ${LEAD}\n    Delay reason: host mx.lead.test [192.0.2.1]: Connection timed out\n\nNo action is required on your part. Delivery attempts will continue for\nsome time, and this warning may be repeated at intervals if the message\nremains undelivered. Eventually the mail delivery software will give up,\nand when that happens, the message will be returned to you.\n\nMessage-ID: ${OUR_ID}`,
      expected: delayed,
    },
    {
      name: 'Postfix: a warning, its report lost',
      headers: `From: Mail Delivery System <MAILER-DAEMON@host.test>\nSubject: Delayed Mail (still being retried)`,
      text: `This is the mail system at host host.test.\n\n####################################################################\n# THIS IS A WARNING ONLY.  YOU DO NOT NEED TO RESEND YOUR MESSAGE. #\n####################################################################\n\nYour message could not be delivered for more than 4 hour(s).\nIt will be retried until it is 5 day(s) old.\n\n<${LEAD}>: connect to mx.lead.test[192.0.2.1]:25: Connection timed out\n\nMessage-ID: ${OUR_ID}`,
      expected: delayed,
    },
    {
      name: 'Gmail: a delay, its report lost',
      headers: `From: Mail Delivery Subsystem <mailer-daemon@googlemail.com>\nSubject: Delivery Status Notification (Delay)\nX-Failed-Recipients: ${LEAD}`,
      text: `** Delivery incomplete **\n\nThere was a temporary problem delivering your message to ${LEAD}. Gmail will retry for 46 more hours. You'll be notified if the delivery fails permanently.\n\nMessage-ID: ${OUR_ID}`,
      expected: delayed,
    },
    {
      name: 'sendmail: a warning',
      headers: `From: Mail Delivery Subsystem <MAILER-DAEMON@host.test>\nSubject: Warning: could not send message for past 4 hours`,
      text: `    **********************************************\n    **      THIS IS A WARNING MESSAGE ONLY      **\n    **  YOU DO NOT NEED TO RESEND YOUR MESSAGE  **\n    **********************************************\n\n   ----- Transcript of session follows -----\n<${LEAD}>... Deferred: Connection timed out with mx.lead.test.\nWarning: message still undelivered after 4 hours\nWill keep trying until message is 5 days old\n\nMessage-ID: ${OUR_ID}`,
      expected: delayed,
    },
    {
      name: 'qmail: no mailbox here by that name',
      headers: 'From: MAILER-DAEMON@host.test\nSubject: failure notice',
      text: `Hi. This is the qmail-send program at host.test.\nI'm afraid I wasn't able to deliver your message to the following addresses.\nThis is a permanent error; I've given up. Sorry it didn't work out.\n\n<${LEAD}>:\nSorry, no mailbox here by that name. (#5.1.1)\n\n--- Below this line is a copy of the message.\n\n${RETURNED}`,
      expected: hard('5.1.1'),
    },
    {
      name: 'qmail: remote host said',
      headers: 'From: MAILER-DAEMON@host.test\nSubject: failure notice',
      text: `Hi. This is the qmail-send program at host.test.\n\n<${LEAD}>:\n192.0.2.1 does not like recipient.\nRemote host said: 550 5.1.1 unknown user\nGiving up on 192.0.2.1.\n\n--- Below this line is a copy of the message.\n\n${RETURNED}`,
      expected: hard('5.1.1'),
    },
    {
      name: 'qmail: in the queue too long',
      headers: 'From: MAILER-DAEMON@host.test\nSubject: failure notice',
      text: `Hi. This is the qmail-send program.\n\n<${LEAD}>:\nSorry, I wasn't able to establish an SMTP connection. (#4.4.1)\nI'm not going to try again; this message has been in the queue too long.\n\n--- Below this line is a copy of the message.\n\n${RETURNED}`,
      expected: soft('4.4.1'),
    },
    {
      name: 'Exchange 2003: could not be reached',
      headers: 'From: System Administrator <postmaster@lead.test>\nSubject: Undeliverable: Quick question',
      text: `Your message did not reach some or all of the intended recipients.\n\n      Subject: Quick question\n\nThe following recipient(s) could not be reached:\n\n      ${LEAD} on 3/2/2026 9:00 AM\n            The e-mail account does not exist at the organization this message was sent to.\n            <lead.test #5.1.1>\n\nMessage-ID: ${OUR_ID}`,
      expected: hard('5.1.1'),
    },
    {
      name: 'Exchange in words with diagnostics and original headers',
      headers: 'From: Microsoft Outlook <postmaster@lead.test>\nSubject: Undeliverable: Quick question',
      text: `Delivery has failed to these recipients or distribution lists:\n\n${LEAD}\nThe e-mail address you entered couldn't be found.\n\nDiagnostic information for administrators:\n\nGenerating server: lead.test\n\n${LEAD}\n#550 5.1.1 RESOLVER.ADR.RecipNotFound; not found ##\n\nOriginal message headers:\n\n${RETURNED}`,
      expected: hard('5.1.1'),
    },
    {
      name: 'Gmail of old, without a report',
      headers: `From: Mail Delivery Subsystem <mailer-daemon@googlemail.com>\nSubject: Delivery Status Notification (Failure)\nX-Failed-Recipients: ${LEAD}`,
      text: `Delivery to the following recipient failed permanently:\n\n     ${LEAD}\n\nTechnical details of permanent failure:\nGoogle tried to deliver your message, but it was rejected by the server for the recipient domain lead.test by mx.lead.test.\n\nThe error that the other server returned was:\n550 5.1.1 User Unknown\n\n----- Original message -----\n\n${RETURNED}`,
      expected: hard('5.1.1'),
    },
    {
      name: 'Yahoo of old',
      headers: 'From: MAILER-DAEMON@yahoo.com\nSubject: Failure Notice',
      text: `Sorry, we were unable to deliver your message to the following address.\n\n<${LEAD}>:\nRemote host said: 554 delivery error: dd This user doesn't have a yahoo.com account (${LEAD}) [0] - mta1 [BODY]\n\n--- Below this line is a copy of the message.\n\n${RETURNED}`,
      expected: { severity: 'hard', is_final: true, blames: 'recipient' },
    },
    {
      name: 'sendmail of old',
      headers:
        'From: Mail Delivery Subsystem <MAILER-DAEMON@host.test>\nSubject: Returned mail: User unknown',
      text: `The original message was received at Mon, 2 Mar 2026 09:00:00 GMT\n\n   ----- The following addresses had permanent fatal errors -----\n<${LEAD}>\n\n   ----- Transcript of session follows -----\n... while talking to mx.lead.test.:\n>>> RCPT To:<${LEAD}>\n<<< 550 <${LEAD}>... User unknown\n550 <${LEAD}>... User unknown\n\n   ----- Original message follows -----\n\n${RETURNED}`,
      expected: { severity: 'hard', is_final: true, blames: 'recipient' },
    },
    {
      name: 'a full mailbox without any code',
      headers: 'From: postmaster@host.test\nSubject: Mail System Error - Returned Mail',
      text: `This Message was undeliverable due to the following reason:\n\nThe user(s) account is temporarily over quota.\n\n<${LEAD}>\n\nMessage-ID: ${OUR_ID}`,
      expected: { severity: 'soft', is_final: true },
    },
    {
      name: 'GMX in German',
      headers:
        'From: GMX Mailer Daemon <mailer-daemon@gmx.de>\nSubject: Mail delivery failed: returning message to sender',
      text: `This message was created automatically by mail delivery software.\n\nA message that you sent could not be delivered to one or more of\nits recipients. This is a permanent error. The following address\nfailed:\n\n${LEAD}:\nSMTP error from remote server for RCPT TO command, host: mx.lead.test (192.0.2.1) reason: 550 Requested action not taken: mailbox unavailable${ORIGINAL}`,
      expected: { severity: 'hard', is_final: true, blames: 'recipient' },
    },
    {
      name: 'NetEase, of which a few words are English',
      headers: 'From: Postmaster@163.com\nSubject: =?utf-8?b?57O757uf6YCA5L+h?=',
      text: `抱歉，您的邮件被退回来了……\n收件人邮件地址：${LEAD}\n退信原因：对方用户不存在\n英文说明: SMTP error, RCPT TO: 550 User not found: ${LEAD}\n\nMessage-ID: ${OUR_ID}`,
      expected: { severity: 'hard', is_final: true, blames: 'recipient' },
    },
    {
      name: 'Outlook in German, from a person-like sender without a return path',
      headers:
        'Return-Path: <>\nFrom: Microsoft Outlook <noreply@lead.test>\nSubject: Unzustellbar: Quick question',
      text: `Fehler bei der Nachrichtenzustellung an folgende Empfänger oder Gruppen:\n\n${LEAD}\nDie eingegebene E-Mail-Adresse konnte nicht gefunden werden.\n\n#550 5.1.1 RESOLVER.ADR.RecipNotFound; not found ##\n\nMessage-ID: ${OUR_ID}`,
      expected: hard('5.1.1'),
    },
    {
      name: 'Outlook in French',
      headers:
        'From: Microsoft Outlook <postmaster@lead.test>\nSubject: =?utf-8?q?Non_remis_=3A_Quick_question?=',
      text: `Échec de la remise pour ces destinataires :\n\n${LEAD}\n\n#550 5.1.10 RESOLVER.ADR.RecipientNotFound\n\nMessage-ID: ${OUR_ID}`,
      expected: hard('5.1.10'),
    },
    {
      name: 'Lotus Domino in words',
      headers:
        'From: postmaster@notes.test\nSubject: DELIVERY FAILURE: User ada not listed in Domino Directory',
      text: `Your message\n\n  Subject: Quick question\n\nwas not delivered to:\n\n  ${LEAD}\n\nbecause:\n\n  User ada (${LEAD}) not listed in Domino Directory; no such user\n\n${OUR_ID}`,
      expected: { severity: 'hard', is_final: true, blames: 'recipient' },
    },
    {
      name: 'MDaemon: spam',
      headers:
        'From: MDaemon@host.test\nSubject: Permanent Delivery Failure\nX-Failed-Recipients: ada@lead.test',
      text: `The following data may contain sections which represent mail that could not be delivered\n\nFailed address: ${LEAD}\n\n--- Session Transcript ---\n550 5.7.1 Message rejected as spam\n--- End Transcript ---\n\nMessage-ID: ${OUR_ID}`,
      expected: hard('5.7.1', 'sender'),
    },
    {
      name: 'a report whose MIME was cut off',
      headers: `From: MAILER-DAEMON@host.test\nSubject: Undelivered Mail Returned to Sender\nContent-Type: multipart/report; report-type=delivery-status; boundary="gone"`,
      text: `This is the mail system.\n<${LEAD}>: host mx.lead.test said: 550 5.1.1 User unknown\n\nMessage-ID: ${OUR_ID}`,
      expected: hard('5.1.1'),
    },
  ])('$name', async ({ headers, text, expected }) => {
    const { reading, kind } = await judge(eml(headers, text))
    expect(reading.bounce).toMatchObject(expected)
    expect(reading.recipients).toContain(LEAD)
    expect(kind).toMatch(/^(hard|soft)_bounce$/)
  })

  test.each([
    {
      name: 'an answer to a forwarded bounce',
      headers: 'Subject: Re: Undeliverable: Quick question',
      text: 'What was this? User unknown?',
    },
    {
      name: 'a person who writes of failed deliveries',
      headers: 'Subject: Delivery failed',
      text: 'The parcel could not be delivered yesterday.',
    },
    {
      name: 'a person called Postmaster',
      headers: 'From: "Paul Postmaster" <ada@lead.test>\nSubject: Re: Quick question',
      text: 'Yes, let us talk.',
    },
  ])('$name is none', async ({ headers, text }) => {
    expect((await judge(eml(headers, text))).kind).toBe('reply')
  })
})
