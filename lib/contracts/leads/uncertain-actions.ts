import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { dateTime, id, listEnvelope, paging, pathId } from '#lib/contracts/fields'

export const UncertainAction = z
  .object({
    action_id: id(),
    campaign_lead_id: id(),
    lead_index: z.int(),
    email: z.string().nullable(),
    lead_status: z.string(),
    step: z.int(),
    channel: z.string(),
    action_type: z.string(),
    subject: z.string().nullable(),
    offered_at: dateTime(),
    sender: z.string().nullable().describe('The address it was to leave from.'),
    message_id: z.string().nullable().describe('To look for in the Sent folder.'),
    response: z.string().nullable().describe('What is known of why it is uncertain.'),
    recorded_at: dateTime().nullable(),
    may_send_again: z.boolean(),
    why_not: z.string().nullable(),
  })
  .meta({ id: 'UncertainAction' })
export type UncertainAction = z.output<typeof UncertainAction>

const common = { tag: 'Campaigns', errors: 'flat', status: 200 } as const

export const ListUncertainActions = contract({
  id: 'listUncertainActions',
  method: 'GET',
  path: '/campaigns/{campaign_id}/uncertain',
  ...common,
  summary: 'List the uncertain actions of a campaign',
  description:
    'Sends whose connection broke, or whose worker stopped, after the message was offered: it may have been taken or not. They count as sent and are never sent again by themselves. Oldest first, each with what is known.',
  params: z.object({ campaign_id: pathId() }),
  query: z.object(paging),
  response: listEnvelope(UncertainAction),
  scope: 'read',
  refusals: [404],
})

export const ResolveUncertainAction = contract({
  id: 'resolveUncertainAction',
  method: 'POST',
  path: '/campaigns/{campaign_id}/actions/{action_id}/resolve',
  ...common,
  summary: 'Say what became of an uncertain action',
  description:
    '`sent`: it left, and nothing else changes. `not_sent`: it did not leave; the same action, under the same Message-ID, goes out at the next slot, and the lead’s next step counts from then, unless the lead has answered or ended, the address is suppressed, or a later step went out already: then the action is closed as failed and `reason` says why. A completed lead and campaign are reopened for it, and where its mailbox or account was removed since, another takes it. The slot it took still counts against the limits. 409 `action_not_uncertain` where it was resolved before.',
  params: z.object({ campaign_id: pathId(), action_id: pathId() }),
  body: z.object({ resolution: z.enum(['sent', 'not_sent']) }),
  response: z.object({
    action_id: id(),
    status: z.enum(['sent', 'retry', 'failed']),
    will_send_again: z.boolean(),
    reason: z.string().nullable(),
  }),
  scope: 'send',
  refusals: [404, 409],
  destructive: true,
  previews: { listUncertainActions: { page_size: 100 } },
})
