import { CreateInboxNote, DeleteInboxNote, ListInboxNotes } from '#lib/contracts/inbox/inbox-notes'
import { operation } from '#lib/operations/operation'
import * as service from '#lib/services/inbox/thread/notes'

export const listInboxNotes = operation(ListInboxNotes, ({ user, params, query }) =>
  service.listInboxNotes(user.workspace_id, params.thread_id, query),
)
export const createInboxNote = operation(CreateInboxNote, ({ user, params, body, now }) =>
  service.createInboxNote(user, params.thread_id, body.text, now),
)
export const deleteInboxNote = operation(DeleteInboxNote, ({ user, params }) =>
  service.deleteInboxNote(user, params),
)
