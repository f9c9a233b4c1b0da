import { openApiDocument } from '#lib/http/openapi'
import { readOnly } from '#lib/http/route'

/** The document of the interface, which is no operation itself. */
export const openApiRoute = readOnly('openapi', (request) =>
  Response.json(openApiDocument(new URL(request.url).origin)),
)
