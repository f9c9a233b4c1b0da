import { describe, expect, test } from 'vitest'
import { eachOnce, otherRecipients } from '#lib/domain/inbox/written/copies'

describe('an answer to all', () => {
  const to = 'ada@lead.test'
  const own = ['me@own.test', 'sales@own.test']
  const others = (...addresses: string[]) =>
    otherRecipients(
      addresses.map((address) => ({ name: '', address })),
      { own, to, most: 3 },
    ).map(({ address }) => address)

  test.each([
    [['me@own.test', 'bob@lead.test'], ['bob@lead.test']],
    [['ME@OWN.TEST', 'Sales+tag@own.test', 'me+2@own.test'], []],
    [
      ['bob@lead.test', 'Bob@Lead.test', 'ADA@lead.test', 'eve@lead.test'],
      ['bob@lead.test', 'eve@lead.test'],
    ],
    [['undisclosed-recipients:', '', 'bob+x@lead.test'], ['bob+x@lead.test']],
    [
      ['a@x.test', 'b@x.test', 'c@x.test', 'd@x.test'],
      ['a@x.test', 'b@x.test', 'c@x.test'],
    ],
  ])('%j copies %j', (recipients, expected) => {
    expect(others(...recipients)).toEqual(expected)
  })
})

test('each address stands once, where most people see it', () => {
  expect(
    eachOnce('ada@x.test', { cc: ['ADA@x.test', 'bob@x.test'], bcc: ['Bob@x.test', 'eve@x.test'] }),
  ).toEqual({
    cc: ['bob@x.test'],
    bcc: ['eve@x.test'],
  })
})
