import { routes } from '#lib/http/route'
import { readInboxLabels, saveInboxLabel } from '#lib/operations/inbox/inbox'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readInboxLabels, saveInboxLabel)
