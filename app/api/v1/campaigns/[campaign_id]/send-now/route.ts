import { routes } from '#lib/http/route'
import { sendNowOnce } from '#lib/operations/campaigns/campaigns'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(sendNowOnce)
