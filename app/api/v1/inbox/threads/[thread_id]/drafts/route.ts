import { routes } from '#lib/http/route'
import { createInboxDraft, listInboxDrafts } from '#lib/operations/inbox/inbox-drafts'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(createInboxDraft, listInboxDrafts)
