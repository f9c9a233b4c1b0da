import type { StepConfig } from '#lib/contracts/campaigns/steps'
import type { Fields } from '#lib/domain/campaigns/edit-conflict'
import { typedKeys } from '#lib/domain/text/record'
import { numbered } from './steps.tsx'

export type Saved = { steps: StepConfig[]; account_id: string | null }

/** Settings of a step that are resolved together, with their display names. */
const PARTS = {
  Does: ['channel', 'action_type'],
  Waits: ['delay_days'],
  Happens: ['condition'],
  Subject: ['subject'],
  Text: ['message_template'],
  Variants: ['variants'],
  'AI texts': ['ai_personalization_enabled'],
  'Track clicks': ['track_clicks'],
  'Track opens': ['track_opens'],
} as const satisfies Record<string, (keyof StepConfig)[]>

type Part = keyof typeof PARTS
export const NAMES = typedKeys(PARTS)

const textOfPart = (step: StepConfig, part: Part) =>
  JSON.stringify(PARTS[part].map((key) => step[key] || null))

/** Steps as comparable fields: by part if all versions have the step at this position, else as a whole. */
export function fieldsOfSteps(saved: Saved, others: Saved[]): Fields {
  const all = [saved, ...others]
  const most = Math.max(...all.map(({ steps }) => steps.length))
  const fields: Record<string, string[]> = { account: [saved.account_id ?? 'all'] }
  for (let index = 0; index < most; index += 1) {
    const step = saved.steps[index]
    if (all.some(({ steps }) => !steps[index]))
      fields[`${index}`] = step ? NAMES.map((part) => textOfPart(step, part)) : []
    else if (step) for (const part of NAMES) fields[`${index}.${part}`] = [textOfPart(step, part)]
  }
  return fields
}

export const parseField = (field: string): [index: number, part: Part | undefined] => {
  const [index = '', part] = field.split('.')
  return [Number(index), NAMES.find((name) => name === part)]
}

/** My steps with the fields that were chosen from the other edit. */
export function mergedSteps(mine: Saved, theirs: Saved, taken: ReadonlySet<string>): Saved {
  const most = Math.max(mine.steps.length, theirs.steps.length)
  const steps = Array.from({ length: most }, (_, index) => {
    const [own, other] = [mine.steps[index], theirs.steps[index]]
    if (taken.has(`${index}`)) return other
    if (!own || !other) return own
    const parts = NAMES.filter((part) => taken.has(`${index}.${part}`)).flatMap((part) => PARTS[part])
    return { ...own, ...Object.fromEntries(parts.map((key) => [key, other[key]])) }
  }).flatMap((step, index) => (step ? [{ key: `${index}`, step }] : []))
  return {
    steps: numbered(steps).map(({ step }) => step),
    account_id: taken.has('account') ? theirs.account_id : mine.account_id,
  }
}
