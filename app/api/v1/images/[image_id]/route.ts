import { routes } from '#lib/http/route'
import { deleteImage } from '#lib/operations/messages/images'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(deleteImage)
