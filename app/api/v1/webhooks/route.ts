import { routes } from '#lib/http/route'
import { createWebhook, listWebhooks } from '#lib/operations/telling/webhooks'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(createWebhook, listWebhooks)
