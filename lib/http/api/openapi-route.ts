import { openApiDocument } from '#lib/http/openapi'
import { readOnly } from '#lib/http/route'

/** The OpenAPI document, which is not an operation itself. */
export const openApiRoute = readOnly('openapi', (request) =>
  Response.json(openApiDocument(new URL(request.url).origin)),
)
