import { z } from 'zod'
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi'
import type { Contract } from '#lib/contracts/contract'
import { EXPORT_TYPES, FILE_TYPES } from '#lib/contracts/fields'
import { tidy } from '#lib/contracts/json-schema'
import { EVENT_TYPES, EVENTS, webhookPayload } from '#lib/contracts/telling/webhook-events'
import { neededRole } from '#lib/contracts/workspaces/roles'
import { ERRORS } from '#lib/errors'
import { API_DESCRIPTION } from '#lib/http/api-description'
import { operations } from '#lib/operations/all'

const REASONS: Record<number, string> = {
  400: 'The body could not be read',
  401: 'The credential is missing, malformed, expired or revoked',
  403: 'The credential does not allow this',
  404: 'Not found, or not yours',
  409: 'The resource’s state does not allow this, or it was changed in the meantime',
  422: 'Validation failed',
  429: 'Too many requests; wait `Retry-After` seconds',
  500: 'Our fault',
  502: 'The provider refused',
  503: 'Not available',
}

const Flat = z
  .object({ detail: z.enum(Object.keys(ERRORS) as [string, ...string[]]), message: z.string() })
  .meta({ id: 'FlatError', description: 'A stable code and a readable message.' })
const Legacy = z
  .object({ detail: z.string() })
  .meta({ id: 'LegacyError', description: 'A readable message. Match on the status instead.' })
const Problem = z
  .object({ loc: z.array(z.string()), msg: z.string(), type: z.string() })
  .meta({ id: 'FieldProblem', description: '`loc` starts with body, query or path.' })
const Validation = z
  .object({
    error: z.literal('validation_error'),
    details: z.array(Problem),
    path: z.string(),
    message: z.string(),
  })
  .meta({ id: 'ValidationError' })
const Framework = z.object({ detail: z.array(Problem) }).meta({ id: 'FrameworkValidationError' })

/** The refusal of an outdated edit may include the current state. */
const refusedEdit = (response: z.ZodType) =>
  Flat.extend({
    current: response.optional().describe('With `changed_meanwhile`: what is there now.'),
  })

const json = (schema: z.ZodType) => ({ 'application/json': { schema } })

const isEdit = (contract: Contract): contract is Contract & { response: z.ZodType } =>
  (contract.method === 'PATCH' || contract.method === 'PUT') && contract.response !== null

/** The error statuses of a contract's operation. */
function listStatuses(contract: Contract): number[] {
  return [
    ...(contract.scope === null ? [] : [401, 403, 429]),
    // The body is too long, or broke off.
    ...(contract.body ? [400] : []),
    ...(contract.refusals ?? []),
    422,
    500,
  ]
}

/** The same for the reference page: the reason, and the shape of the body. */
export function listRefusals(contract: Contract): { status: number; why: string; shape: string }[] {
  const problems = '[{ "loc": [], "msg": "", "type": "" }]'
  return listStatuses(contract).map((status) => ({
    status,
    why: REASONS[status] ?? 'Refused',
    shape:
      status === 422
        ? contract.validation === 'framework'
          ? `{ "detail": ${problems} }`
          : `{ "error": "validation_error", "details": ${problems}, "path": "", "message": "" }`
        : contract.errors === 'flat'
          ? '{ "detail": "code", "message": "" }'
          : '{ "detail": "" }',
  }))
}

function errorResponses(contract: Contract) {
  return Object.fromEntries(
    listStatuses(contract).map((status) => {
      const validation = contract.validation === 'framework' ? Framework : Validation
      const flat = status === 409 && isEdit(contract) ? refusedEdit(contract.response) : Flat
      const schema = status === 422 ? validation : contract.errors === 'flat' ? flat : Legacy
      return [status, { description: REASONS[status] ?? 'Refused', content: json(schema) }]
    }),
  )
}

function describeOperation(contract: Contract): ZodOpenApiOperationObject {
  const { id, tag, summary, description, params, query, body, response, status, scope } = contract
  const role = neededRole(contract)
  const type = contract.body_type === 'multipart' ? 'multipart/form-data' : 'application/json'
  const content = contract.stream
    ? { 'text/event-stream': { schema: { type: 'string' as const } } }
    : contract.file
      ? Object.fromEntries(
          (contract.file === true ? Object.values(EXPORT_TYPES) : [FILE_TYPES[contract.file]]).map((type) => [
            type,
            { schema: { type: 'string' as const } },
          ]),
        )
      : response && json(contract.dry_run ? z.union([response, contract.dry_run]) : response)
  const success = content ? { description: 'Success', content } : { description: 'Done' }
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description ? { description } : {}),
    ...(scope ? { security: [{ bearer: [] }], 'x-scope': scope } : { security: [] }),
    ...(role && { 'x-role': role }),
    requestParams: {
      ...(params ? { path: params as z.ZodObject } : {}),
      ...(query ? { query: query as z.ZodObject } : {}),
    },
    ...(body
      ? {
          requestBody: {
            content: { [type]: { schema: body } },
            required: !body.safeParse(undefined).success,
          },
        }
      : {}),
    responses: { [status]: success, ...errorResponses(contract) },
  }
}

/** The payloads sent to the webhooks that were created with `createWebhook`. */
const webhooks = Object.fromEntries(
  EVENT_TYPES.map((type) => [
    type,
    {
      post: {
        operationId: `on.${type}`,
        tags: ['Webhooks'],
        summary: type,
        description: `${EVENTS[type].when} Signed as standardwebhooks.com says; sent at least once, with the same \`webhook-id\`.`,
        requestBody: { content: json(webhookPayload(type)), required: true },
        responses: {
          '2XX': { description: 'Accepted. Anything else is retried; 410 disables the webhook.' },
        },
      },
    },
  ]),
)

/** The OpenAPI 3.1 document, generated from the registry. `server` is the address of this instance. */
export function openApiDocument(server: string) {
  const paths: ZodOpenApiPathsObject = {}
  for (const { contract } of operations) {
    const path = `/api/v1${contract.path}`
    paths[path] = { ...paths[path], [contract.method.toLowerCase()]: describeOperation(contract) }
  }
  return createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Opener',
        version: '1.0.0',
        description: API_DESCRIPTION,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: server }],
      paths,
      webhooks,
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'A JWT, or an API key (`opn_…`).' },
        },
      },
    },
    {
      override: ({ jsonSchema }) => tidy(jsonSchema as Record<string, unknown>),
    },
  )
}
