import { describe, expect, test } from 'vitest'
import { unreadMailboxes } from '#lib/services/sending/fresh-read'

const now = new Date('2026-03-02T09:00:00Z')
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
const mailbox = (
  mailbox_id: string,
  minutes: number,
  more: { is_read?: boolean; inbox_error?: string; inbox_behind?: boolean } = {},
) => ({
  mailbox_id,
  is_read: true,
  inbox_polled_at: minutesAgo(minutes),
  inbox_error: null,
  ...more,
})
const followUp = (sender_id: string, mailbox_id: string | null, thread_message_id: string | null) => ({
  sender_id,
  lead: { is_new: false, mailbox_id, thread_message_id },
})

describe('the mailboxes that are read before follow-ups leave', () => {
  test.each([
    ['was read an hour ago', followUp('a', 'a', '<1@x>'), mailbox('a', 60), ['a']],
    ['was read a minute ago', followUp('a', 'a', '<1@x>'), mailbox('a', 1), []],
    ['could not be read', followUp('a', 'a', '<1@x>'), mailbox('a', 1, { inbox_error: 'no' }), ['a']],
    [
      'holds more than a reading takes',
      followUp('a', 'a', '<1@x>'),
      mailbox('a', 1, { inbox_behind: true }),
      ['a'],
    ],
    ['has no incoming mail', followUp('a', 'a', '<1@x>'), mailbox('a', 60, { is_read: false }), []],
    [
      'takes a lead over whose own mailbox was removed',
      followUp('a', null, '<1@x>'),
      mailbox('a', 60),
      ['a'],
    ],
    ['mails a lead for the first time', followUp('a', null, null), mailbox('a', 60), []],
    ['kept a lead that an account writes to now', followUp('account', 'a', '<1@x>'), mailbox('a', 60), ['a']],
  ])('one that %s', (_what, action, kept, unread) => {
    expect(unreadMailboxes([action], [kept], now)).toEqual(unread)
  })

  test('a lead before its first step asks for none', () => {
    const lead = { is_new: true, mailbox_id: null, thread_message_id: null }
    expect(unreadMailboxes([{ sender_id: 'a', lead }], [mailbox('a', 60)], now)).toEqual([])
  })
})
