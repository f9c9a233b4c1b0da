import { routes } from '#lib/http/route'
import { listSignIns } from '#lib/operations/workspaces/sign-ins'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(listSignIns)
