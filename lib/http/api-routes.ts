import * as fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

type Respond = (request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response>
type RouteFile = Partial<Record<string, Respond>>
/** What the framework makes of a route.ts: `routeModule` holds the file's own exports, once they are loaded. */
type BuiltRoute = { routeModule: { ensureUserland: () => Promise<void>; userland: RouteFile } }
type Found = { page: string; params: Record<string, string> }

const API = '/api/v1'
/** The framework's mark on names of parameters. */
const PARAM_PREFIX = 'nxtP'

/**
 * The route files of the API as the build has them, found without the framework's router. `root` is the project's folder,
 * `dist` the folder of its build within it. docs/decisions/0010-api-past-the-router.md says why.
 */
export function apiRoutes(root: string, dist: string) {
  const read = <T>(name: string): T => JSON.parse(fs.readFileSync(path.join(root, dist, name), 'utf8'))
  const manifest = read<{
    headers: { regex: string; headers: { key: string; value: string }[] }[]
    dynamicRoutes: { page: string; namedRegex: string }[]
  }>('routes-manifest.json')
  const files = new Map(
    Object.entries(read<Record<string, string>>('app-path-routes-manifest.json'))
      .filter(([, page]) => page.startsWith(`${API}/`))
      .map(([file, page]) => [page, path.join(root, dist, 'server/app', `${file}.js`)]),
  )
  // The most particular stand first.
  const dynamic = manifest.dynamicRoutes
    .filter(({ page }) => files.has(page))
    .map(({ page, namedRegex }) => ({ page, pattern: new RegExp(namedRegex) }))
  const load = createRequire(path.join(root, 'package.json'))
  const loaded = new Map<string, Promise<RouteFile>>()

  /** Null where no route file of the API is meant: the framework answers then. */
  function find(pathname: string): Found | null {
    if (!pathname.startsWith(`${API}/`)) return null
    const plain = pathname.endsWith('/') ? pathname.slice(0, -1) : pathname
    if (files.has(plain)) return { page: plain, params: {} }
    for (const { page, pattern } of dynamic) {
      const groups = pattern.exec(pathname)?.groups
      if (groups) return { page, params: named(groups) }
    }
    return null
  }

  function fileOf(page: string): Promise<RouteFile> {
    const known = loaded.get(page)
    if (known) return known
    const file = open(page)
    loaded.set(page, file)
    return file
  }

  async function open(page: string): Promise<RouteFile> {
    const { routeModule } = (await load(files.get(page) ?? '')) as BuiltRoute
    await routeModule.ensureUserland()
    return routeModule.userland
  }

  return {
    find,
    fileOf,
    /** What next.config.mjs gives to every path of the API. */
    headers: manifest.headers
      .filter(({ regex }) => new RegExp(regex).test(`${API}/x`))
      .flatMap((of) => of.headers),
  }
}

function named(groups: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(groups).map(([name, value = '']) => [
      name.slice(PARAM_PREFIX.length),
      decodeURIComponent(value),
    ]),
  )
}
