import { routes } from '#lib/http/route'
import { createWebhook, listWebhooks } from '#lib/operations/webhooks'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(createWebhook, listWebhooks)
