import { routes } from '#lib/http/route'
import { sendSocialMessage } from '#lib/operations/social/social-messages'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(sendSocialMessage)
