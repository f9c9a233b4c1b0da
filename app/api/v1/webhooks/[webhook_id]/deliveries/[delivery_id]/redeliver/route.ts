import { routes } from '#lib/http/route'
import { redeliverWebhook } from '#lib/operations/webhooks'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(redeliverWebhook)
