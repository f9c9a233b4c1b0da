import { routes } from '#lib/http/route'
import { createImage, listImages } from '#lib/operations/messages/images'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(createImage, listImages)
