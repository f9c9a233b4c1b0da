import { routes } from '#lib/http/route'
import { redeliverWebhook } from '#lib/operations/telling/webhooks'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(redeliverWebhook)
