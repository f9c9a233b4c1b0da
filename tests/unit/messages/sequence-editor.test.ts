import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mergeFieldFallback, splitMergeFields, withFallback } from '#components/messages/merge-fields'
import { typedField } from '#components/messages/offered/typed-field'
import type { Kind } from '#components/sequence/kinds'
import { conditionObstacle } from '#components/sequence/pane/conditions'
import { stepProblems } from '#components/sequence/problems'
import { even, movedTo, newStep, percents, sumWeights } from '#components/sequence/steps'
import {
  messageIn,
  withCopied,
  withMessage,
  withoutVariant,
  withPart,
  withTemplate,
  withVariant,
} from '#components/sequence/variants/words'
import { diffSteps } from '#components/step-previews/diff'
import type { StepConfig } from '#lib/contracts/campaigns/steps'

const variant = (weight: number, index: number) => ({
  label: String.fromCharCode(65 + index),
  weight,
  type: 'TEMPLATE' as const,
  template_id: null,
  sender_profile_id: null,
  subject: null,
  message_template: null,
})
const weights = fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 26 })

describe('weights', () => {
  test('become percents that make a hundred, in the order of their size', () => {
    fc.assert(
      fc.property(weights, (given) => {
        fc.pre(given.some((weight) => weight > 0))
        const made = percents(given.map(variant)).map(({ weight }) => weight)
        expect(made.reduce((sum, weight) => sum + weight, 0)).toBe(100)
        for (const [a, left] of given.entries())
          for (const [b, right] of given.entries())
            if (left > right) expect(made[a]).toBeGreaterThanOrEqual(made[b] ?? 0)
      }),
    )
  })

  test('of any number of variants can be evened, to within one percent', () => {
    fc.assert(
      fc.property(weights, (given) => {
        const made = even(given.map(variant)).map(({ weight }) => weight)
        expect(made.reduce((sum, weight) => sum + weight, 0)).toBe(100)
        expect(Math.max(...made) - Math.min(...made)).toBeLessThanOrEqual(1)
      }),
    )
  })

  test('still make a hundred after a variant comes or goes', () => {
    const shares = ({ variants }: { variants: { label: string; weight: number }[] }) =>
      variants.map(({ label, weight }) => `${label} ${weight}`)
    const two = withVariant(newStep('email', 0), null).step
    expect(shares(two)).toEqual(['A 50', 'B 50'])
    expect(sumWeights(withVariant(two, null).step.variants)).toBe(100)
    const uneven = { ...newStep('email', 0), variants: [variant(90, 0), variant(10, 1)] }
    expect(shares(withVariant(uneven, null).step)).toEqual(['A 90', 'B 10', 'C 0'])
    const three = {
      ...uneven,
      variants: [...uneven.variants.map((one) => ({ ...one, weight: 40 })), variant(20, 2)],
    }
    expect(shares(withoutVariant(three, 'A'))).toEqual(['B 67', 'C 33'])
  })
})

const TEMPLATE = {
  template_id: 'one',
  name: 'First words',
  content: { subject: 'From the template', body: 'Its body' },
  inherited_from: null,
}

describe('variants have words of their own', () => {
  const step: StepConfig = { ...newStep('email', 0), subject: 'Hello', message_template: 'A body' }
  const texts = ({ variants }: StepConfig) => variants.map(({ message_template }) => message_template)

  test('the second begins as a copy of the one that was open, and neither changes with the other', () => {
    const two = withVariant(step, null)
    expect([two.label, two.step.message_template]).toEqual(['B', ''])
    const edited = withMessage(two.step, 'B', { subject: 'Hello', body: 'Another body' })
    expect(texts(edited)).toEqual(['A body', 'Another body'])
    expect(texts(withVariant(edited, 'B').step)).toEqual(['A body', 'Another body', 'Another body'])
    expect(texts(withMessage(edited, 'A', { subject: '', body: '' }))).toEqual(['', 'Another body'])
  })

  test('those that the API left to the text of the step keep it when one of them is changed', () => {
    const shared = { ...step, variants: [variant(50, 0), { ...variant(50, 1), subject: 'Own subject' }] }
    expect(shared.variants.map((one) => messageIn(shared, one))).toEqual([
      { subject: 'Hello', body: 'A body' },
      { subject: 'Own subject', body: 'A body' },
    ])
    const edited = withMessage(shared, 'A', { subject: 'Hello', body: 'Changed' })
    expect(edited.variants.map((one) => messageIn(edited, one))).toEqual([
      { subject: 'Hello', body: 'Changed' },
      { subject: 'Own subject', body: 'A body' },
    ])
  })

  test('the last one that is left is the text of the step again, unless it is more than that', () => {
    const two = withVariant(step, null).step
    expect(withoutVariant(two, 'A')).toEqual({ ...step, variants: [] })
    const written = withoutVariant(withPart(two, 'B', { type: 'AI' }), 'A')
    expect(written.variants.map(({ label, type, weight }) => [label, type, weight])).toEqual([
      ['B', 'AI', 100],
    ])
  })

  test('a template stands in their place for as long as it is chosen', () => {
    const named = withTemplate(step, undefined, 'one', [TEMPLATE])
    expect(named.variants.map(({ label, template_id }) => [label, template_id])).toEqual([['A', 'one']])
    expect(withTemplate(named, 'A', null, [TEMPLATE])).toEqual(step)
    expect(withCopied(named, 'A', TEMPLATE.content)).toEqual({
      ...step,
      subject: 'From the template',
      message_template: 'Its body',
    })
    const empty = withTemplate(newStep('email', 0), undefined, 'one', [TEMPLATE])
    expect(withTemplate(empty, 'A', null, [TEMPLATE])).toMatchObject({
      message_template: 'Its body',
      variants: [],
    })
  })

  test('and each is held to the room of its step', () => {
    const note = {
      ...newStep('connection_request', 0),
      variants: [variant(50, 0), { ...variant(50, 1), message_template: 'x'.repeat(301) }],
    }
    expect(Object.keys(stepProblems({ key: 'note', step: note }, note, []))).toEqual([
      'variants.1.message_template',
    ])
  })
})

