import { stepFacts } from '#lib/domain/campaigns/campaign-changes'
import { type Names, toStepNames } from '../step-previews/diff.tsx'
import { KINDS } from './kinds.tsx'
import { NAMES, parseField, type Saved } from './step-fields.tsx'

/** A field's display name. */
export function labelOfField(field: string): string {
  if (field === 'account') return 'Account'
  const [index, part] = parseField(field)
  return part ? `Step ${index + 1}: ${part.toLowerCase()}` : `Step ${index + 1}`
}

/** A field's value in words; empty if there is no such step. */
export function shownOfField(
  field: string,
  saved: Saved,
  names: Names,
  accountLabel: (id: string | null) => string,
) {
  if (field === 'account') return accountLabel(saved.account_id)
  const [index, part] = parseField(field)
  const step = saved.steps[index]
  if (!step) return ''
  const facts = stepFacts(step, toStepNames(names))
  if (part === 'Text') return step.message_template ?? ''
  const texts = Object.keys(facts).filter((name) => name.startsWith('Text of '))
  if (part === 'Variants')
    return [facts[part], ...texts.map((name) => `${name}: ${facts[name]}`)].filter(Boolean).join('\n')
  if (part) return facts[part] ?? ''
  return [KINDS[step.action_type].label, ...NAMES.slice(1).map((name) => facts[name])]
    .filter((text) => text && text !== 'Off')
    .join('\n')
}
