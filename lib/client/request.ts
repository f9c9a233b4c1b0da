import type { Contract } from '#lib/contracts/contract'

/** The three inputs of an operation as they come from a caller. */
export type Given = { params?: object; query?: object; body?: unknown }

/** The URL of an operation, below the address of the instance. */
export function buildUrl(contract: Contract, base: string, { params = {}, query = {} }: Given): string {
  const named = new Map(Object.entries(params).map(([name, value]) => [name, String(value)]))
  const path = contract.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(named.get(name) ?? ''),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) search.set(name, value instanceof Date ? value.toISOString() : String(value))
  return `${base.replace(/(?<!\/)\/+$/, '')}/api/v1${path}${search.size > 0 ? `?${search}` : ''}`
}

/** The body in the encoding that the contract names. JSON sets its content type; `fetch` sets that of a form. */
export function buildBody(contract: Contract, body: unknown): { body?: BodyInit; type?: string } {
  if (body === undefined) return {}
  if (contract.body_type !== 'multipart') return { body: JSON.stringify(body), type: 'application/json' }
  const form = new FormData()
  for (const [name, value] of Object.entries(Object(body))) {
    if (value instanceof Blob) form.set(name, value)
    else if (value !== undefined && value !== null) form.set(name, String(value))
  }
  return { body: form }
}
