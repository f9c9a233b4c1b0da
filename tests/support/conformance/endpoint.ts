import type { Shape } from '#tests/support/conformance/shape'
import { knock } from '#tests/support/door'

export type Sent = {
  query?: Record<string, string | number>
  body?: unknown
  form?: Record<string, string | File>
}

/** One endpoint: what the interface document says of it, in the order of the document. */
export type Endpoint = {
  method: 'GET' | 'POST' | 'PATCH'
  /** Below /api/v1, with a trailing slash where the document writes one. */
  path: string
  status: 200 | 201
  errors: 'flat' | 'legacy'
  validation?: 'framework'
  /** The document declares the path id a uuid: anything else is 422. */
  id_is_uuid?: true
  /** Creates what the request is about, and returns the path parameters. */
  arrange?: (user: { workspace_id: string; user_id: string }, ask: Ask) => Promise<Record<string, string>>
  /** A request that succeeds; fields that it leaves out take their defaults. */
  valid?: Sent
  answer: Shape
  /** What the response to `valid` contains. */
  holds?: object
  /** Requests at the limits, which succeed. */
  granted?: Sent[]
  /** Requests beyond the limits: 422 with this `loc`. */
  refused?: (Sent & { loc: string[] })[]
  /** Other errors that the document or its decisions name. */
  others?: { name: string; sent: Sent; params?: Record<string, string>; status: number; body: unknown }[]
}

export type Ask = (method: string, target: string, sent?: Sent) => Promise<Response>

/** Sends requests with the given credential; null: without one. */
export const asking =
  (token: string | null): Ask =>
  async (method, target, { query, body, form } = {}) => {
    const search = query ? `?${new URLSearchParams(Object.entries(query).map(([k, v]) => [k, `${v}`]))}` : ''
    const fields = new FormData()
    for (const [name, value] of Object.entries(form ?? {})) fields.set(name, value)
    const content = form ? fields : body === undefined ? undefined : JSON.stringify(body)
    const response = await knock(method, target + search, {
      headers: token ? { authorization: `Bearer ${token}` } : {},
      ...(content === undefined || method === 'GET' ? {} : { body: content }),
    })
    // A chat stream is read to its end: one in progress counts against its owner's limit.
    const isTalk = response.headers.get('content-type')?.startsWith('text/event-stream')
    return isTalk ? new Response(await response.text(), response) : response
  }
