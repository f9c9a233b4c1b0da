import { routes } from '#lib/http/route'
import { deleteWebhook, readWebhook, updateWebhook } from '#lib/operations/telling/webhooks'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(deleteWebhook, readWebhook, updateWebhook)
