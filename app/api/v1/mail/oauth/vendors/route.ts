import { routes } from '#lib/http/route'
import { readMailVendors } from '#lib/operations/senders/mailbox-oauth'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readMailVendors)
