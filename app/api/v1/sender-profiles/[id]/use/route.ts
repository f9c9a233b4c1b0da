import { routes } from '#lib/http/route'
import { readSenderProfileUse } from '#lib/operations/messages/profile-use'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readSenderProfileUse)
