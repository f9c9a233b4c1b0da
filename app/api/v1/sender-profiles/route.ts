import { routes } from '#lib/http/route'
import { createSenderProfile, listSenderProfiles } from '#lib/operations/messages/sender-profiles'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(createSenderProfile, listSenderProfiles)
