import { routes } from '#lib/http/route'
import { createSocialPost, listSocialPosts } from '#lib/operations/posts/social-posts'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(createSocialPost, listSocialPosts)
