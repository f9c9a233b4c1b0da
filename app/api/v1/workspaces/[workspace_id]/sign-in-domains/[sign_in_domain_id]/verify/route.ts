import { routes } from '#lib/http/route'
import { verifySignInDomain } from '#lib/operations/workspaces/sign-in-domains'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(verifySignInDomain)
