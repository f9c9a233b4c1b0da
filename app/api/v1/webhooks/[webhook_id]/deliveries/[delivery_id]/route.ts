import { routes } from '#lib/http/route'
import { readWebhookDelivery } from '#lib/operations/webhooks'

export const { GET, POST, PUT, PATCH, DELETE } = routes(readWebhookDelivery)
