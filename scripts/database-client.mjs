// Generates Prisma's client if schema.prisma, Prisma or this file changed. Plain JavaScript: a build on any host runs it first,
// with the Node of the host.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { step } from './progress.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const CLIENT = path.join(ROOT, 'lib/db/generated')
const STAMP = path.join(CLIENT, '.opener-schema')
const COMMAND = ['node_modules/prisma/build/index.js', 'generate', '--schema', 'prisma/schema.prisma']

export async function generateClient() {
  const hash = createHash('sha256').update(process.version)
  for (const file of ['prisma/schema.prisma', 'package-lock.json', 'scripts/database-client.mjs'])
    hash.update(readFileSync(path.join(ROOT, file)))
  const wanted = hash.digest('hex')
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return
  await step('Generating the database client', async () => {
    await generate()
    await makeSmaller()
  })
  writeFileSync(STAMP, wanted)
}

/** The engine is named only so that Prisma does not download one: generating never runs it. */
function generate() {
  const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath }
  const child = spawn(process.execPath, COMMAND, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  // If the start is stopped, no process must be left that still writes there.
  const end = () => child.kill()
  process.once('exit', end)
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => {
      said += data
    })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', () => process.off('exit', end))
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`prisma generate failed:\n${said.trim().slice(-6000)}`)),
    )
  })
}

/**
 * A process keeps the source text of its modules in memory. In Prisma's client that includes the schema with its comments, at
 * two bytes per character if any comment needs them.
 */
async function makeSmaller() {
  const edit = (name, change) => {
    const file = path.join(CLIENT, 'internal', `${name}.ts`)
    writeFileSync(file, inLatin1(change(readFileSync(file, 'utf8'))))
  }
  edit('class', (text) => {
    if (!INLINE_SCHEMA.test(text))
      throw new Error(`Prisma's client is made otherwise now: no ${INLINE_SCHEMA}`)
    return withCompilerBeside(
      text.replace(
        INLINE_SCHEMA,
        (_, schema) => `"inlineSchema": ${JSON.stringify(withoutComments(JSON.parse(schema)))}`,
      ),
    )
  })
  edit('prismaNamespace', (text) => text)
  const [, name] = readFileSync(path.join(CLIENT, 'internal/class.ts'), 'utf8').match(COMPILER)
  const { wasm } = await import(name)
  writeFileSync(path.join(CLIENT, 'internal', COMPILER_FILE), Buffer.from(wasm, 'base64'))
}

/**
 * Prisma ships its query compiler as 2.3 MB of base64, which a process holds twice: as module source and as a value. The client
 * reads it from a file instead. If bundled by Next or on Vercel, the client has no such file and loads the base64 as before.
 */
function withCompilerBeside(text) {
  if (!COMPILER.test(text)) throw new Error(`Prisma's client is made otherwise now: no ${COMPILER}`)
  const read = `import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

function readCompiler() {
  try {
    return readFileSync(fileURLToPath(import.meta.url.replace(/[^/]*$/, '${COMPILER_FILE}')))
  } catch {
    return null
  }
}

const config: `
  return text
    .replace('const config: ', () => read)
    .replace(
      COMPILER,
      (load) => `const beside = readCompiler()
    if (beside) return new WebAssembly.Module(beside)
    ${load}`,
    )
}

const COMPILER = /const { wasm } = await import\("([^"]+\.wasm-base64\.mjs)"\)/
const COMPILER_FILE = 'query_compiler.wasm'

const INLINE_SCHEMA = /"inlineSchema": ("(?:[^"\\]|\\.)*")/

const withoutComments = (schema) => schema.replaceAll(/^ *\/\/.*\n/gm, '')
const inLatin1 = (text) => text.replaceAll(/[^\n\r\t -ÿ]/gu, '?')

if (process.argv[1] === fileURLToPath(import.meta.url)) await generateClient()
