import type { StepConfig } from '#lib/contracts/campaigns/steps'
import type { ConnectedAccount } from '#lib/contracts/senders/connected-accounts'
import { stepAction } from '#lib/domain/campaigns/campaign-type'
import { textRoom } from './accounts.tsx'
import { type Item, MOST_DAYS, sumWeights } from './steps.tsx'

/** By the control that it stands at: `delay_days`, `message_template`, `weights`, … */
export type Problems = Record<string, string>

/** What keeps a step from being saved. */
export function stepProblems(
  item: Item,
  saved: StepConfig | undefined,
  acting: ConnectedAccount[],
): Problems {
  const { step } = item
  const problems: Problems = {}
  const { delay_days: days, variants } = step
  if (!Number.isInteger(days) || days < 0 || days > MOST_DAYS)
    problems.delay_days = `From 0 to ${MOST_DAYS} whole days.`
  const isTouched = JSON.stringify(variants) !== JSON.stringify(saved?.variants)
  const sum = sumWeights(variants)
  if (variants.length > 0 && isTouched && sum !== 100)
    problems.weights = `The weights make ${sum} % and must make 100 %.`
  const room = textRoom(stepAction(step), acting)
  const words = step.message_template ?? ''
  // A text with merge fields has its length per lead: the preview and the launch checks count that.
  const isPlain = !words.includes('{')
  if (room && (isPlain || room.isNote) && words.length > (isPlain ? room.text : 300))
    problems.message_template = `${words.length} characters; at most ${isPlain ? room.text : 300} are taken.`
  if (room?.subject && (step.subject?.length ?? 0) > room.subject && !step.subject?.includes('{'))
    problems.subject = `${step.subject?.length} characters; at most ${room.subject} are taken.`
  return problems
}
