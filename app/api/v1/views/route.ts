import { routes } from '#lib/http/route'
import { createView, listViews } from '#lib/operations/leads/views'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(listViews, createView)
