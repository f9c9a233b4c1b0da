import type { z } from 'zod'
import { asRecord } from '#lib/domain/text/record'
import type { ContractTag } from '#lib/domain/workspaces/key-permissions'
import type { WorkName } from '#lib/domain/workspaces/others-work'
import type { Role } from '#lib/domain/workspaces/roles'

/** What a credential may do. `admin` manages the account itself. */
export const SCOPES = ['read', 'write', 'send', 'admin'] as const
export type Scope = (typeof SCOPES)[number]

type Objectlike = z.ZodObject | z.ZodType<Record<string, unknown>>

/** One endpoint. The HTTP route, OpenAPI, MCP tools, assistant tools and tests are generated from it. */
export type Contract = {
  /** camelCase, unique: OpenAPI's operationId and the name of the tool. */
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below /api/v1, with {parameters}. A trailing slash is part of the documented form; the API answers with and without it. */
  path: string
  /** The resource that restricted API keys are checked against, see lib/domain/workspaces/key-permissions.ts. */
  tag: ContractTag
  summary: string
  description?: string
  params?: Objectlike
  query?: Objectlike
  body?: z.ZodType
  /** The encoding of the body; JSON by default. */
  body_type?: 'json' | 'multipart'
  /** The largest body in bytes; 1 MiB by default. A larger one is a 400. */
  max_bytes?: number
  /** Parses the text of a JSON body; `JSON.parse` by default. Throws if it is not JSON. */
  parse_json?: (text: string) => unknown
  /** Null: a response without a body (204). */
  response: z.ZodType | null
  /** The response for `dry_run` in the query, if the operation supports it. Tools show it before they act. */
  dry_run?: z.ZodType
  /** The response is a file: an exported table (true), JSON lines or bytes; `response` is `FileAnswer` then. */
  file?: true | 'ndjson' | 'bytes'
  /** The route streams events; `response` describes only the beginning of the stream. The operation is not a tool. */
  stream?: true
  status: 200 | 201 | 202 | 204
  /** flat: {detail: code, message}; legacy: {detail: text}. */
  errors: 'flat' | 'legacy'
  /** The body of a 422: {error, details, path, message}, or {detail: [...]} for agent chat. */
  validation?: 'details' | 'framework'
  /** Null: open to everybody, without a credential. */
  scope: Scope | null
  /** The least role in the workspace; by default it follows from resource and scope, see lib/domain/workspaces/roles.ts. */
  role?: Role
  /** The object in the path is only read, or belongs to everybody: a member may do this with objects that others made. */
  shared?: true
  /** Body fields that name further objects which the operation changes; a member may change only objects they made. */
  changes?: readonly WorkName[]
  /** An API key is refused with 403. */
  jwt_only?: true
  /** The rate-limit class; by default GET is `read` and every other method is `write`. */
  rate?: 'read' | 'write' | 'ai'
  /** Refusals to document besides 401, 403, 422 and 429. */
  refusals?: readonly (400 | 404 | 409 | 502 | 503)[]
  /**
   * An example request for the reference, for contracts where the required fields are not enough: a rule between fields, or an
   * optional field without which the example would show nothing.
   */
  example?: Readonly<{
    params?: Readonly<Record<string, unknown>>
    query?: Readonly<Record<string, unknown>>
    body?: Readonly<Record<string, unknown>>
  }>
  /** Not written to the audit log, because the change says nothing about what a person did. */
  unlogged?: true
  /**
   * Fields of the body or the response that the audit log stores unchanged: reasons a person gave, ids of the objects, names of
   * files.
   */
  noted?: readonly string[]
  /** Deletes or sends: tools say so before they act. */
  destructive?: true
  /**
   * Reads that show what this operation would do, by id, each with its own inputs besides the shared ones. A tool that sends
   * returns their results before it acts.
   */
  previews?: Readonly<Record<string, Readonly<Record<string, string | number>>>>
}

/** Keeps the exact types of the schemas, so that handlers and tests know their inputs. */
export const contract = <const C extends Contract>(definition: C): C => definition

/** Whether a request is a dry run. */
export const isDryRun = ({ dry_run }: Contract, query: unknown): boolean =>
  dry_run !== undefined && asRecord(query).dry_run === 'true'

/** The schema that filters the response to a request. */
export const answerSchema = (contract: Contract, query: unknown): z.ZodType | null =>
  isDryRun(contract, query) ? (contract.dry_run ?? null) : contract.response

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined

/** The parsed inputs of an operation. */
export type Input<C extends Contract> = {
  params: Parsed<C['params']>
  query: Parsed<C['query']>
  body: Parsed<C['body']>
}

/** The result of an operation, before the response schema filters it. */
export type Answer<C extends Contract> = C['response'] extends z.ZodType
  ? Promise<z.input<C['response']> | (C['dry_run'] extends z.ZodType ? z.input<C['dry_run']> : never)>
  : Promise<void>

/** The response to a dry run. */
export type Rehearsed<C extends Contract> = C['dry_run'] extends z.ZodType ? z.output<C['dry_run']> : never

/** The response to a caller. */
export type Output<C extends Contract> = C['response'] extends z.ZodType ? z.output<C['response']> : null
