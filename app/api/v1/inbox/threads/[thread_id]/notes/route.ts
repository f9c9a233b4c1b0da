import { routes } from '#lib/http/route'
import { createInboxNote, listInboxNotes } from '#lib/operations/inbox/inbox-notes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(listInboxNotes, createInboxNote)
