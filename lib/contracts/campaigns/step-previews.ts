import { z } from 'zod'
import { ACTION_TYPES, StepsConfig } from '#lib/contracts/campaigns/steps'
import { contract } from '#lib/contracts/contract'
import { id, pathId, text } from '#lib/contracts/fields'
import { AttachedFile } from '#lib/contracts/messages/attachments'
import { STEP_CONDITIONS } from '#lib/domain/campaigns/step-conditions'

const Header = z.object({ name: z.string(), value: z.string() })

const MailPreview = z
  .object({
    channel: z.literal('email'),
    subject: z.string(),
    text: z.string(),
    html: z.string(),
    headers: z.array(Header).describe('In order, unfolded; encoded words are not decoded.'),
    raw: z
      .string()
      .describe(
        'The whole message, byte for byte. A DKIM-Signature is added when it is sent. Files appear by name, without their bytes.',
      ),
    from: z.string(),
    to: z.string(),
    variant: z.string().nullable().describe('The label of the variant used.'),
    attachments: z.array(AttachedFile).describe('The attached files.'),
    content: z
      .array(
        z.object({
          code: z.string(),
          severity: z.enum(['warns', 'informs']),
          message: z.string().describe('What it is and why it matters.'),
          words: z.array(z.string()).describe('The words, hosts or addresses concerned.'),
        }),
      )
      .describe('What spam filters may object to, by fixed rules. Nothing here prevents sending.'),
  })
  .meta({ id: 'MailPreview' })

const SocialPreview = z
  .object({
    channel: z.literal('social'),
    action_type: z.enum(ACTION_TYPES),
    does: z.string().describe('What the account does to the person, in plain words.'),
    subject: z.string().nullable().describe('For an InMail that has one.'),
    text: z.string().nullable().describe('The exact text. Null for an action without text.'),
    characters: z
      .object({ used: z.int(), most: z.int() })
      .nullable()
      .describe('Length of the text and the account’s limit. Null for an action without text.'),
    to: z.string().describe('The profile in the row.'),
    relation: z
      .enum(['none', 'invited', 'connected'])
      .nullable()
      .describe('The last known connection between the account and the person. Null: unknown.'),
    account: z
      .object({ account_id: id(), provider: z.string(), name: z.string(), kind: z.string() })
      .nullable()
      .describe('The lead’s account, otherwise the campaign’s first. Null: none is connected.'),
    cap: z
      .object({
        day: z.int().nullable(),
        week: z.int().nullable(),
        used_today: z.int(),
        used_this_week: z.int(),
        left_today: z.int().nullable().describe('Null: no cap.'),
        timezone: z.string().describe('The time zone of these days: the owner’s.'),
      })
      .nullable()
      .describe('For this kind of action from that account.'),
    condition: z.object({
      name: z.enum(STEP_CONDITIONS),
      holds: z.boolean().nullable().describe('As of now. Null: known only when the step is due.'),
    }),
    problem: z
      .string()
      .nullable()
      .describe('Why it would currently fail or be skipped. Null: no known reason.'),
    variant: z.string().nullable().describe('The label of the variant used.'),
  })
  .meta({ id: 'SocialPreview' })

const Preview = z.discriminatedUnion('channel', [MailPreview, SocialPreview]).meta({ id: 'Preview' })
export type Preview = z.output<typeof Preview>

const params = z.object({ campaign_id: pathId() })
const which = {
  step: z.int().min(1).max(20),
  lead_index: z.int().min(0).max(10_000_000).describe('Row index in the dataset, from 0.'),
  variant: text(1, 50).optional().describe('A variant label. Default: the variant this lead gets.'),
}
const common = { tag: 'Campaigns', errors: 'flat', params, status: 200 } as const

export const PreviewStep = contract({
  id: 'previewStep',
  method: 'POST',
  path: '/campaigns/{campaign_id}/preview',
  ...common,
  summary: 'Preview a step for a lead',
  description:
    'The message exactly as it would be sent now, byte for byte. Only the ids in the Message-ID and the unsubscribe link are placeholders. If the domain has a DKIM key in DNS, a `DKIM-Signature` header is added when the message is sent. It changes nothing else. Without a connected mailbox, the sender is the owner. For a social step: the action with its exact text, account, condition and cap. The network is not called. Nothing is stored. 409 `message_impossible` says why there is no message, for example a merge field without a value.',
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
      .describe('Null if the lead gets no text or the social step has none.'),
    mail: MailPreview.nullable().describe('For an email step.'),
    social: SocialPreview.nullable().describe('For a social step.'),
    problem: z.string().nullable().describe('Why there is none.'),
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
    'Like a step preview, but with these steps instead of the campaign’s own, and from this account if set. `problem` says what prevents a message. Nothing is stored.',
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
    'Sends an email step’s preview for a lead once to your own address, from a campaign mailbox. It does not count as an action or towards limits, and its unsubscribe link has no effect. `sent` says whether the server accepted it. `response` is the server’s message. 409 `address_suppressed` for an address on the suppression list.',
  body: z.object({
    ...which,
    lead_index: which.lead_index.default(0),
    to: z.email().max(320),
    mailbox_id: id().optional().describe('Default: the campaign’s first connected one.'),
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
