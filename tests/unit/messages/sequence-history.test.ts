import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fitted } from '#components/sequence/clipboard'
import { newStep, serializeSteps } from '#components/sequence/steps'
import { opened, reduce, type Sequence, type SequenceAct } from '#components/sequence/use-sequence'

const start = () => opened([newStep('email', 0), newStep('visit_profile', 1)], null)
const shown = ({ items, account_id }: Sequence) => serializeSteps(items.map(({ step }) => step)) + account_id
const text = (sequence: Sequence, at: number) => sequence.items[at]?.step.message_template

type Hand = (sequence: Sequence) => SequenceAct
const pick = (sequence: Sequence, place: number) => sequence.items[place % Math.max(1, sequence.items.length)]
const hand = fc.oneof(
  fc.nat(5).map(
    (at): Hand =>
      ({ items }) => ({ act: 'add', kind: 'follow', at: Math.min(at, items.length) }),
  ),
  fc.nat(5).map(
    (at): Hand =>
      (now) => ({ act: 'remove', key: pick(now, at)?.key ?? '' }),
  ),
  fc.tuple(fc.nat(5), fc.nat(5)).map(
    ([at, to]): Hand =>
      (now) => ({ act: 'move', key: pick(now, at)?.key ?? '', to }),
  ),
  fc.tuple(fc.nat(5), fc.nat(400)).map(
    ([at, delay_days]): Hand =>
      (now) => {
        const item = pick(now, at)
        return item
          ? { act: 'change', key: item.key, step: { ...item.step, delay_days } }
          : { act: 'account', account_id: 'one' }
      },
  ),
  fc.nat(5).map(
    (at): Hand =>
      ({ items }) => ({
        act: 'paste',
        step: newStep('email', 3),
        at: Math.min(at, items.length),
      }),
  ),
  fc.nat(5).map(
    (at): Hand =>
      (now) => ({ act: 'choose', key: pick(now, at)?.key ?? '' }),
  ),
  fc.constantFrom('one', null).map(
    (account_id): Hand =>
      () => ({ act: 'account', account_id }),
  ),
)

describe('whatever was done to a sequence', () => {
  test('can all be taken back, and all be done again', () => {
    fc.assert(
      fc.property(fc.array(hand, { maxLength: 30 }), (hands) => {
        const first = start()
        const done = hands.reduce<Sequence>((now, act) => reduce(now, act(now)), first)
        const back = done.past.reduce<Sequence>((now) => reduce(now, { act: 'undo' }), done)
        expect(shown(back)).toBe(shown(first))
        expect(shown(reduce(back, { act: 'undo' }))).toBe(shown(first))
        const again = back.future.reduce<Sequence>((now) => reduce(now, { act: 'redo' }), back)
        expect(shown(again)).toBe(shown(done))
        expect(again.items.map(({ step }) => step.step)).toEqual(again.items.map((_, index) => index + 1))
      }),
    )
  })

  test('what is written in one field is one change, and another act ends it', () => {
    const write = (now: Sequence, message_template: string) =>
      reduce(now, {
        act: 'change',
        key: 'step-1',
        step: { ...(now.items[0]?.step ?? newStep('email', 0)), message_template },
      })
    const typed = ['H', 'He', 'Hel'].reduce(write, start())
    expect(typed.past).toHaveLength(1)
    const elsewhere = reduce(typed, { act: 'choose', key: 'step-2' })
    const more = write(elsewhere, 'Hello')
    expect(more.past).toHaveLength(2)
    const once = reduce(more, { act: 'undo' })
    expect(text(once, 0)).toBe('Hel')
    expect(text(reduce(once, { act: 'undo' }), 0)).toBe('')
    // An undone edit cannot be redone after another edit.
    expect(reduce(write(once, 'Hey'), { act: 'redo' }).items).toEqual(write(once, 'Hey').items)
  })

  test('a hundred changes are kept, and twenty steps are the most', () => {
    const add = (now: Sequence) => reduce(now, { act: 'add', kind: 'follow', at: 0 })
    const remove = (now: Sequence) => reduce(now, { act: 'remove', key: now.items[0]?.key ?? '' })
    const many = Array.from({ length: 150 }).reduce<Sequence>(
      (now, _, index) => (index % 2 ? remove : add)(now),
      start(),
    )
    expect(many.past).toHaveLength(100)
    const full = Array.from({ length: 30 }).reduce<Sequence>(add, start())
    expect(full.items).toHaveLength(20)
  })
})

test('a pasted step keeps what is known where it comes to, and has words in the place of other templates', () => {
  const variant = { label: 'A', weight: 50, type: 'TEMPLATE' as const, subject: null, message_template: null }
  const step = {
    ...newStep('email', 0),
    variants: [
      { ...variant, template_id: 'here', sender_profile_id: 'mine' },
      { ...variant, label: 'B', template_id: 'elsewhere', sender_profile_id: 'theirs' },
    ],
  }
  const texts = { elsewhere: { subject: null, body: 'Words of the other' } }
  const known = { templates: [{ template_id: 'here' }], profiles: [{ id: 'mine' }] }
  expect(fitted({ step, texts }, known).variants).toEqual([
    { ...variant, template_id: 'here', sender_profile_id: 'mine' },
    {
      ...variant,
      ...{ label: 'B', template_id: null, sender_profile_id: null },
      ...{ subject: '', message_template: 'Words of the other' },
    },
  ])
})
