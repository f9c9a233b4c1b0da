import { expect, test } from 'vitest'
import { sendFailure } from '#lib/providers/mail/reply'
import { toOutcome } from '#lib/services/senders/sent/mail-outcome'

const refused = (command: 'MAIL FROM' | 'RCPT TO' | 'DATA', response: string, offered = false) => {
  const responseCode = Number(response.slice(0, 3))
  const error = Object.assign(new Error(response), { command, response, responseCode })
  return toOutcome(sendFailure(error, offered))
}

const mailbox = (sender_fault: string) => ({ outcome: 'never_left', sender_fault })
const lead = (blames: string) => ({ outcome: 'refused_for_good', blames, sender_worked: true })

test.each([
  // Refusals because of the mailbox apply to every lead.
  [
    '550 Domain sender.test has exceeded the max emails per hour (150/150 (100%)) allowed.',
    mailbox('throttled'),
  ],
  ['450 4.7.1 Error: too many messages from dana@sender.test', mailbox('throttled')],
  ['553 5.7.1 <dana@sender.test>: Sender address rejected: not owned by user ana', mailbox('refused')],
  ['550 5.1.0 <dana@sender.test> Sender rejected', mailbox('refused')],
  ['550 Sender verify failed', mailbox('refused')],
  ['550 5.7.1 Unable to relay', mailbox('refused')],
  ['554 5.7.1 <ada@lead.test>: Relay access denied', mailbox('refused')],
  ['550-Please turn on SMTP Authentication in your mail client.', mailbox('refused')],
  // Refusals that say nothing about the recipient's address: other senders may still write to it.
  ['554 192.0.2.1 found on one or more DNSBLs', lead('sender')],
  ['550 5.2.0 Message blocked due to spam content', lead('sender')],
  // Refusals because of the recipient's address.
  ['550 No such user', lead('recipient')],
  ['550 Requested action not taken', lead('recipient')],
  ['550 5.1.1 blocked for spam', lead('recipient')],
  ['450 4.2.1 The user is receiving mail too quickly', { outcome: 'refused_for_now', blames: 'recipient' }],
])('RCPT TO: %s', (response, expected) => {
  expect(refused('RCPT TO', response)).toMatchObject(expected)
})

test.each([
  ['550 5.7.708 Access denied, traffic not accepted from this IP', mailbox('throttled')],
  ['421 4.7.28 Gmail has detected an unusual rate of mail', mailbox('throttled')],
  ['454 Throttling failure: Maximum sending rate exceeded.', mailbox('throttled')],
  ['432 4.3.2 Concurrent connections limit exceeded', mailbox('throttled')],
  ['554 Sending paused for this account.', mailbox('refused')],
  ['554 5.7.1 Spam message rejected', lead('message')],
  ['452 4.3.1 Insufficient system storage', { outcome: 'refused_for_now', blames: 'message' }],
])('after the message: %s', (response, expected) => {
  expect(refused('DATA', response, true)).toMatchObject(expected)
})

test('where words alone blame the mailbox, the lead waits longer each time, so that it holds up no other', () => {
  expect(refused('RCPT TO', '550 Sender verify failed')).toMatchObject({ may_be_cause: true })
  expect(refused('DATA', '421 4.7.0 Rate limit', true)).toMatchObject({ may_be_cause: true })
})

test('a limit of an hour is waited for an hour', () => {
  const said = '550 Domain sender.test has exceeded the max emails per hour'
  expect(refused('RCPT TO', said)).toMatchObject({ retry_after_ms: 3_600_000 })
})
