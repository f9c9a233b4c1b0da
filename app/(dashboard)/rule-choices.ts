import type { RuleChoices } from '#components/inbox/rules/intent-rule-fields'
import type { Asking } from '#lib/services/campaigns/client-access'
import { listBranchTargets } from '#lib/services/inbox/intent/rules'
import { listAssignees } from '#lib/services/inbox/thread/assignment'
import { listMentionable } from '#lib/services/inbox/thread/notes'
import { formNumber, formText, formVersion } from '../form-result.ts'

/** The choices for a reply rule; a rule cannot add people to its own campaign. */
export async function ruleChoices(user: Asking, campaignId: string | null): Promise<RuleChoices> {
  const [campaigns, assignees, members] = await Promise.all([
    listBranchTargets(user),
    listAssignees(user.workspace_id),
    listMentionable(user.workspace_id),
  ])
  return { campaigns: campaigns.filter(({ campaign_id }) => campaign_id !== campaignId), assignees, members }
}

/** The rules in a form; an empty entry means no rule. */
export function rulesIn(data: FormData) {
  const rules = []
  for (let index = 0; data.has(`rules.${index}.intent`); index++) {
    const at = (field: string) => `rules.${index}.${field}`
    const text = (field: string) => formText(data, at(field)) || null
    const does = text('does')
    if (does === null) continue
    rules.push({
      intent: formText(data, at('intent')),
      does,
      hold_days: formNumber(data, at('hold_days')) ?? null,
      branch_campaign_id: text('branch_campaign_id'),
      assignee_id: text('assignee_id'),
      label: text('label'),
      notify_ids: data.getAll(at('notify_ids')),
    })
  }
  return { rules, version: formVersion(data) }
}