const item = (kind: Kind, fields: object = {}) => ({
  key: kind,
  step: { ...newStep(kind, 1), ...fields },
})

describe('a step is not saved', () => {
  test.each([
    {
      name: 'with weights that make 70',
      fields: { variants: [variant(50, 0), variant(20, 1)] },
      at: 'weights',
    },
    { name: 'after half a day', fields: { delay_days: 0.5 }, at: 'delay_days' },
    { name: 'after no number of days', fields: { delay_days: Number.NaN }, at: 'delay_days' },
  ])('$name', ({ fields, at }) => {
    expect(Object.keys(stepProblems(item('email', fields), undefined, []))).toEqual([at])
  })

  test('with a note of more characters than the API takes', () => {
    const note = (length: number) => item('connection_request', { message_template: 'x'.repeat(length) })
    expect(stepProblems(note(300), undefined, [])).toEqual({})
    expect(stepProblems(note(301), undefined, [])).toHaveProperty('message_template')
  })

  test('but weights that nobody touched stay as the API keeps them', () => {
    const kept = item('email', { variants: [variant(1, 0), variant(3, 1)] })
    expect(stepProblems(kept, kept.step, [])).toEqual({})
  })
})

test.each<{ kinds: Kind[]; condition: 'connected' | 'not_connected' | 'opened'; why: RegExp | null }>([
  { kinds: ['email', 'connection_request'], condition: 'connected', why: /not connected yet/ },
  { kinds: ['connection_request', 'message'], condition: 'not_connected', why: /connections only/ },
  { kinds: ['connection_request', 'message'], condition: 'connected', why: null },
  { kinds: ['email', 'email'], condition: 'opened', why: /tracks opens/ },
  { kinds: ['email', 'email'], condition: 'connected', why: /no social step/ },
])('of $kinds the last under "$condition": $why', ({ kinds, condition, why }) => {
  const steps = kinds.map((kind, index) => newStep(kind, index))
  const obstacle = conditionObstacle(steps, steps.length - 1, condition, true)
  if (why) expect(obstacle).toMatch(why)
  else expect(obstacle).toBeNull()
})

test('an edit is told field by field, with what came and what went', () => {
  const before = [item('email', { message_template: 'Old' }), { key: 'gone', step: newStep('follow', 1) }]
  const after = [
    item('email', { message_template: 'New', delay_days: 4 }),
    { key: 'fresh', step: newStep('visit_profile', 1) },
  ]
  const changes = diffSteps(before, after, { templates: [], profiles: [] })
  expect(changes.map(({ key }) => key).sort()).toEqual(['email', 'fresh', 'gone'])
  expect(changes.find(({ key }) => key === 'email')?.lines).toEqual([
    { what: 'Waits', before: '3 days', after: '4 days' },
    { what: 'Text', before: 'Old', after: 'New' },
  ])
  expect(diffSteps(before, before, { templates: [], profiles: [] })).toEqual([])
})

test('what is moved there and back is where it was', () => {
  fc.assert(
    fc.property(fc.array(fc.integer(), { minLength: 1, maxLength: 20 }), fc.nat(), fc.nat(), (list, a, b) => {
      const [from, to] = [a % list.length, b % list.length]
      expect(movedTo(movedTo(list, from, to), to, from)).toEqual(list)
    }),
  )
})

describe('merge fields as they are typed', () => {
  test.each([
    { text: 'Hi {{', name: '' },
    { text: 'Hi {{ comp', name: 'comp' },
    { text: 'Hi {{ company }}', name: null },
    { text: 'Hi', name: null },
  ])('"$text" asks for $name', ({ text, name }) => {
    expect(typedField(text, text.length)?.name ?? null).toBe(name)
  })

  test('are replaced with their braces, so that none is doubled', () => {
    expect(typedField('About {{comp', 12)).toEqual({ name: 'comp', from: 6, to: 12 })
    expect(typedField('About {{ comp }} now', 13)).toEqual({ name: 'comp', from: 6, to: 16 })
  })

  test('get a fallback, another one and none', () => {
    const once = withFallback('A {{ city }} B {{city}}', 'city', 'town')
    expect(once).toBe('A {{ city | default: "town" }} B {{ city | default: "town" }}')
    expect(mergeFieldFallback(once, 'city')).toBe('town')
    expect(withFallback(once, 'city', '')).toBe('A {{ city }} B {{ city }}')
    expect(mergeFieldFallback('{{ city | upcase }}', 'city')).toBeUndefined()
  })

  test('are cut out of a text that stays whole', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('{{', '}}', '{', '}', ' a', '\n', 'city', ' ')), (parts) => {
        const text = parts.join('')
        expect(
          splitMergeFields(text, ['city'])
            .map((piece) => piece.text)
            .join(''),
        ).toBe(text)
      }),
    )
    expect(splitMergeFields('A {{ nobody }}', ['city']).at(-1)).toEqual({
      text: '{{ nobody }}',
      field: 'unknown',
    })
  })
})
