import { z } from 'zod'
import { ACTION_TYPES, StepsConfig } from '#lib/contracts/campaigns/steps'
import { contract } from '#lib/contracts/contract'
import { id, pathId, text } from '#lib/contracts/fields'
import { STEP_CONDITIONS } from '#lib/domain/campaigns/step-conditions'

const Header = z.object({ name: z.string(), value: z.string() })

const MailPreview = z
  .object({
    channel: z.literal('email'),
    subject: z.string(),
    text: z.string(),
    html: z.string(),
    headers: z.array(Header).describe('In their order, unfolded; encoded words are left as they are.'),
    raw: z
      .string()
      .describe('The whole message, byte for byte; a DKIM-Signature comes on top when it is handed over.'),
    from: z.string(),
    to: z.string(),
    variant: z.string().nullable().describe('The label of the variant that was taken.'),
  })
  .meta({ id: 'MailPreview' })

const SocialPreview = z
  .object({
    channel: z.literal('social'),
    action_type: z.enum(ACTION_TYPES),
    does: z.string().describe('What the account does to the person, in plain words.'),
    subject: z.string().nullable().describe('Of an InMail that has one.'),
    text: z.string().nullable().describe('The exact words; null where the action says nothing.'),
    characters: z
      .object({ used: z.int(), most: z.int() })
      .nullable()
      .describe('Of the text, and what this account may write; null where the action takes no text.'),
    to: z.string().describe('The profile that the row names.'),
    relation: z
      .enum(['none', 'invited', 'connected'])
      .nullable()
      .describe('How the account stood to the person when it last looked; null: it never did.'),
    account: z
      .object({ account_id: id(), provider: z.string(), name: z.string(), kind: z.string() })
      .nullable()
      .describe('The one that the lead keeps, else the first of the campaign; null: none is connected.'),
    cap: z
      .object({
        day: z.int().nullable(),
        week: z.int().nullable(),
        used_today: z.int(),
        used_this_week: z.int(),
        left_today: z.int().nullable().describe('Null: no cap.'),
        timezone: z.string().describe('The zone in which these days are counted: the owner’s.'),
      })
      .nullable()
      .describe('Of this kind of action from that account.'),
    condition: z.object({
      name: z.enum(STEP_CONDITIONS),
      holds: z.boolean().nullable().describe('As things stand; null: only the step’s time will tell.'),
    }),
    problem: z
      .string()
      .nullable()
      .describe('Why it would fail or be passed over as things stand; null: nothing known is in its way.'),
    variant: z.string().nullable().describe('The label of the variant that was taken.'),
  })
  .meta({ id: 'SocialPreview' })

const Preview = z.discriminatedUnion('channel', [MailPreview, SocialPreview]).meta({ id: 'Preview' })
export type Preview = z.output<typeof Preview>

const params = z.object({ campaign_id: pathId() })
const which = {
  step: z.int().min(1).max(20),
  lead_index: z.int().min(0).max(10_000_000).describe('Place in the dataset, from 0.'),
  variant: text(1, 50).optional().describe('A label; default: the one that this lead gets.'),
}
const common = { tag: 'Campaigns', errors: 'flat', params, status: 200 } as const

export const PreviewStep = contract({
  id: 'previewStep',
  method: 'POST',
  path: '/campaigns/{campaign_id}/preview',
  ...common,
  summary: 'Preview a step for a lead',
  description:
    'The message as dispatch would make it at this moment, byte for byte, by the same functions: only the ids in the Message-ID and in the unsubscribe link are placeholders until the step is really sent. Where the domain has a DKIM key in DNS, one field more, `DKIM-Signature`, is put before these bytes when they are handed to the mail server: it is computed from them, and they stay as they are. Without a connected mailbox it is shown as from the owner. Of a social step it is the action with its exact words, the account it would leave from, its condition and its cap; the network is not asked. Nothing is stored. 409 `message_impossible` says why there is none, for example a merge field without value.',
  body: z.object(which),
  response: Preview,
  scope: 'read',
  refusals: [404, 409],
  rate: 'read',
})

const DraftPreview = z
  .object({
    to: z.string().nullable(),
    message: z
      .object({ subject: z.string(), text: z.string() })
      .nullable()
      .describe('Null where a lead gets none, or where a social step says nothing.'),
    mail: MailPreview.nullable().describe('Of an email step.'),
    social: SocialPreview.nullable().describe('Of a social step.'),
    problem: z.string().nullable().describe('Why a lead gets none.'),
  })
  .meta({ id: 'DraftPreview' })
export type DraftPreview = z.output<typeof DraftPreview>

export const PreviewDraftStep = contract({
  id: 'previewDraftStep',
  method: 'POST',
  path: '/campaigns/{campaign_id}/preview-draft',
  ...common,
  summary: 'Preview a step that is not saved',
  description:
    'As the preview of a step, with these steps in the place of the campaign’s own, and from this account where one is named. What would keep a message from being made is told in `problem`. Nothing is stored.',
  body: z.object({
    ...which,
    steps_config: StepsConfig,
    connected_account_id: id().nullable().optional().describe('Default: the campaign’s own.'),
  }),
  response: DraftPreview,
  scope: 'read',
  refusals: [404],
  rate: 'read',
})

export const SendTest = contract({
  id: 'sendTest',
  method: 'POST',
  path: '/campaigns/{campaign_id}/test-send',
  ...common,
  summary: 'Send a test message',
  description:
    'The preview of an email step for a lead, sent once to an address of yours from a mailbox of the campaign. It is no action of the campaign: no ledger, no limit, and its unsubscribe link leads nowhere. `sent` says whether the server took it, `response` what it said. 409 `address_suppressed` for an address on the suppression list.',
  body: z.object({
    ...which,
    lead_index: which.lead_index.default(0),
    to: z.email().max(320),
    mailbox_id: id().optional().describe('Default: the first connected one of the campaign.'),
  }),
  response: z.object({
    sent: z.boolean(),
    outcome: z.enum(['accepted', 'refused_for_good', 'refused_for_now', 'never_left', 'unknown']),
    response: z.string(),
    message_id: z.string(),
    from: z.string(),
    to: z.string(),
  }),
  scope: 'send',
  refusals: [404, 409],
  rate: 'ai',
  destructive: true,
  previews: { previewStep: {} },
})
