import { routes } from '#lib/http/route'
import { createInboxDraft, readInboxDrafts } from '#lib/operations/inbox/inbox-drafts'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readInboxDrafts, createInboxDraft)
