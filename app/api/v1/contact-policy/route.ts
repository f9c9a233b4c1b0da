import { routes } from '#lib/http/route'
import { readContactPolicy, updateContactPolicy } from '#lib/operations/workspaces/contact-policy'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readContactPolicy, updateContactPolicy)
