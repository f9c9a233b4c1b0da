import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { labelOfField, shownOfField } from '#components/sequence/step-field-words'
import { fieldsOfSteps, mergedSteps, type Saved } from '#components/sequence/step-fields'
import { newStep, serializeSteps } from '#components/sequence/steps'
import { findClashes } from '#lib/domain/campaigns/edit-conflict'

const step = fc.record({
  kind: fc.constantFrom('email', 'message', 'visit_profile'),
  subject: fc.constantFrom(null, 'One', 'Two'),
  message_template: fc.constantFrom('', 'One', 'Two'),
  delay_days: fc.integer({ min: 0, max: 2 }),
  track_clicks: fc.boolean(),
})
const sequence: fc.Arbitrary<Saved> = fc.record({
  steps: fc
    .array(step, { minLength: 1, maxLength: 4 })
    .map((all) => all.map(({ kind, ...parts }, index) => ({ ...newStep(kind as 'email', index), ...parts }))),
  account_id: fc.constantFrom(null, 'one', 'two'),
})
const clashesIn = (base: Saved, mine: Saved, theirs: Saved) =>
  findClashes(
    fieldsOfSteps(base, [mine, theirs]),
    fieldsOfSteps(mine, [base, theirs]),
    fieldsOfSteps(theirs, [base, mine]),
  )
const words = ({ steps, account_id }: Saved) => `${serializeSteps(steps)}${account_id}`

describe('two edits of one sequence', () => {
  test('all of mine is mine, all of theirs is theirs, and where nothing clashes both are the same', () => {
    fc.assert(
      fc.property(sequence, sequence, sequence, (base, mine, theirs) => {
        const fields = clashesIn(base, mine, theirs).map(({ field }) => field)
        expect(words(mergedSteps(mine, theirs, new Set()))).toBe(words(mine))
        expect(words(mergedSteps(mine, theirs, new Set(fields)))).toBe(words(theirs))
        if (fields.length === 0) expect(words(mine)).toBe(words(theirs))
      }),
    )
  })

  test('a text of one and a subject of the other are two fields, and both can be kept', () => {
    const base = {
      steps: [{ ...newStep('email', 0), subject: 'Hello', message_template: '' }],
      account_id: null,
    }
    const edited = (part: object) => ({ ...base, steps: base.steps.map((one) => ({ ...one, ...part })) })
    const mine = edited({ subject: 'Good morning' })
    const theirs = edited({ message_template: 'A first word' })
    const clashes = clashesIn(base, mine, theirs)
    expect(clashes).toEqual([
      { field: '0.Subject', changed_by: 'me' },
      { field: '0.Text', changed_by: 'them' },
    ])
    const [saved] = mergedSteps(mine, theirs, new Set(['0.Text'])).steps
    expect([saved?.subject, saved?.message_template]).toEqual(['Good morning', 'A first word'])
    const shown = (field: string) => shownOfField(field, theirs, { templates: [], profiles: [] }, () => 'All')
    expect(clashes.map(({ field }) => `${labelOfField(field)} = ${shown(field)}`)).toEqual([
      'Step 1: subject = Hello',
      'Step 1: text = A first word',
    ])
  })

  test('a step that one added and the other edited around is chosen as a whole', () => {
    const base = { steps: [newStep('email', 0)], account_id: null }
    const theirs = { ...base, steps: [...base.steps, { ...newStep('email', 1), message_template: 'More' }] }
    expect(clashesIn(base, base, theirs)).toEqual([{ field: '1', changed_by: 'them' }])
    expect(
      mergedSteps(base, theirs, new Set(['1'])).steps.map(({ message_template }) => message_template),
    ).toEqual(['', 'More'])
    expect(mergedSteps(theirs, base, new Set(['1'])).steps).toHaveLength(1)
  })
})
