// node scripts/complete-lock.ts: run it after every change of package-lock.json.
// A lock file made on one machine may lack packages that only other systems need, and `npm ci` then refuses to run there.
// Each one that a package names with an exact version gets its entry.
// npm also installs optional peers, such as Prisma's whole command line for its client: only what a package needs is kept.
import * as fs from 'node:fs'
import path from 'node:path'
import { ROOT } from '#scripts/up/settings'

type Entry = {
  version?: string
  optional?: boolean
  dev?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

const FILE = path.join(ROOT, 'package-lock.json')
const SYSTEMS = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32']
const CPUS = ['arm64', 'ia32', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64', 'arm']

const lock: { packages: Record<string, Entry> } = JSON.parse(fs.readFileSync(FILE, 'utf8'))
const added = missing(lock.packages)
for (const [name, entry] of added) lock.packages[name] = entry
for (const entry of Object.values(lock.packages)) dropOptionalPeers(entry)
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en')))
fs.writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`)
console.log(`${added.length} entries added`)

function missing(packages: Record<string, Entry>): [string, Entry][] {
  return Object.entries(packages).flatMap(([parent, { optionalDependencies = {}, dev }]) =>
    Object.entries(optionalDependencies)
      .filter(([name, version]) => /^\d+\.\d+\.\d[^ ]*$/.test(version) && !isLocked(packages, parent, name))
      .map(([name, version]): [string, Entry] => [
        `node_modules/${name}`,
        { version, ...readPlatform(name), ...(dev && { dev }), optional: true },
      ]),
  )
}

function dropOptionalPeers(entry: Entry) {
  const { peerDependencies = {}, peerDependenciesMeta = {} } = entry
  const peers = Object.entries(peerDependencies).filter(([name]) => !peerDependenciesMeta[name]?.optional)
  delete entry.peerDependenciesMeta
  if (peers.length > 0) entry.peerDependencies = Object.fromEntries(peers)
  else delete entry.peerDependencies
}

/** Looks a package up as Node does: beside its parent first, then further out. */
function isLocked(packages: Record<string, Entry>, parent: string, name: string): boolean {
  for (let at = parent; ; at = at.slice(0, Math.max(at.lastIndexOf('/node_modules/'), 0))) {
    if (packages[`${at ? `${at}/` : ''}node_modules/${name}`]) return true
    if (!at) return false
  }
}

/** The platform is part of the name, as in `@oxc-parser/binding-linux-arm64-musl`. */
function readPlatform(name: string): Pick<Entry, 'os' | 'cpu' | 'libc'> {
  const words = name.split(/[/-]/)
  const os = SYSTEMS.filter((system) => words.includes(system))
  const cpu = CPUS.filter((one) => words.includes(one))
  const libc = /musl/.test(name) ? ['musl'] : os.includes('linux') ? ['glibc'] : []
  return { ...(cpu.length && { cpu }), ...(libc.length && { libc }), ...(os.length && { os }) }
}
