import { routes } from '#lib/http/route'
import { publishSocialPost } from '#lib/operations/posts/social-posts'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(publishSocialPost)
