import { talk } from '#lib/http/api/agent-chat'
import { openApiRoute } from '#lib/http/api/openapi-route'
import { type Answering, type Handlers, routes, streamed, unknownPaths } from '#lib/http/route'
import { operations } from '#lib/operations/all'
import { agentChat } from '#lib/operations/assistant/agent'

const API = '/api/v1'

export type Found = { handlers: Handlers; params: Record<string, string> }

/** A node of the path tree, below one segment. A literal segment takes precedence over a parameter. */
type Branch = { words: Map<string, Branch>; parameter?: { name: string; rest: Branch }; handlers?: Handlers }

const splitPath = (path: string) => path.replace(/^\//, '').replace(/\/$/, '').split('/')

/** The node of a path, created if it does not exist yet. */
function growBranch(root: Branch, path: string): Branch {
  let at = root
  for (const segment of splitPath(path)) {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1]
    const next = (name ? at.parameter?.rest : at.words.get(segment)) ?? { words: new Map() }
    if (!name) at.words.set(segment, next)
    else if ((at.parameter?.name ?? name) === name) at.parameter = { name, rest: next }
    else throw new Error(`${path} calls a parameter ${name} that is ${at.parameter?.name} elsewhere.`)
    at = next
  }
  return at
}

function walk(at: Branch, segments: string[], from = 0): Found | null {
  const segment = segments[from]
  if (segment === undefined) return at.handlers ? { handlers: at.handlers, params: {} } : null
  const word = at.words.get(segment)
  const match = word && walk(word, segments, from + 1)
  if (match || !at.parameter || segment === '') return match ?? null
  const rest = walk(at.parameter.rest, segments, from + 1)
  if (rest) rest.params[at.parameter.name] = decodeURIComponent(segment)
  return rest
}

/**
 * Finds the operations of a path by the paths of the contracts. Our own Node server routes the API this way; the route files do
 * the same for `next dev` and for serverless hosts. docs/decisions/0010-api-past-the-router.md says why there are two.
 */
export function apiRoutes(answering: Answering[], others: Record<string, Handlers> = {}) {
  const root: Branch = { words: new Map() }
  const byPath = Map.groupBy(answering, ({ contract }) => contract.path.replace(/\/$/, ''))
  for (const [path, those] of byPath) growBranch(root, path).handlers = routes(...those)
  for (const [path, handlers] of Object.entries(others)) growBranch(root, path).handlers = handlers

  /** Takes the path as it was sent. Null if it is not a path of the API: the framework answers then. */
  return function find(pathname: string): Found | null {
    if (pathname !== API && !pathname.startsWith(`${API}/`)) return null
    return walk(root, splitPath(pathname.slice(API.length))) ?? { handlers: unknownPaths, params: {} }
  }
}

/** Every operation; the assistant's answer is streamed. */
export const findInApi = apiRoutes(
  operations.map((operation) =>
    operation.contract === agentChat.contract ? streamed(agentChat, talk) : operation,
  ),
  { '/openapi.json': openApiRoute },
)
