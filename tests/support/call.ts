import { buildBody, buildUrl } from '#lib/client/request'
import type { Contract, Input, Output } from '#lib/contracts/contract'
import { routes } from '#lib/http/route'
import { operations } from '#lib/operations/all'
import { issueToken } from '#lib/services/workspaces/tokens'
import { judged } from '#tests/support/statements/watch'

type Inputs<C extends Contract> = {
  /** The user whose JWT the request carries; absent: no credential. */
  as?: { user_id: string } | undefined
  /** A raw credential instead of a user: an API key or a broken token. */
  token?: string
  /** May hold more than the path's own parameters, so that a whole row can be passed. */
  params?: { [K in keyof Input<C>['params']]: string } & Record<string, unknown>
  query?: Record<string, string | number>
  body?: unknown
  headers?: Record<string, string>
}

export type Called<C extends Contract> = {
  status: number
  headers: Headers
  /** Typed as the contract's success response; of a refusal only `error` is there to read. */
  body: Output<C>
  // biome-ignore lint/suspicious/noExplicitAny: the error shapes differ by endpoint, and that is what tests look at
  error: any
  /** The response body as text, exactly as sent. */
  text: string
}

/** One request through the real handler: route, authentication, parsing, service, filter. */
export async function call<C extends Contract>(contract: C, inputs: Inputs<C> = {}): Promise<Called<C>> {
  const operation = operations.find((candidate) => candidate.contract === contract)
  if (!operation) throw new Error(`${contract.id} is not in the registry`)
  const headers = new Headers(inputs.headers)
  const token = inputs.token ?? (inputs.as ? await issueToken(inputs.as.user_id, new Date()) : undefined)
  if (token) headers.set('authorization', `Bearer ${token}`)
  const params = Object.fromEntries(
    Object.entries(inputs.params ?? {}).map(([key, value]) => [key, String(value)]),
  )
  const isRaw = inputs.body instanceof FormData || typeof inputs.body === 'string'
  const { body, type } = isRaw ? { body: inputs.body as BodyInit } : buildBody(contract, inputs.body)
  if (type) headers.set('content-type', type)
  const request = new Request(buildUrl(contract, 'http://opener.test', { ...inputs, params }), {
    method: contract.method,
    headers,
    ...(body === undefined ? {} : { body }),
  })
  const answer = async () => {
    const response = await routes(operation)[contract.method](request, { params: Promise.resolve(params) })
    return { response, text: await response.text() }
  }
  const given = {
    asked: [params, inputs.query, isRaw ? null : inputs.body],
    known: inputs.as ? [inputs.as.user_id] : [],
  }
  const { response, text } = await judged(given, answer)
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  const read = isJson ? JSON.parse(text) : text || null
  return { status: response.status, headers: response.headers, body: read as Output<C>, error: read, text }
}
