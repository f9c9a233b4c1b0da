import { remedyLabel } from '#components/leads/remedy-words'
import type { ReviewCheck } from '#components/leads/review-list'
import type { LaunchCheck, ReadLaunchChecks } from '#lib/contracts/campaigns/launch-checks'
import type { Output } from '#lib/contracts/contract'

const LIST = new Intl.ListFormat('en', { type: 'conjunction' })

type Level = 'blocks' | 'warns' | 'informs'
type Checks = Pick<Output<typeof ReadLaunchChecks>, Level>

/** The findings of these levels, each with the page that fixes it. */
export function reviewChecks(checks: Checks, levels: Level[]): ReviewCheck[] {
  return levels.flatMap((level) =>
    merge(checks[level]).map(({ message, fix, ...found }) => ({
      level,
      title: message,
      ...(fix && { remedy: { href: fix, label: remedyLabel(found, fix, level !== 'informs') } }),
    })),
  )
}

/** Leaves out the plan, which is shown beside the list, and merges findings common to several steps. */
function merge(checks: LaunchCheck[]): LaunchCheck[] {
  const held = checks.filter(({ code }) => code === 'texts_held').map(({ step }) => step)
  const footed = checks.filter(({ code }) => code === 'unsubscribe_footer')
  const steps = footed.map(({ step }) => String(step))
  return checks.flatMap((check) => {
    if (check.code === 'finish') return []
    // Leads held by a step are those without an approved text; the page asks about them beside the list.
    if (check.code === 'ai_unreviewed' && held.includes(check.step)) return []
    if (check.code !== 'unsubscribe_footer' || footed.length < 2) return [check]
    if (check !== footed[0]) return []
    const message = `Steps ${LIST.format(steps)} have no unsubscribe link of their own: one is added below each.`
    return [{ ...check, step: null, message }]
  })
}
