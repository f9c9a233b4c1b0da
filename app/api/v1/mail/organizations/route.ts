import { routes } from '#lib/http/route'
import { createMailOrganization, readMailOrganizations } from '#lib/operations/senders/mail-organizations'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  readMailOrganizations,
  createMailOrganization,
)
