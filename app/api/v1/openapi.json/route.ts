import { openApiRoute } from '#lib/http/api/openapi-route'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = openApiRoute
