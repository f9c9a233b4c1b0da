import { routes } from '#lib/http/route'
import { createSignInDomain, listSignInDomains } from '#lib/operations/workspaces/sign-in-domains'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(listSignInDomains, createSignInDomain)
