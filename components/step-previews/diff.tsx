import { type Line, type StepNames, stepLines, stepTitle } from '#lib/domain/campaigns/campaign-changes'
import type { Item } from '../sequence/steps.tsx'
import { serializeSteps } from '../sequence/steps.tsx'

export type Change = { key: string; step: number; title: string; lines: Line[] }

export type Names = {
  templates: { template_id: string; name: string }[]
  profiles: { id: string; name: string }[]
}

export const toStepNames = ({ templates, profiles }: Names): StepNames => ({
  template: (id) => templates.find(({ template_id }) => template_id === id)?.name,
  profile: (id) => profiles.find((one) => one.id === id)?.name,
})

/** The differences between two versions of the steps: added, removed and changed, in step order. */
export function diffSteps(before: Item[], after: Item[], given: Names): Change[] {
  const names = toStepNames(given)
  const old = new Map(before.map((item) => [item.key, item.step]))
  const kept = new Set(after.map(({ key }) => key))
  const pairs = [
    ...before
      .filter(({ key }) => !kept.has(key))
      .map(({ key, step }) => ({ key, pair: { before: step, after: null } })),
    ...after.map(({ key, step }) => ({ key, pair: { before: old.get(key) ?? null, after: step } })),
  ]
  return pairs
    .flatMap(({ key, pair }): Change[] => {
      const step = pair.after ?? pair.before
      if (
        !step ||
        (pair.before && pair.after && serializeSteps([pair.before]) === serializeSteps([pair.after]))
      )
        return []
      return [{ key, step: step.step, title: stepTitle(pair), lines: stepLines(pair, names) }]
    })
    .sort((a, b) => a.step - b.step)
}
