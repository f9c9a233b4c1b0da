import * as fs from 'node:fs'
import path from 'node:path'

export const ROOT = path.resolve(import.meta.dirname, '../../..')

/** The folders and files that are read, as paths relative to the checkout begin. */
const FOLDERS = ['app', 'components', 'inngest', 'lib', 'prisma', 'scripts', 'tests', 'tools']

export type Source = { file: string; code: string }

/** Every .ts and .tsx file of ours, without the code that Prisma generates. */
export function sources(): Source[] {
  const files = FOLDERS.filter((folder) => fs.existsSync(path.join(ROOT, folder))).flatMap((folder) =>
    fs
      .readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => path.posix.join(folder, name.split(path.sep).join('/'))),
  )
  return files
    .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('lib/db/generated/'))
    .toSorted()
    .map((file) => ({ file, code: fs.readFileSync(path.join(ROOT, file), 'utf8') }))
}

// Matches a comment or a whole string, so that something inside a string is not taken for a comment.
const TOKENS =
  /\/\*[\s\S]*?\*\/|(?<![:\\])\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g
const IMPORTS =
  /(?:^|[\n;])\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]|(?:^|[\n;])\s*import\s*['"]([^'"]+)['"]|\bimport\s*\(\s*['"]([^'"]+)['"]/g

/** A file without its comments and without the contents of its strings. */
export const bareCode = (code: string): string =>
  code.replace(TOKENS, (token) => (token.startsWith('/') ? ' ' : `${token[0]}${token[0]}`))

/** What a file imports or re-exports, types and `import()` included, as written. */
export function importsOf(code: string): string[] {
  const bare = code.replace(TOKENS, (token) => (token.startsWith('/') ? ' ' : token))
  return [...bare.matchAll(IMPORTS)].flatMap((match) => match[1] ?? match[2] ?? match[3] ?? [])
}

/** The file, relative to the checkout, that an import of ours names; null for a package. */
export function resolveImport(from: string, specifier: string): string | null {
  const alias = specifier.match(/^#(\w+)\/(.+)$/)
  if (alias) return `${alias[1]}/${alias[2]}${alias[1] === 'components' ? '.tsx' : '.ts'}`
  if (specifier.startsWith('.')) return path.posix.join(path.posix.dirname(from), specifier)
  return null
}
