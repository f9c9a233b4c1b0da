/** The routes of a build output (version 3), as far as Next uses them. */
export type Route = {
  src?: string
  handle?: string
  dest?: string
  headers?: Record<string, string>
  methods?: string[]
  status?: number
  continue?: boolean
  check?: boolean
  middlewarePath?: string
  has?: Condition[]
  missing?: Condition[]
}

type Condition = { type: string; key: string; value?: string }

/** The routing state of a request: its current path, and the response headers so far. */
export type Way = {
  path: string
  query: URLSearchParams
  headers: Record<string, string>
  status?: number
}

type Asked = { method: string; header: (name: string) => string | undefined }

export type Lookup = (path: string) => boolean

/** Called at the middleware's route; a response ends the routing. */
type Middleware<T> = (way: Way) => Promise<T | null>

type Found<T> = { found: true; way: Way } | { found: false; way: Way } | { answer: T; way: Way }

const whole = (source: string) => {
  const opens = source.startsWith('^') ? '' : '^'
  return new RegExp(`${opens}${source}${source.endsWith('$') ? '' : '$'}`)
}

/** The named captures of a route's conditions; null if one does not match. */
function conditions(route: Route, asked: Asked): Record<string, string> | null {
  const caught: Record<string, string> = {}
  const holds = ({ type, key, value }: Condition) => {
    if (type !== 'header') return false
    const given = asked.header(key)
    if (given === undefined) return false
    if (value === undefined) return true
    const match = whole(value).exec(given)
    Object.assign(caught, match?.groups)
    return match !== null
  }
  const isMeant = (route.has ?? []).every(holds) && !(route.missing ?? []).some(holds)
  return isMeant && (route.methods ?? [asked.method]).includes(asked.method) ? caught : null
}

const filled = (text: string, match: RegExpExecArray, caught: Record<string, string>) =>
  text.replace(/\$(\d+|[a-zA-Z]\w*)/g, (_, name: string) =>
    /^\d/.test(name) ? (match[Number(name)] ?? '') : (match.groups?.[name] ?? caught[name] ?? ''),
  )

/** Applies one route; false if it does not match. */
function apply(route: Route, way: Way, asked: Asked): boolean {
  if (route.src === undefined) return false
  const match = whole(route.src).exec(way.path)
  const caught = match && conditions(route, asked)
  if (!match || !caught) return false
  for (const [name, value] of Object.entries(route.headers ?? {}))
    way.headers[name.toLowerCase()] = filled(value, match, caught)
  if (route.status !== undefined) way.status = route.status
  if (route.dest !== undefined) {
    const [path = '', query = ''] = filled(route.dest, match, caught).split('?')
    way.path = path
    for (const [name, value] of new URLSearchParams(query)) way.query.set(name, value)
  }
  return true
}

function phases(routes: Route[]): Map<string, Route[]> {
  const of = new Map<string, Route[]>([['', []]])
  let name = ''
  for (const route of routes) {
    if (route.handle === undefined) of.get(name)?.push(route)
    else {
      name = route.handle
      of.set(name, [])
    }
  }
  return of
}

/** Finds the handler of a request: before the file system check, after it, and by the patterns of dynamic routes. */
export async function findWay<T>(
  routes: Route[],
  given: Way,
  asked: Asked,
  exists: Lookup,
  middleware: Middleware<T>,
): Promise<Found<T>> {
  const way = given
  const of = phases(routes)
  for (const route of of.get('') ?? []) {
    if (!apply(route, way, asked)) continue
    if (route.middlewarePath !== undefined) {
      const answer = await middleware(way)
      if (answer) return { answer, way }
    }
    if (!route.continue) break
  }
  if (exists(way.path)) return { found: true, way }
  for (const phase of ['filesystem', 'miss', 'rewrite'])
    for (const route of of.get(phase) ?? []) {
      if (!apply(route, way, asked)) continue
      if (exists(way.path)) return { found: true, way }
      if (!route.continue && !route.check) break
    }
  for (const route of of.get('error') ?? []) {
    const tried = { ...way, path: way.path, status: 404 }
    if (route.status === 404 && apply(route, tried, asked) && exists(tried.path))
      return { found: true, way: { ...tried, status: 404 } }
  }
  return { found: false, way: { ...way, status: 404 } }
}
