import type { Contract, Input, Output } from '#lib/contracts/contract'
import { routes } from '#lib/http/route'
import { operations } from '#lib/operations/all'
import { issueToken } from '#lib/services/tokens'

type Inputs<C extends Contract> = {
  /** Whose JWT the request carries; none: no credential. */
  as?: { user_id: string } | undefined
  /** A raw credential instead: an API key or a broken token. */
  token?: string
  /** More than the path's own parameters may be given: a whole row does. */
  params?: { [K in keyof Input<C>['params']]: string } & Record<string, unknown>
  query?: Record<string, string | number>
  body?: unknown
  headers?: Record<string, string>
}

export type Called<C extends Contract> = {
  status: number
  headers: Headers
  /** Typed as the contract's answer; of a refusal read `error`. */
  body: Output<C>
  // biome-ignore lint/suspicious/noExplicitAny: the error shapes differ by endpoint, and that is what tests look at
  error: any
}

function pathOf(
  contract: Contract,
  params: Record<string, string>,
  query: Record<string, string | number>,
): string {
  const path = contract.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
  const search = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]))
  return `http://opener.test/api/v1${path}${search.size > 0 ? `?${search}` : ''}`
}

function bodyOf(contract: Contract, body: unknown, headers: Headers): BodyInit | undefined {
  if (body === undefined || body instanceof FormData || typeof body === 'string')
    return body as BodyInit | undefined
  if (contract.body_type === 'multipart') {
    const form = new FormData()
    for (const [key, value] of Object.entries(body as Record<string, string | File>)) form.set(key, value)
    return form
  }
  headers.set('content-type', 'application/json')
  return JSON.stringify(body)
}

/** One request through the real door: route, authentication, parsing, service, filter. */
export async function call<C extends Contract>(contract: C, inputs: Inputs<C> = {}): Promise<Called<C>> {
  const operation = operations.find((candidate) => candidate.contract === contract)
  if (!operation) throw new Error(`${contract.id} is not in the registry`)
  const headers = new Headers(inputs.headers)
  const token = inputs.token ?? (inputs.as ? await issueToken(inputs.as.user_id, new Date()) : undefined)
  if (token) headers.set('authorization', `Bearer ${token}`)
  const params = Object.fromEntries(
    Object.entries(inputs.params ?? {}).map(([key, value]) => [key, String(value)]),
  )
  const body = bodyOf(contract, inputs.body, headers)
  const request = new Request(pathOf(contract, params, inputs.query ?? {}), {
    method: contract.method,
    headers,
    ...(body === undefined ? {} : { body }),
  })
  const response = await routes(operation)[contract.method](request, { params: Promise.resolve(params) })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  const read = isJson ? JSON.parse(text) : text || null
  return { status: response.status, headers: response.headers, body: read as Output<C>, error: read }
}
