import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { openApiDocument } from '#lib/http/openapi'

export type Json = { [key: string]: unknown }
export type DescribedOperation = Json & {
  operationId: string
  parameters?: { name: string; in: string; required?: boolean; schema: Json }[]
  requestBody?: { required?: boolean; content: Record<string, { schema: Json }> }
  responses: Record<string, Json & { content?: Record<string, unknown> }>
}

/** The OpenAPI document as a client reads it. */
export const document = JSON.parse(JSON.stringify(openApiDocument('http://opener.test')))

export const documented = Object.entries(
  document.paths as Record<string, Record<string, DescribedOperation>>,
).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)

const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }))
ajv.addSchema(document, 'document')

/** The value at a JSON pointer of the document. */
export const at = (pointer: string) =>
  pointer
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((value, key) => (value as Json | undefined)?.[key.replaceAll('~1', '/')], document)

/** The validator of the schema at one place of the document. */
export const schemaAt = (...keys: string[]) =>
  ajv.getSchema(
    `document#/${keys.map((key) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`,
  )

/** The errors of an answer against the document's own schema for it; null where there are none. */
export function faults(
  path: string,
  method: string,
  status: number,
  body: unknown,
  type = 'application/json',
) {
  const place = ['paths', path, method, 'responses', `${status}`, 'content', type, 'schema']
  const validate = schemaAt(...place)
  if (!validate) return `${method} ${path} documents no ${status}`
  return validate(body) ? null : ajv.errorsText(validate.errors)
}
