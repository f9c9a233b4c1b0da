import { describe, expect, test } from 'vitest'
import { limitWaitMs, readSenderFault } from '#lib/domain/inbox/status-code'
import { failed, hard, judged, type Report } from '#tests/support/scenes/bounces'
import { LEAD } from '#tests/support/scenes/inbound-mail'

const limit = (status: string | null) => ({ severity: 'soft', is_final: true, blames: 'sender', status })

describe('what comes back for what the mailbox has sent is nobody’s bounce', () => {
  test.each<Report>([
    {
      name: 'Gmail, minutes after it took the message',
      from: 'Mail Delivery Subsystem <mailer-daemon@googlemail.com>',
      subject: 'Delivery Status Notification (Failure)',
      headers: `X-Failed-Recipients: ${LEAD}`,
      text: '** Message not delivered **\n\nYou have reached a limit for sending mail. Your message was not sent.',
      report: failed('5.4.5', 'smtp; You have reached a limit for sending mail. Your message was not sent.'),
      expected: limit('5.4.5'),
    },
    {
      name: 'Exchange: the organization’s limit',
      from: 'Microsoft Outlook <MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@sender.test>',
      subject: 'Undeliverable: Hello',
      text: 'Your message couldn’t be sent because your organization sent too much.',
      report: failed(
        '5.7.232',
        'smtp;550 5.7.232 Your tenant has exceeded its daily limit for sending email',
      ),
      expected: limit('5.7.232'),
    },
    {
      name: 'Exchange: the mailbox’s recipients of a day',
      from: 'postmaster@sender.test',
      subject: 'Undeliverable: Hello',
      text: 'Your message wasn’t delivered.',
      report: failed('5.1.90', 'smtp;550 5.1.90 You’ve reached your daily limit for message recipients'),
      expected: limit('5.1.90'),
    },
    {
      name: 'Exchange: an address that it may not send from',
      from: 'postmaster@sender.test',
      subject: 'Undeliverable: Hello',
      text: 'You can’t send a message on behalf of this user.',
      report: failed('5.2.252', 'smtp;550 5.2.252 SendAsDenied; not allowed'),
      expected: hard('5.2.252', 'sender'),
    },
    {
      name: 'Exchange: the organization is blocked for what it sent',
      from: 'postmaster@sender.test',
      subject: 'Undeliverable: Hello',
      text: 'Your message couldn’t be delivered.',
      report: failed('5.7.705', 'smtp;550 5.7.705 Access denied, tenant has exceeded threshold'),
      expected: limit('5.7.705'),
    },
    {
      name: 'Exchange: the organization is blocked where it sends from',
      from: 'postmaster@sender.test',
      subject: 'Undeliverable: Hello',
      text: 'Your message couldn’t be delivered.',
      report: failed('5.7.708', 'smtp;550 5.7.708 Access denied, traffic not accepted from this IP'),
      expected: limit('5.7.708'),
    },
    {
      name: 'Exchange: the mailbox is blocked for what it sent',
      from: 'postmaster@sender.test',
      subject: 'Undeliverable: Hello',
      text: 'You’ve been blocked from sending.',
      report: failed('5.1.8', 'smtp;550 5.1.8 Access denied, bad outbound sender'),
      expected: limit('5.1.8'),
    },
    {
      name: 'cPanel: the domain’s mails of an hour, told by its own server without what another said',
      from: 'Mail Delivery System <Mailer-Daemon@host.test>',
      subject: 'Mail delivery failed: returning message to sender',
      text: `A message that you sent could not be delivered. This is a permanent error.\n\n  ${LEAD}\n    Domain sender.test has exceeded the max emails per hour (150/150 (100%)) allowed. Message discarded.`,
      report: `Reporting-MTA: dns; host.test\n\nAction: failed\nFinal-Recipient: rfc822;${LEAD}\nStatus: 5.0.0`,
      expected: limit('5.0.0'),
    },
    {
      name: 'a mailbox of the lead’s that is full is still the lead’s',
      from: 'MAILER-DAEMON@mx.test',
      subject: 'Undelivered Mail Returned to Sender',
      text: 'Sorry.',
      report: failed('5.2.2', 'smtp; 552 5.2.2 user is over quota'),
      expected: hard('5.2.2'),
    },
  ])('$name', judged)
})

test.each([
  ['5.2.0', '554 5.2.0 STOREDRV.Submission.Exception:SubmissionQuotaExceededException', 'throttled'],
  ['4.3.2', '432 4.3.2 STOREDRV.ClientSubmit; sender thread limit exceeded', 'throttled'],
  ['5.7.60', '550 5.7.60 SMTP; Client does not have permissions to send as this sender', 'refused'],
  ['5.2.0', '554 5.2.0 mailbox disabled', null],
  ['5.7.1', '550 5.7.1 blocked', null],
  ['5.7.750', '550 5.7.750 Client blocked from sending from unregistered domains', 'refused'],
  [
    null,
    '550 Domain a.test has exceeded the max defers and failures per hour (5/5 (100%)) allowed',
    'throttled',
  ],
  [null, '550 User dana has exceeded its 24-hour sending limit.', 'throttled'],
  [null, '454 Throttling failure: Daily message quota exceeded.', 'throttled'],
  ['5.4.6', '550 5.4.6 Unusual sending activity detected.', 'throttled'],
  ['5.7.1', '553 5.7.1 <dana@a.test>: Sender address rejected: not owned by user ana', 'refused'],
  [null, '554 Message rejected: Email address is not verified.', 'refused'],
  ['4.2.1', '450 4.2.1 The user you are trying to contact is receiving mail too quickly', null],
  [null, 'constructor', null],
  ['constructor', '', null],
])('%s %s: %s', (code, words, expected) => {
  expect(readSenderFault(code, words)).toBe(expected)
})

test('a limit of an hour is waited for an hour, any other a day', () => {
  expect(limitWaitMs('has exceeded the max emails per hour')).toBe(3_600_000)
  expect(limitWaitMs('Daily user sending limit exceeded')).toBe(86_400_000)
})
