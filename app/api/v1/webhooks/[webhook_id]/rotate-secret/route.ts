import { routes } from '#lib/http/route'
import { rotateWebhookSecret } from '#lib/operations/telling/webhooks'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(rotateWebhookSecret)
