import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { id, pathId, text } from '#lib/contracts/fields'

export const LABEL_COLORS = ['neutral', 'accent', 'success', 'warning', 'danger', 'info'] as const
export type LabelColor = (typeof LABEL_COLORS)[number]

export const InboxLabel = z
  .object({
    label_id: id().nullable().describe('Null for labels set by the instance, such as `automatic_reply`.'),
    label: z.string(),
    color: z.enum(LABEL_COLORS),
    threads: z.int().describe('Conversations with this label.'),
  })
  .meta({ id: 'InboxLabel' })
export type InboxLabel = z.output<typeof InboxLabel>

const params = z.object({ label_id: pathId() })
const common = { tag: 'Inbox', errors: 'flat' } as const

export const ReadInboxLabels = contract({
  ...common,
  id: 'readInboxLabels',
  method: 'GET',
  path: '/inbox/labels',
  summary: 'List labels',
  response: z.object({ labels: z.array(InboxLabel) }),
  status: 200,
  scope: 'read',
})

export const SaveInboxLabel = contract({
  ...common,
  id: 'saveInboxLabel',
  method: 'POST',
  path: '/inbox/labels',
  summary: 'Create a label',
  description: 'If a label with this name exists, its colour is updated.',
  body: z.object({ label: text(1, 50), color: z.enum(LABEL_COLORS).default('neutral') }),
  response: InboxLabel,
  status: 201,
  scope: 'write',
})

export const DeleteInboxLabel = contract({
  ...common,
  id: 'deleteInboxLabel',
  method: 'DELETE',
  path: '/inbox/labels/{label_id}',
  summary: 'Delete a label',
  description: 'Removes the label from every conversation. The conversations stay.',
  params,
  response: null,
  status: 204,
  scope: 'write',
  refusals: [404],
  destructive: true,
})
