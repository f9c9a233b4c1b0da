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
      'What such a reply does. `end`: the lead gets nothing more. `hold`: no campaign writes to the person for `hold_days`, and then the next step follows. `branch`: the lead ends, and the person is added to `branch_campaign_id`.',
    ),
  hold_days: z
    .int()
    .min(1)
    .max(MAX_HOLD_DAYS)
    .nullable()
    .describe('Of `hold`. `later` needs none where it names a day; without either it ends the lead.'),
  branch_campaign_id: id()
    .nullable()
    .describe(
      'Of `branch`: a campaign of the workspace, running or a draft. They are added once, by the rules of adding leads.',
    ),
  assignee_id: id().nullable().describe('Who gets the conversation, if nobody has it. Null: nobody.'),
  label: text(1, 50).nullable().describe('A label that the conversation gets.'),
  notify_ids: z.array(id()).max(20).describe('Members who are notified of each such reply.'),
}

const IntentRule = z
  .object({
    ...rule,
    from: z
      .enum(['default', 'workspace', 'campaign'])
      .describe('Where the rule is: nobody made one, the workspace did, or the campaign.'),
  })
  .meta({ id: 'IntentRule' })
export type IntentRule = z.output<typeof IntentRule>

const IntentRules = z
  .object({
    user_id: id(),
    workspace_id: id(),
    campaign_id: id().nullable(),
    rules: z.array(IntentRule).describe('One for each intent that can have one, as it counts here.'),
    version: version().describe('Counts the edits of the settings of the workspace, or of the campaign.'),
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
    .describe('Intents that are not named have no rule here from then on.'),
  version: editedVersion().optional(),
})

const common = { errors: 'flat', response: IntentRules, status: 200 } as const
const params = z.object({ campaign_id: pathId() })
const CHANGED =
  'Counts from the next reply on, and for replies whose intent is corrected. `stop`, an unsubscribe, a complaint and a bounce always end, and an absence always holds: they have no rule.'

export const ReadIntentRules = contract({
  ...common,
  id: 'readIntentRules',
  method: 'GET',
  path: '/intent-rules',
  tag: 'Workspaces',
  summary: 'Read what replies do',
  description: 'What a reply does by its intent, in every campaign without a rule of its own.',
  scope: 'read',
})

export const ReplaceIntentRules = contract({
  ...common,
  id: 'replaceIntentRules',
  method: 'PUT',
  path: '/intent-rules',
  tag: 'Workspaces',
  summary: 'Change what replies do',
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
  summary: 'Read what replies to a campaign do',
  description: 'The rules that count for it: its own, else those of the workspace.',
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
  summary: 'Change what replies to a campaign do',
  description: `${CHANGED} The rules of the workspace count for the intents that are not named. Also while the campaign runs.`,
  params,
  body,
  scope: 'send',
  refusals: [404, 409],
})
