import { describe, expect, test } from 'vitest'
import { dsn, eml, judge, LEAD, OUR_ID, RETURNED, US } from '#tests/support/scenes/inbound-mail'

type Report = {
  name: string
  from: string
  subject: string
  text: string
  report: string
  expected: object
  returned?: string | null
  returned_type?: string
  headers?: string
  status_type?: string
}

const hard = (status: string, blames = 'recipient') => ({ severity: 'hard', is_final: true, blames, status })
const soft = (status: string) => ({ severity: 'soft', is_final: true, status })
const delayed = { severity: 'soft', is_final: false }
const failed = (status: string, code: string, final = `rfc822; ${LEAD}`) =>
  `Reporting-MTA: dns; mx.test\n\nFinal-Recipient: ${final}\nAction: failed\nStatus: ${status}\nDiagnostic-Code: ${code}`

describe('reports after RFC 3464', () => {
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
    {
      name: 'Mimecast: rejected by policy',
      from: 'postmaster@mimecast.test',
      subject: '[Postmaster] Email Delivery Failure',
      text: 'This is a delivery failure notification message indicating that an email you addressed to could not be delivered.',
      report: failed('5.0.0', 'smtp; 554 Email rejected due to security policies - MCSpamSignature.x.1'),
      expected: hard('5.0.0', 'sender'),
    },
    {
      name: 'Mimecast: invalid recipient',
      from: 'postmaster@mimecast.test',
      subject: '[Postmaster] Email Delivery Failure',
      text: 'could not be delivered',
      report: failed(
        '5.0.0',
        'smtp; 550 Invalid Recipient - https://community.mimecast.com/docs/DOC-1369#550',
      ),
      expected: hard('5.0.0'),
    },
    {
      name: 'Proofpoint: blocked sender',
      from: 'postmaster@pphosted.test',
      subject: 'Undeliverable: Quick question',
      text: 'blocked',
      report: failed('5.7.0', 'smtp; 554 5.7.0 Blocked - see https://ipcheck.proofpoint.com/?ip=192.0.2.10'),
      expected: hard('5.7.0', 'sender'),
    },
    {
      name: 'Proofpoint: user unknown under a policy code',
      from: 'MAILER-DAEMON@pphosted.test',
      subject: 'Undelivered Mail Returned to Sender',
      text: 'unknown',
      report: failed('5.7.1', 'smtp; 550 5.7.1 <ada@lead.test>: No such user here'),
      expected: hard('5.7.1'),
    },
    {
      name: 'Barracuda: content rejected',
      from: 'MAILER-DAEMON@barracuda.test',
      subject: 'Undelivered Mail Returned to Sender',
      text: 'rejected',
      report: failed(
        '5.0.0',
        'smtp; 550 permanent failure for one or more recipients (ada@lead.test:blocked)',
      ),
      expected: hard('5.0.0', 'sender'),
    },
    {
      name: 'too large',
      from: 'MAILER-DAEMON@host.test',
      subject: 'Undelivered Mail Returned to Sender',
      text: 'message size exceeds',
      report: failed('5.3.4', 'smtp; 552 5.3.4 Message size exceeds fixed limit'),
      expected: hard('5.3.4', 'message'),
    },
    {
      name: 'null MX',
      from: 'MAILER-DAEMON@host.test',
      subject: 'Undelivered Mail Returned to Sender',
      text: 'Domain lead.test does not accept mail (nullMX)',
      report: failed('5.1.0', 'X-Postfix; Domain lead.test does not accept mail (nullMX)'),
      expected: hard('5.1.0'),
    },
    {
      name: 'internationalised report (RFC 6533)',
      from: 'MAILER-DAEMON@host.test',
      subject: 'Undelivered Mail Returned to Sender',
      text: 'x',
      report: failed('5.1.1', 'smtp; 550 5.1.1 User unknown', `utf-8; ${LEAD}`),
      status_type: 'message/global-delivery-status',
      returned_type: 'message/global-headers',
      expected: hard('5.1.1'),
    },
    {
      name: 'IBM Domino: no action, status alone',
      from: 'postmaster@notes.test',
      subject: 'DELIVERY FAILURE: User ada (ada@lead.test) not listed in Domino Directory',
      text: 'Your message was not delivered',
      report: `Reporting-MTA: dns;notes.test\n\nFinal-Recipient: rfc822;${LEAD}\nStatus: 5.1.1\nDiagnostic-Code: X-Notes; User not listed in public Name & Address Book`,
      expected: hard('5.1.1'),
    },
    {
      name: 'without the returned message: by its recipient',
      from: 'MAILER-DAEMON@host.test',
      subject: 'Undelivered Mail Returned to Sender',
      text: 'x',
      report: failed('5.1.1', 'smtp; 550 5.1.1 User unknown'),
      returned: null,
      expected: hard('5.1.1'),
    },
    {
      name: 'of an alias: by the address that was written to',
      from: 'MAILER-DAEMON@host.test',
      subject: 'Undelivered Mail Returned to Sender',
      text: 'x',
      report: `Reporting-MTA: dns; host.test\n\nOriginal-Recipient: rfc822;${LEAD}\nFinal-Recipient: rfc822;a.lovelace@elsewhere.test\nAction: failed\nStatus: 5.1.1`,
      returned: null,
      expected: { ...hard('5.1.1'), recipients: [LEAD] },
    },
    {
      name: 'of several recipients, one delayed and one failed',
      from: 'MAILER-DAEMON@host.test',
      subject: 'Undelivered Mail Returned to Sender',
      text: 'x',
      report: `Reporting-MTA: dns; host.test\n\nFinal-Recipient: rfc822;b@lead.test\nAction: delayed\nStatus: 4.4.1\n\nFinal-Recipient: rfc822;${LEAD}\nAction: failed\nStatus: 5.1.1`,
      expected: hard('5.1.1'),
    },
  ])('$name', async ({ expected, ...mail }) => {
    const { reading, kind, match } = await judge(dsn(mail))
    expect(reading.bounce).toMatchObject(expected)
    expect(kind).toBe(reading.bounce?.severity === 'hard' ? 'hard_bounce' : 'soft_bounce')
    expect(match?.how).toBe(mail.returned === null ? 'recipient' : 'message_id')
    expect(reading.evidence).not.toEqual([])
  })

  test.each(['delivered', 'relayed', 'expanded'])('that say %s are no bounce', async (action) => {
    const report = `Reporting-MTA: dns; x\n\nFinal-Recipient: rfc822;${LEAD}\nAction: ${action}\nStatus: 2.0.0`
    const { kind, reading } = await judge(
      dsn({ from: 'MAILER-DAEMON@x.test', subject: 'Successful Mail Delivery Report', text: 'ok', report }),
    )
    expect(kind).toBe('unrelated')
    expect(reading.about).toContain(OUR_ID)
  })

  test('of mail that the ledger does not know are unrelated', async () => {
    const returned = RETURNED.replace(OUR_ID, '<private@sender.test>')
    const report = failed('5.1.1', 'smtp; 550', 'rfc822; friend@elsewhere.test')
    const mail = {
      from: 'MAILER-DAEMON@x.test',
      subject: 'Undelivered Mail Returned to Sender',
      text: 'x',
      report,
    }
    expect((await judge(dsn({ ...mail, returned }))).kind).toBe('unrelated')
  })
})

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
