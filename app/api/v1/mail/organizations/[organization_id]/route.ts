import { routes } from '#lib/http/route'
import {
  deleteMailOrganization,
  readMailOrganization,
  updateMailOrganization,
} from '#lib/operations/senders/mail-organizations'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  readMailOrganization,
  updateMailOrganization,
  deleteMailOrganization,
)
