// Prisma's client, made again when schema.prisma or Prisma changed. Plain JavaScript: a build on any
// host runs it before there is anything else, with the Node that the host has.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { step } from './progress.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const STAMP = path.join(ROOT, 'lib/db/generated/.opener-schema')
const COMMAND = ['node_modules/prisma/build/index.js', 'generate', '--schema', 'prisma/schema.prisma']

export async function generateClient() {
  const hash = createHash('sha256').update(process.version)
  for (const file of ['prisma/schema.prisma', 'package-lock.json'])
    hash.update(readFileSync(path.join(ROOT, file)))
  const wanted = hash.digest('hex')
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return
  await step('Generating the database client', generate)
  writeFileSync(STAMP, wanted)
}

/** The engine is named only so that Prisma does not fetch one: generating never runs it. */
function generate() {
  const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath }
  const child = spawn(process.execPath, COMMAND, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => {
      said += data
    })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`prisma generate failed:\n${said.trim().slice(-6000)}`)),
    )
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await generateClient()
