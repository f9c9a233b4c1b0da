import { routes } from '#lib/http/route'
import { deleteInboxDraft, updateInboxDraft } from '#lib/operations/inbox/inbox-drafts'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(updateInboxDraft, deleteInboxDraft)
