import {
  CreateInboxDraft,
  DeleteInboxDraft,
  ReadInboxDrafts,
  UpdateInboxDraft,
} from '#lib/contracts/inbox/inbox-drafts'
import { operation } from '#lib/operations/operation'
import * as service from '#lib/services/inbox/planned/drafts'

export const readInboxDrafts = operation(ReadInboxDrafts, async ({ user, params }) => ({
  drafts: await service.readInboxDrafts(user.workspace_id, params.thread_id),
}))
export const createInboxDraft = operation(CreateInboxDraft, ({ user, params, body, now }) =>
  service.createInboxDraft(user, params.thread_id, body, now),
)
export const updateInboxDraft = operation(UpdateInboxDraft, ({ user, params, body, now }) =>
  service.updateInboxDraft(user, params, body, now),
)
export const deleteInboxDraft = operation(DeleteInboxDraft, ({ user, params }) =>
  service.deleteInboxDraft(user, params),
)
