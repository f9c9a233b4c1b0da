import { routes } from '#lib/http/route'
import { rotateWebhookSecret } from '#lib/operations/webhooks'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(rotateWebhookSecret)
