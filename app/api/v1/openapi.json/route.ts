import { openApiDocument } from '#lib/http/openapi'

export const GET = async (request: Request) => Response.json(openApiDocument(new URL(request.url).origin))
