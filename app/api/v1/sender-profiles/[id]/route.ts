import { routes } from '#lib/http/route'
import {
  deleteSenderProfile,
  readSenderProfile,
  updateSenderProfile,
} from '#lib/operations/messages/sender-profiles'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  deleteSenderProfile,
  readSenderProfile,
  updateSenderProfile,
)
