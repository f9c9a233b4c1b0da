import { describe, expect, test } from 'vitest'
import { failed, hard, judged, type Report, soft } from '#tests/support/scenes/bounces'
import { dsn, judge, LEAD, OUR_ID, RETURNED } from '#tests/support/scenes/inbound-mail'

describe('reports after RFC 3464, of gateways and odd ones', () => {
  test.each<Report>([
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
  ])('$name', judged)

  test.each([
    [
      'QQ: content',
      '5.0.0',
      '550 Mail content denied. http://service.mail.qq.com/help',
      hard('5.0.0', 'sender'),
    ],
    ['QQ: too many of the domain', '5.0.0', '550 Domain frequency limited', hard('5.0.0', 'sender')],
    ['QQ: nobody', '5.0.0', '550 Mailbox not found. http://service.mail.qq.com/', hard('5.0.0')],
    ['NetEase: spam', '5.0.0', '554 DT:SPM 163 mx1,PMmowABn http://mail.163.com/', hard('5.0.0', 'sender')],
    ['NetEase: nobody', '5.0.0', '550 User not found: ada@lead.test', hard('5.0.0')],
    [
      'T-Online: listed',
      '5.0.0',
      '554 IP=192.0.2.1 - A problem occurred. (Ask your postmaster for help or to contact tosa@rx.t-online.de to clarify.) (BL)',
      hard('5.0.0', 'sender'),
    ],
    ['GMX: listed', '5.0.0', '554-No SMTP service 554 IP address is black listed.', hard('5.0.0', 'sender')],
    [
      'GMX: no name',
      '5.0.0',
      '554-No SMTP service 554 Bad DNS PTR resource record.',
      hard('5.0.0', 'sender'),
    ],
    ['a callout', '5.0.0', '550 Sender verify failed', hard('5.0.0', 'sender')],
    [
      'Charter: the sender, by a code of addresses',
      '5.1.0',
      '550 5.1.0 sender rejected AUP#Out-1310',
      hard('5.1.0', 'sender'),
    ],
    [
      'Comcast: spam, by a code of mailboxes',
      '5.2.0',
      '552 5.2.0 rejected due to possible spam content',
      hard('5.2.0', 'sender'),
    ],
    ['an address, by the same code', '5.1.0', '550 5.1.0 Address rejected.', hard('5.1.0')],
    [
      'Exchange: gave up in time',
      '5.4.300',
      '550 5.4.300 Message expired -> 421 4.4.2 Connection dropped',
      soft('5.4.300'),
    ],
    ['gave up in time, by its code alone', '5.4.7', '550 5.4.7 too old', soft('5.4.7')],
    [
      'Exchange: no such domain',
      '5.4.310',
      '550 5.4.310 DNS domain lead.test does not exist',
      hard('5.4.310'),
    ],
    [
      'Gmail: somebody who gets too much at once',
      '5.2.1',
      '550-5.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages from being delivered.',
      soft('5.2.1'),
    ],
  ])('%s', async (name, status, said, expected) => {
    const from = 'MAILER-DAEMON@host.test'
    const subject = 'Undelivered Mail Returned to Sender'
    await judged({ name, from, subject, text: 'x', report: failed(status, `smtp; ${said}`), expected })
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
