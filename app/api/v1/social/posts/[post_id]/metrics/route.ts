import { routes } from '#lib/http/route'
import { listSocialPostMetrics } from '#lib/operations/posts/social-posts'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(listSocialPostMetrics)
