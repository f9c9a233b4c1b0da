import { CONDITIONS, KINDS } from './kinds.tsx'
import type { Item } from './steps.tsx'
import { textOf } from './steps.tsx'

export type Line = { what: string; before: string | null; after: string | null }
export type Change = { key: string; step: number; title: string; lines: Line[] }

type Names = { templates: { template_id: string; name: string }[]; profiles: { id: string; name: string }[] }

const days = (count: number) => (count === 1 ? '1 day' : `${count} days`)

/** What a step says of itself, field by field, in the words of the editor. */
function facts({ step }: Item, names: Names): Record<string, string | null> {
  const variants = step.variants.map(({ label, weight, type, template_id, sender_profile_id }) => {
    const template = names.templates.find((one) => one.template_id === template_id)?.name ?? 'no template'
    const profile = names.profiles.find((one) => one.id === sender_profile_id)?.name
    return `${label}: ${weight} %, ${template}${profile ? `, as ${profile}` : ''}${type === 'AI' ? ', AI' : ''}`
  })
  return {
    Place: `${step.step}`,
    Does: KINDS[step.action_type].label,
    Waits: days(step.delay_days),
    Happens: CONDITIONS.find(({ value }) => value === step.condition)?.label ?? step.condition,
    Subject: step.subject || null,
    Text: step.variants.length > 0 ? null : step.message_template || null,
    Variants: variants.length > 0 ? variants.join('\n') : null,
    'Texts of an AI': step.ai_personalization_enabled ? 'On' : 'Off',
    'Track clicks': step.track_clicks ? 'On' : 'Off',
    'Track opens': step.track_opens ? 'On' : 'Off',
  }
}

/** What would be different were the steps saved: what is new, gone and changed, in the order of the steps. */
export function changesOf(before: Item[], after: Item[], names: Names): Change[] {
  const old = new Map(before.map((item) => [item.key, item]))
  const kept = new Set(after.map(({ key }) => key))
  const gone = before
    .filter(({ key }) => !kept.has(key))
    .map(({ key, step }) => ({
      key,
      step: step.step,
      title: `Step ${step.step}, ${KINDS[step.action_type].label}, is taken away`,
      lines: [],
    }))
  const rest = after.flatMap((item): Change[] => {
    const { key, step } = item
    const was = old.get(key)
    const now = facts(item, names)
    if (!was) {
      const lines = Object.entries(now).flatMap(([what, value]) =>
        value === null || value === 'Off' || what === 'Place' || what === 'Does'
          ? []
          : [{ what, before: null, after: value }],
      )
      return [
        { key, step: step.step, title: `Step ${step.step}, ${KINDS[step.action_type].label}, is new`, lines },
      ]
    }
    if (textOf([was.step]) === textOf([step])) return []
    const then = facts(was, names)
    const lines = Object.keys(now).flatMap((what) => {
      const [from, to] = [then[what] ?? null, now[what] ?? null]
      return from === to ? [] : [{ what, before: from, after: to }]
    })
    return [{ key, step: step.step, title: `Step ${step.step}, ${KINDS[step.action_type].label}`, lines }]
  })
  return [...gone, ...rest].sort((a, b) => a.step - b.step)
}
