import type { Shape } from '#tests/support/conformance/shape'
import { knock } from '#tests/support/door'

export type Sent = {
  query?: Record<string, string | number>
  body?: unknown
  form?: Record<string, string | File>
}

/** One row: what the interface document says of one endpoint, in its order. */
export type Endpoint = {
  method: 'GET' | 'POST' | 'PATCH'
  /** Below /api/v1, with the slash at its end where the document writes one. */
  path: string
  status: 200 | 201
  errors: 'flat' | 'legacy'
  validation?: 'framework'
  /** The document calls the id of its path a uuid: another word is 422. */
  id_is_uuid?: true
  /** Makes what the request is about, and answers the parameters of its path. */
  arrange?: (user: { workspace_id: string; user_id: string }, ask: Ask) => Promise<Record<string, string>>
  /** A request that is granted; what it does not say takes its default. */
  valid?: Sent
  answer: Shape
  /** What the answer to `valid` holds. */
  holds?: object
  /** At the limits. */
  granted?: Sent[]
  /** Beyond the limits: 422 that names the place. */
  refused?: (Sent & { loc: string[] })[]
  /** Other refusals that the document or its decisions name. */
  others?: { name: string; sent: Sent; params?: Record<string, string>; status: number; body: unknown }[]
}

export type Ask = (method: string, target: string, sent?: Sent) => Promise<Response>

/** Asks as whoever holds the credential; null: nobody. */
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
    // A talk is heard to its end: one that is under way holds a seat of its owner.
    const isTalk = response.headers.get('content-type')?.startsWith('text/event-stream')
    return isTalk ? new Response(await response.text(), response) : response
  }
