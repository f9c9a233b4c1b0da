import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { editedVersion, id, pathId, text, version } from '#lib/contracts/fields'
import { INTENT_EFFECTS, RULED_INTENTS } from '#lib/domain/inbox/intent/intent-rules'

const MAX_HOLD_DAYS = 365

const rule = {
  intent: z.enum(RULED_INTENTS),
  does: z
    .enum(INTENT_EFFECTS)
    .describe(
      'What such a reply does. `end`: the lead gets nothing more. `hold`: no campaign contacts the person for `hold_days`, then the next step follows. `branch`: the lead ends and the person is added to `branch_campaign_id`.',
    ),
  hold_days: z
    .int()
    .min(1)
    .max(MAX_HOLD_DAYS)
    .nullable()
    .describe('For `hold`. Optional for `later` if the reply gives a date. With neither, the lead ends.'),
  branch_campaign_id: id()
    .nullable()
    .describe(
      'For `branch`: a running or draft campaign. People are added once, by the usual rules for adding leads.',
    ),
  assignee_id: id().nullable().describe('Who the conversation is assigned to if unassigned. Null: nobody.'),
  label: text(1, 50).nullable().describe('A label to add to the conversation.'),
  notify_ids: z.array(id()).max(20).describe('Members to notify of each such reply.'),
}

const IntentRule = z
  .object({
    ...rule,
    from: z
      .enum(['default', 'workspace', 'campaign'])
      .describe('Where the rule comes from: none, the workspace or the campaign.'),
  })
  .meta({ id: 'IntentRule' })
export type IntentRule = z.output<typeof IntentRule>

const IntentRules = z
  .object({
    user_id: id(),
    workspace_id: id(),
    campaign_id: id().nullable(),
    rules: z.array(IntentRule).describe('One per intent that can have a rule, as it applies here.'),
    version: version().describe('Increases with each edit of the workspace’s or campaign’s settings.'),
  })
  .meta({ id: 'IntentRules' })
export type IntentRules = z.output<typeof IntentRules>

type Given = { intent: string; does: string; hold_days: number | null; branch_campaign_id: string | null }
const lacks = ({ intent, does, hold_days, branch_campaign_id }: Given): boolean =>
  (does === 'hold' && hold_days === null && intent !== 'later') ||
  (does === 'branch' && branch_campaign_id === null)

const body = z.object({
  rules: z
    .array(
      z.object({
        ...rule,
        hold_days: rule.hold_days.default(null),
        branch_campaign_id: rule.branch_campaign_id.default(null),
        assignee_id: rule.assignee_id.default(null),
        label: rule.label.default(null),
        notify_ids: rule.notify_ids.default([]),
      }),
    )
    .max(RULED_INTENTS.length)
    .refine(
      (rules) => new Set(rules.map(({ intent }) => intent)).size === rules.length,
      'must name each intent once',
    )
    .refine(
      (rules) => !rules.some(lacks),
      'must say hold_days for `hold`, and branch_campaign_id for `branch`',
    )
    .describe('Intents you leave out have no rule here.'),
  version: editedVersion().optional(),
})

const common = { errors: 'flat', response: IntentRules, status: 200 } as const
const params = z.object({ campaign_id: pathId() })
const CHANGED =
  'Applies from the next reply, and to replies whose intent is corrected. `stop`, unsubscribes, complaints and bounces always end the lead, and an absence always holds it. They have no rule.'

export const ReadIntentRules = contract({
  ...common,
  id: 'readIntentRules',
  method: 'GET',
  path: '/intent-rules',
  tag: 'Workspaces',
  summary: 'Read reply rules',
  description: 'What a reply does by intent, in every campaign without its own rule.',
  scope: 'read',
})

export const ReplaceIntentRules = contract({
  ...common,
  id: 'replaceIntentRules',
  method: 'PUT',
  path: '/intent-rules',
  tag: 'Workspaces',
  summary: 'Change reply rules',
  description: CHANGED,
  body,
  scope: 'send',
  refusals: [404, 409],
})

export const ReadCampaignIntentRules = contract({
  ...common,
  id: 'readCampaignIntentRules',
  method: 'GET',
  path: '/campaigns/{campaign_id}/intent-rules',
  tag: 'Campaigns',
  summary: 'Read a campaign’s reply rules',
  description: 'The rules that apply to it: its own, otherwise the workspace’s.',
  params,
  scope: 'read',
  refusals: [404],
})

export const ReplaceCampaignIntentRules = contract({
  ...common,
  id: 'replaceCampaignIntentRules',
  method: 'PUT',
  path: '/campaigns/{campaign_id}/intent-rules',
  tag: 'Campaigns',
  summary: 'Change a campaign’s reply rules',
  description: `${CHANGED} Workspace rules apply to intents you leave out. Works while the campaign is running.`,
  params,
  body,
  scope: 'send',
  refusals: [404, 409],
})
