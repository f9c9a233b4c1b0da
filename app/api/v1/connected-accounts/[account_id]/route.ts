import { routes } from '#lib/http/route'
import {
  disconnectAccount,
  readConnectedAccount,
  updateConnectedAccount,
} from '#lib/operations/connected-accounts'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  readConnectedAccount,
  updateConnectedAccount,
  disconnectAccount,
)
