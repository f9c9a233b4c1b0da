import type { z } from 'zod'
import { asRecord } from '#lib/domain/text/record'
import type { ContractTag } from '#lib/domain/workspaces/key-permissions'
import type { WorkName } from '#lib/domain/workspaces/others-work'
import type { Role } from '#lib/domain/workspaces/roles'

/** What a credential may do. `admin` manages the account itself. */
export const SCOPES = ['read', 'write', 'send', 'admin'] as const
export type Scope = (typeof SCOPES)[number]

type Objectlike = z.ZodObject | z.ZodType<Record<string, unknown>>

/** One endpoint, whole: the HTTP route, OpenAPI, MCP tools, assistant tools and tests are made from it. */
export type Contract = {
  /** camelCase, unique: OpenAPI's operationId and the name of the tool. */
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below /api/v1, with {parameters}. A slash at its end is part of the documented form; both forms answer. */
  path: string
  /** Names the resource by which keys are restricted, see lib/domain/workspaces/key-permissions.ts. */
  tag: ContractTag
  summary: string
  description?: string
  params?: Objectlike
  query?: Objectlike
  body?: z.ZodType
  /** How the body travels; JSON unless said. */
  body_type?: 'json' | 'multipart'
  /** Most bytes of the body; 1 MiB unless said. Above it: 400. */
  max_bytes?: number
  /** How the text of a JSON body is read; `JSON.parse` unless said. Throws where it is none. */
  parse_json?: (text: string) => unknown
  /** Null answers without a body (204). */
  response: z.ZodType | null
  /** Of an operation that takes `dry_run` in its query: what it answers then. Tools show that before they act. */
  dry_run?: z.ZodType
  /** Set where the answer is an exported table (true), lines of JSON or bytes; the response is `FileAnswer` then. */
  file?: true | 'ndjson' | 'bytes'
  /** Set where the route streams events; the response is only what the stream begins with. No tool is made of it. */
  stream?: true
  status: 200 | 201 | 202 | 204
  /** flat {detail: code, message} or legacy {detail: text}. */
  errors: 'flat' | 'legacy'
  /** 422 as {error, details, path, message}, or for agent chat as {detail: [...]}. */
  validation?: 'details' | 'framework'
  /** Null: open to everybody. */
  scope: Scope | null
  /** The least role in the workspace; by resource and scope unless said, see lib/domain/workspaces/roles.ts. */
  role?: Role
  /** Set where what its path names is only read, or everybody's: a member may do it to what others made too. */
  shared?: true
  /** Names in the body what it changes, beside what its path names: a member changes only what they made. */
  changes?: readonly WorkName[]
  /** Set where an API key is refused with 403. */
  jwt_only?: true
  /** The rate-limit class; by method unless said: GET reads, the rest writes. */
  rate?: 'read' | 'write' | 'ai'
  /** Refusals worth documenting beyond 401, 403, 422 and 429. */
  refusals?: readonly (400 | 404 | 409 | 502 | 503)[]
  /**
   * A request for the reference, where what the schemas require is not enough of one: a rule between fields, or a field
   * without which nothing would be shown.
   */
  example?: Readonly<{
    params?: Readonly<Record<string, unknown>>
    query?: Readonly<Record<string, unknown>>
    body?: Readonly<Record<string, unknown>>
  }>
  /** Set where what is changed says nothing of what somebody did: the audit log is spared. */
  unlogged?: true
  /** Fields of the body or the answer that the audit log keeps as they are: reasons that one owes, ids of what it is about, names of files. */
  noted?: readonly string[]
  /** Deletes or sends: tools say so before they act. */
  destructive?: true
  /**
   * Reads that show what this would do, by id, each with inputs of its own beside the shared ones: a tool that sends
   * answers with them before it acts.
   */
  previews?: Readonly<Record<string, Readonly<Record<string, string | number>>>>
}

/** Keeps the exact types of the schemas, so that handlers and tests know their inputs. */
export const contract = <const C extends Contract>(definition: C): C => definition

/** Whether a request asks only what it would do. */
export const isDryRun = ({ dry_run }: Contract, query: unknown): boolean =>
  dry_run !== undefined && asRecord(query).dry_run === 'true'

/** What an answer to a request is filtered by. */
export const answerSchema = (contract: Contract, query: unknown): z.ZodType | null =>
  isDryRun(contract, query) ? (contract.dry_run ?? null) : contract.response

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined

/** What an operation is given once a request was parsed by its contract. */
export type Input<C extends Contract> = {
  params: Parsed<C['params']>
  query: Parsed<C['query']>
  body: Parsed<C['body']>
}

/** What an operation answers, before the response schema filters it. */
export type Answer<C extends Contract> = C['response'] extends z.ZodType
  ? Promise<z.input<C['response']> | (C['dry_run'] extends z.ZodType ? z.input<C['dry_run']> : never)>
  : Promise<void>

/** What a caller receives who asks only what it would do. */
export type Rehearsed<C extends Contract> = C['dry_run'] extends z.ZodType ? z.output<C['dry_run']> : never

/** What a caller receives. */
export type Output<C extends Contract> = C['response'] extends z.ZodType ? z.output<C['response']> : null
