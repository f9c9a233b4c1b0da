import { routes } from '#lib/http/route'
import { listConnectedAccounts } from '#lib/operations/senders/connected-accounts'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(listConnectedAccounts)
