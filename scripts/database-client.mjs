// Prisma's client, made again when schema.prisma, Prisma or this file changed. Plain JavaScript: a build on any
// host runs it before there is anything else, with the Node that the host has.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
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

/**
 * A process keeps the texts of its modules for as long as it lives. Of Prisma's that is: its compiler of queries, once as the text of a
 * module and once as the value of that text; the schema with its comments; and two bytes for each character where one in a comment needs
 * them.
 */
async function makeSmaller() {
  const file = (name) => path.join(CLIENT, 'internal', `${name}.ts`)
  const edit = (name, change) => writeFileSync(file(name), inLatin1(change(readFileSync(file(name), 'utf8'))))
  let compiler
  edit('class', (text) => {
    compiler = COMPILER.exec(text)?.[1]
    return replaceOnce(
      replaceOnce(text, COMPILER, READ_COMPILER),
      INLINE_SCHEMA,
      (_, schema) => `"inlineSchema": ${JSON.stringify(withoutComments(JSON.parse(schema)))}`,
    )
  })
  edit('prismaNamespace', (text) => text)
  const { wasm } = await import(pathToFileURL(path.join(ROOT, 'node_modules', compiler)))
  writeFileSync(path.join(CLIENT, 'internal/query-compiler.wasm'), Buffer.from(wasm, 'base64'))
}

const INLINE_SCHEMA = /"inlineSchema": ("(?:[^"\\]|\\.)*")/
const COMPILER =
  /const \{ wasm \} = await import\("(@prisma\/client\/runtime\/[\w.-]+\.wasm-base64\.mjs)"\)\s+return await decodeBase64AsWasm\(wasm\)/
const READ_COMPILER = `const { readFile } = await import('node:fs/promises')
    return new WebAssembly.Module(await readFile(new URL('./query-compiler.wasm', import.meta.url)))`

const withoutComments = (schema) => schema.replaceAll(/^ *\/\/.*\n/gm, '')
const inLatin1 = (text) => text.replaceAll(/[^\n\r\t -ÿ]/gu, '?')

function replaceOnce(text, wanted, by) {
  if (text.split(wanted).length < 2) throw new Error(`Prisma's client is made otherwise now: no ${wanted}`)
  return text.replace(wanted, by)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await generateClient()
