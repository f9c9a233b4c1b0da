import { routes } from '#lib/http/route'
import {
  disconnectAccount,
  readConnectedAccount,
  updateConnectedAccount,
} from '#lib/operations/senders/connected-accounts'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  readConnectedAccount,
  updateConnectedAccount,
  disconnectAccount,
)
