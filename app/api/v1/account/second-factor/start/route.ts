import { routes } from '#lib/http/route'
import { startSecondFactor } from '#lib/operations/workspaces/second-factor'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(startSecondFactor)
