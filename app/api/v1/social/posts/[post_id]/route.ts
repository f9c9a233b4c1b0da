import { routes } from '#lib/http/route'
import { deleteSocialPost, readSocialPost, updateSocialPost } from '#lib/operations/posts/social-posts'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  deleteSocialPost,
  readSocialPost,
  updateSocialPost,
)
