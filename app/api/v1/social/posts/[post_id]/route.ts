import { routes } from '#lib/http/route'
import { deleteSocialPost, readSocialPost, updateSocialPost } from '#lib/operations/social-posts'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  deleteSocialPost,
  readSocialPost,
  updateSocialPost,
)
