import { routes } from '#lib/http/route'
import { deleteSignInDomain, updateSignInDomain } from '#lib/operations/workspaces/sign-in-domains'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(updateSignInDomain, deleteSignInDomain)
