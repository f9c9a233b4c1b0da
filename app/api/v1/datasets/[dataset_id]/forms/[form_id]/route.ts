import { routes } from '#lib/http/route'
import { deleteForm, updateForm } from '#lib/operations/leads/forms'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(updateForm, deleteForm)
