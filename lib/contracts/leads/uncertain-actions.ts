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
    sender: z.string().nullable().describe('The sender address.'),
    message_id: z.string().nullable().describe('Search for it in the Sent folder.'),
    response: z.string().nullable().describe('What is known about the reason.'),
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
    'Actions whose connection broke or worker stopped after the message was offered. The provider may or may not have accepted them. They count as sent and are never sent again automatically. Oldest first, each with what is known.',
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
  summary: 'Resolve an uncertain action',
  description:
    '`sent`: it was sent, and nothing else changes. `not_sent`: it was not sent. The same action, with the same Message-ID, is then sent at the next slot, and the delay of the lead’s next step counts from then. If the lead replied or ended, the address is suppressed, or a later step was already sent, the action is closed as failed instead and `reason` says why. A completed lead and campaign are reopened. If the mailbox or account was removed, the lead gets another. The used slot still counts towards limits. 409 `action_not_uncertain` if it was already resolved.',
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
