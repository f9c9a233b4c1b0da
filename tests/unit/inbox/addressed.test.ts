import { describe, expect, test } from 'vitest'
import { type Addressee, addressed, isNamedHere } from '#lib/domain/inbox/written/addressed'

const LEAD = 'ida@lead.test'
const US = 'ana@sender.test'
const OWN = { mailbox: US, all: [US, 'sales@sender.test'] }

const lead = (fields: Partial<Addressee> = {}): Addressee => ({
  email: LEAD,
  writers: [],
  in_thread: false,
  from_here: true,
  has_conversation: false,
  ...fields,
})
const thread = (fields: Partial<Addressee> = {}) => lead({ in_thread: true, from_here: false, ...fields })

describe('a mail that left by another program was written to a lead', () => {
  test.each([
    { name: 'who stands in To, and was written to from this mailbox', to: [LEAD], known: lead() },
    { name: 'who stands in Cc or Bcc, among others', to: ['x@else.test', LEAD], known: lead() },
    {
      name: 'whom another mailbox wrote to, and who has a conversation',
      to: [LEAD],
      known: lead({ from_here: false, has_conversation: true }),
    },
    { name: 'whose conversation it answers', to: [LEAD], known: thread() },
    {
      name: 'who answered from another address',
      to: ['ida@home.test'],
      known: thread({ writers: ['ida@home.test'] }),
    },
    {
      name: 'who is another mailbox of the workspace, in their conversation',
      to: ['sales@sender.test'],
      known: thread({ email: 'sales@sender.test' }),
    },
  ])('$name', ({ to, known }) => expect(addressed(to, [known], OWN)).toEqual([known]))
})

describe('it is private', () => {
  test.each([
    { name: 'to somebody else', to: ['mum@home.test'], known: lead() },
    { name: 'to a colleague of the lead', to: ['bob@lead.test'], known: lead() },
    { name: 'to a lead of another mailbox that never wrote', to: [LEAD], known: lead({ from_here: false }) },
    { name: 'forwarded out of a conversation', to: ['boss@sender.test'], known: thread({ writers: [LEAD] }) },
    {
      name: 'between mailboxes of the workspace, one of which is a lead',
      to: ['sales@sender.test'],
      known: lead({ email: 'sales@sender.test' }),
    },
    {
      name: 'a note to a mailbox of the workspace that wrote in the conversation',
      to: ['sales@sender.test'],
      known: thread({ writers: ['sales@sender.test'] }),
    },
    {
      name: 'what the lead wrote, whose mailbox this is',
      to: ['sales@sender.test', US],
      known: thread({ email: US }),
    },
    { name: 'to nobody', to: [], known: thread() },
  ])('$name', ({ to, known }) => expect(addressed(to, [known], OWN)).toEqual([]))
})

describe('a name given here', () => {
  test.each([
    ['<0193a1b2-c3d4-7abc-8def-0123456789ab@sender.test>', true],
    ['<0193A1B2-C3D4-7ABC-8DEF-0123456789AB@SENDER.test>', true],
    ['<notification.0193a1b2-c3d4-4abc-8def-0123456789ab@sender.test>', true],
    // Mail programs use random (version 4) UUIDs.
    ['<8f14e45f-ceea-467f-a8b1-0123456789ab@sender.test>', false],
    ['<0193a1b2-c3d4-7abc-8def-0123456789ab@other.test>', false],
    ['<CAF+x@mail.gmail.com>', false],
    ['', false],
  ])('%s: %s', (id, is) => expect(isNamedHere(id, [US])).toBe(is))

  test('by another of its addresses too', () => {
    const named = '<0193a1b2-c3d4-7abc-8def-0123456789ab@other.test>'
    expect(isNamedHere(named, [US, 'sales@other.test'])).toBe(true)
  })
})
