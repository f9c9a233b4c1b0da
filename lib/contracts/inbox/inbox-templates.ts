import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { id, pathId } from '#lib/contracts/fields'

export const ReadInboxTemplate = contract({
  tag: 'Inbox',
  errors: 'flat',
  id: 'readInboxTemplate',
  method: 'GET',
  path: '/inbox/threads/{thread_id}/templates/{template_id}',
  summary: 'Fill a template for a conversation',
  description:
    'A template’s text as plain text, with the lead’s and sender’s fields filled in. A field with neither value nor fallback appears as `[company]` and in `missing`. Nothing is sent or stored.',
  params: z.object({ thread_id: pathId(), template_id: pathId() }),
  response: z.object({
    template_id: id(),
    name: z.string(),
    text: z.string(),
    missing: z.array(z.string()).describe('Fields without a value.'),
  }),
  status: 200,
  scope: 'read',
  refusals: [404, 409],
})
