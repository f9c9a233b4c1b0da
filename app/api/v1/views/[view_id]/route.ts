import { routes } from '#lib/http/route'
import { deleteView, updateView } from '#lib/operations/leads/views'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(updateView, deleteView)
