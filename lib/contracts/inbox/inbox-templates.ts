import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { id, pathId } from '#lib/contracts/fields'

export const ReadInboxTemplate = contract({
  tag: 'Inbox',
  errors: 'flat',
  id: 'readInboxTemplate',
  method: 'GET',
  path: '/inbox/threads/{thread_id}/templates/{template_id}',
  summary: 'Read a template as an answer in a conversation',
  description:
    'The text of a template with the fields of the conversation’s lead and of its sender filled in, as an answer is written: as plain text. A field without a value and without a fallback stands in it as `[company]`, and in `missing`. Nothing is sent or stored.',
  params: z.object({ thread_id: pathId(), template_id: pathId() }),
  response: z.object({
    template_id: id(),
    name: z.string(),
    text: z.string(),
    missing: z.array(z.string()).describe('Fields that nobody has a value for.'),
  }),
  status: 200,
  scope: 'read',
  refusals: [404, 409],
})
