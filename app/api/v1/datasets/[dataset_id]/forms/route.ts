import { routes } from '#lib/http/route'
import { createForm, listForms } from '#lib/operations/leads/forms'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(createForm, listForms)
