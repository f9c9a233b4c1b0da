import type { Found } from '#lib/http/api/paths'
import { unknownPaths } from '#lib/http/route'
import { GET as followLink } from './c/[token]/route.ts'
import { GET as showImage } from './o/[file]/route.ts'

const PATH = /^\/t\/(o|c)\/([\w.-]+)$/

/**
 * Recognizes opens and clicks so that Node serves them directly, like the API
 * (docs/decisions/0010-api-past-the-router.md): they are most of the traffic while a campaign runs. Null for
 * other paths, which the framework answers.
 */
export function findVisit(pathname: string, method: string | undefined): Found | null {
  const [, kind, name] = PATH.exec(pathname) ?? []
  if (!kind || !name || (method !== 'GET' && method !== 'HEAD')) return null
  const answer = (request: Request) =>
    kind === 'o'
      ? showImage(request, { params: Promise.resolve({ file: name }) })
      : followLink(request, { params: Promise.resolve({ token: name }) })
  return { handlers: { ...unknownPaths, GET: answer }, params: {} }
}
