import { createHash, createHmac, randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import path from 'node:path'
import { waitForLock } from '#scripts/up/lock'
import { runQuietly } from '#scripts/up/quiet'
import { ENGINE_ARGS, WEB_ARGS } from '#scripts/up/services'
import { ROOT } from '#scripts/up/settings'
import { Trouble } from '#scripts/up/trouble'
import { generateClient as makeClient } from '../database-client.mjs'
import { COMPILED, LASTING } from '../lasting.mjs'
import { step } from '../progress.mjs'

const LOCK = path.join(ROOT, '.next/cache/opener-build.lock')
const BUILD_ID = path.join(ROOT, '.next/BUILD_ID')
const BUILD_STAMP = path.join(ROOT, '.next/opener-build')
const CLIENT = path.join(ROOT, 'lib/db/generated')

/** The inputs of a build; other files may change without a new one. */
const SOURCES = ['app', 'components', 'inngest', 'lib', 'prisma/schema.prisma', 'public', 'package-lock.json']
const ROOT_SOURCES = /^(next\.config|postcss\.config|proxy|instrumentation(-client)?|tsconfig)\.\w+$/

/** Generates Prisma's client; two starts from one checkout never do so at once. */
export async function generateClient(): Promise<void> {
  await underLock(makeClient)
}

/** Runs `next build` if the sources changed since the last one. Instances of one checkout share the build. */
export async function buildApp(env: NodeJS.ProcessEnv): Promise<void> {
  await underLock(async () => {
    const hash = hashFiles(sourceFiles())
    if (readStamp(BUILD_STAMP) === hash && fs.existsSync(BUILD_ID)) return
    fs.rmSync(BUILD_STAMP, { force: true })
    // Compiled from other sources, and removed nowhere else.
    fs.rmSync(COMPILED, { recursive: true, force: true })
    await step('Building the app (about a minute the first time)', async () =>
      runBuild(
        ['node_modules/next/dist/bin/next', 'build'],
        {
          ...(await onlyOfTheHost(env)),
          ...sameEverywhere(env, hash),
          // The builder's own modules are never loaded again.
          NODE_DISABLE_COMPILE_CACHE: '1',
        },
        BUILD_ID,
      ),
    )
    await loadOnce()
    fs.writeFileSync(BUILD_STAMP, hash)
  })
}

/** A build has succeeded only if it wrote `made`, whatever its exit status. The file is removed first, so that an earlier one cannot pass. */
export async function runBuild(args: string[], env: NodeJS.ProcessEnv, made: string): Promise<void> {
  fs.rmSync(made, { force: true })
  const said = await runQuietly(args, env)
  if (fs.existsSync(made)) return
  const words = said.trim().slice(-3000)
  throw new Trouble(
    `The build ended without a result: ${made} is missing. Start again; if it stays so, remove ${path.dirname(made)} first.${words ? ` It said:\n${words}` : ' It said nothing.'}`,
  )
}

/**
 * Fills Node's compile cache. A process that compiles the sources itself keeps the type stripper in memory for its lifetime, and
 * starts more slowly.
 */
async function loadOnce(): Promise<void> {
  const env = { ...LASTING, ...process.env, NODE_ENV: 'production' as const, ONLY_LOAD: '1' }
  for (const args of [WEB_ARGS, ENGINE_ARGS]) await runQuietly(args, env)
}

/**
 * The environment without the variables of an instance, as on a host that builds: a build needs none of them, and none may get
 * into its pages.
 */
export async function onlyOfTheHost(env: NodeJS.ProcessEnv): Promise<Record<string, string | undefined>> {
  // Loads the schema library, which a supervisor would otherwise hold for its lifetime.
  const { Env } = await import('#lib/env')
  return Object.fromEntries(Object.entries(env).filter(([name]) => !(name in Env.shape)))
}

/** Machines that built the same sources with the same secret can answer for each other's pages and forms. */
function sameEverywhere(env: NodeJS.ProcessEnv, hash: string) {
  return {
    NODE_ENV: 'production' as const,
    OPENER_BUILD: hash.slice(0, 20),
    NEXT_SERVER_ACTIONS_ENCRYPTION_KEY: actionsKey(env),
  }
}

/**
 * The key that encrypts the arguments of server actions. At a start it overrides that of the build, which anybody with the image
 * can read.
 */
export function actionsKey(env: Record<string, string | undefined>): string {
  const secret = env.NEXT_SERVER_ACTIONS_ENCRYPTION_KEY
  const ofSecret = () =>
    createHmac('sha256', env.NEXTAUTH_SECRET ?? randomUUID())
      .update('server actions')
      .digest('base64')
  return secret || ofSecret()
}

async function underLock(work: () => Promise<void>): Promise<void> {
  const lock = await waitForLock(LOCK, () => console.log('Waiting for another start that is building …'))
  try {
    await work()
  } finally {
    lock.release()
  }
}

function sourceFiles(): string[] {
  const named = fs.readdirSync(ROOT).filter((name) => ROOT_SOURCES.test(name))
  return [...SOURCES, ...named].flatMap((name) => filesUnder(path.join(ROOT, name)))
}

function filesUnder(entry: string): string[] {
  const stat = fs.statSync(entry, { throwIfNoEntry: false })
  if (!stat) return []
  if (!stat.isDirectory()) return [entry]
  // Generated from schema.prisma, which is hashed itself.
  if (entry === CLIENT) return []
  return fs.readdirSync(entry).flatMap((name) => filesUnder(path.join(entry, name)))
}

function hashFiles(files: string[]): string {
  const hash = createHash('sha256').update(process.version)
  for (const [name, value] of Object.entries(process.env).sort()) {
    // Next inlines these into the pages.
    if (name.startsWith('NEXT_PUBLIC_')) hash.update(`${name}=${value}\0`)
  }
  for (const file of files.toSorted())
    hash.update(`${path.relative(ROOT, file)}\0`).update(fs.readFileSync(file))
  return hash.digest('hex')
}

function readStamp(file: string): string | null {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : null
}
