import { routes } from '#lib/http/route'
import { reconnectAccount } from '#lib/operations/senders/connected-accounts'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(reconnectAccount)
