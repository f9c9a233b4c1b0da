import { routes } from '#lib/http/route'
import { startProof } from '#lib/operations/workspaces/proof'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(startProof)
