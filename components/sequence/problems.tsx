import type { Message } from '#components/messages/message-fields'
import type { StepConfig } from '#lib/contracts/campaigns/steps'
import type { ConnectedAccount } from '#lib/contracts/senders/connected-accounts'
import { stepAction } from '#lib/domain/campaigns/campaign-type'
import { type Room, textRoom } from './accounts.tsx'
import { type Item, MOST_DAYS, sumWeights } from './steps.tsx'
import { messageIn } from './variants/words.tsx'

/** Errors by control name: `delay_days`, `message_template`, `variants.1.subject`, `weights`, … */
export type Problems = Record<string, string>

/** The errors that prevent saving a step. */
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
    problems.weights = `The weights add up to ${sum} %, not 100 %.`
  const room = textRoom(stepAction(step), acting)
  if (!room) return problems
  if (variants.length === 0) return { ...problems, ...tooLong(messageIn(step, undefined), room, '') }
  for (const [index, variant] of variants.entries())
    if (!variant.template_id)
      Object.assign(problems, tooLong(messageIn(step, variant), room, `variants.${index}.`))
  return problems
}

/** With merge fields the length differs per lead, so the preview and the launch checks count it. */
function tooLong({ subject, body }: Message, room: Room, at: string): Problems {
  const problems: Problems = {}
  const isPlain = !body.includes('{')
  const most = isPlain ? room.text : 300
  if ((isPlain || room.isNote) && body.length > most)
    problems[`${at}message_template`] = `${body.length} characters; the limit is ${most}.`
  if (room.subject && subject.length > room.subject && !subject.includes('{'))
    problems[`${at}subject`] = `${subject.length} characters; the limit is ${room.subject}.`
  return problems
}
