import { existsSync } from 'node:fs'
import path from 'node:path'
import { loadEnvFile } from 'node:process'
import { portIsFree, whyNotFree } from '#lib/db/free-port'
import { type Role, readRole } from '#scripts/up/role'
import { Trouble } from '#scripts/up/trouble'

export const ROOT = path.resolve(import.meta.dirname, '../..')

export type Settings = { host: string; port: number; dataFolder: string; verbose: boolean; role: Role }
export type Ports = { database: number; engine: number; smtp: number }

/** The user's settings: PORT, HOST, DATA_DIR, ROLE, from the environment or .env, and -v. */
export function readSettings(): Settings {
  if (existsSync(path.join(ROOT, '.env'))) loadEnvFile(path.join(ROOT, '.env'))
  const port = Number(process.env.PORT || 3000)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Trouble(`PORT is "${process.env.PORT}", which is not a port (1 to 65535).`)
  }
  const dataFolder = path.resolve(ROOT, process.env.DATA_DIR || '.data')
  return {
    host: process.env.HOST || '127.0.0.1',
    port,
    dataFolder,
    verbose: process.argv.includes('-v'),
    role: readRole(process.env),
  }
}

/** Far from common web ports, and unusual enough that two instances rarely collide. */
const OFFSETS = { database: 10_432, engine: 10_288, smtp: 10_025 } as const

/**
 * The other ports follow from the web port. If one is taken, the next free one is used and reported by `print`; the web port
 * itself never changes, since people have its address.
 */
export async function choosePorts(settings: Settings, print: (line: string) => void): Promise<Ports> {
  const { port, host } = settings
  const fault = await whyNotFree(port, host)
  if (fault) throw new Trouble(portFault(fault, settings))
  const chosen = new Set([port])
  const ports: Ports = { database: 0, engine: 0, smtp: 0 }
  for (const name of ['database', 'engine', 'smtp'] as const) {
    const wanted = wrap(port + OFFSETS[name])
    ports[name] = await nextFree(wanted, chosen)
    chosen.add(ports[name])
    if (ports[name] !== wanted) print(`Port ${wanted} (${name}) is taken: using ${ports[name]} instead.`)
  }
  return ports
}

function portFault(code: string, { port, host }: Settings): string {
  if (code === 'EADDRINUSE')
    return `Port ${port} is already in use: stop what runs there, or choose another with PORT=${port + 1}.`
  if (code === 'EACCES')
    return `Port ${port} is not yours to listen on: choose one above 1023 with PORT, and let a reverse proxy take ${port}.`
  return `HOST is "${host}", where this machine cannot listen (${code}): 127.0.0.1 is reached from here alone, 0.0.0.0 from everywhere.`
}

function wrap(port: number): number {
  return port <= 65_535 ? port : port - 50_000
}

async function nextFree(from: number, taken: Set<number>): Promise<number> {
  for (let port = from; port < from + 200; port++) {
    if (!taken.has(wrap(port)) && (await portIsFree(wrap(port), '127.0.0.1'))) return wrap(port)
  }
  throw new Trouble(`No free port between ${from} and ${from + 200}.`)
}

/** The folder in which an instance on this machine stores files. */
export const filesFolder = ({ dataFolder }: Settings): string =>
  process.env.FILES_DIR ? path.resolve(ROOT, process.env.FILES_DIR) : path.join(dataFolder, 'files')
