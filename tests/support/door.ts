import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT, sources } from '#tests/support/code/source-files'

type Handler = (request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response>

const isParameter = (segment: string) => segment.startsWith('[')

/** The route files of the API; a fixed segment wins over a parameter, as in Next. */
const files = sources()
  .map(({ file }) => file)
  .filter((file) => /^app\/api\/v1\/.*\/route\.ts$/.test(file))
  .map((file) => ({ file, segments: file.split('/').slice(3, -1) }))
  .toSorted((a, b) => rank(a.segments) - rank(b.segments))

function rank(segments: string[]): number {
  if (segments.some((segment) => segment.startsWith('[...'))) return 1_000
  return segments.filter(isParameter).length
}

function match(segments: string[], given: string[]): Record<string, string> | null {
  if (segments[0]?.startsWith('[...')) return {}
  if (segments.length !== given.length) return null
  const params: Record<string, string> = {}
  for (const [index, segment] of segments.entries()) {
    const value = given[index] ?? ''
    if (isParameter(segment)) params[segment.slice(1, -1)] = decodeURIComponent(value)
    else if (segment !== value) return null
  }
  return params
}

/** The URL of a deployment to test instead of the route files; see tools/vercel.ts. */
const at = process.env.OPENER_AT

/**
 * A raw request below /api/v1 through the route file that Next would choose. What Next itself does (HEAD, OPTIONS,
 * its own limits) is covered by the end-to-end suite.
 */
export async function knock(method: string, target: string, init: RequestInit = {}): Promise<Response> {
  const url = new URL(`${at ?? 'http://opener.test'}/api/v1${target}`)
  if (at) return fetch(url, { ...init, method })
  const given = url.pathname.split('/').slice(3).filter(Boolean)
  for (const { file, segments } of files) {
    const params = match(segments, given)
    if (!params) continue
    const module = await import(pathToFileURL(path.join(ROOT, file)).href)
    const handler = module[method] as Handler
    return handler(new Request(url, { ...init, method }), { params: Promise.resolve(params) })
  }
  throw new Error(`No route file answers ${target}`)
}
