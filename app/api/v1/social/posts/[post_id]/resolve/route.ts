import { routes } from '#lib/http/route'
import { resolveSocialPost } from '#lib/operations/posts/social-posts'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(resolveSocialPost)
