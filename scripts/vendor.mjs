// Copies what browsers get as it comes out of a package into public/vendor/, which is not committed.
import { copyFileSync, mkdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const FILES = { 'scalar.js': '@scalar/api-reference/dist/browser/standalone.js' }

export function vendor() {
  for (const [name, from] of Object.entries(FILES)) {
    const [source, target] = [path.join(ROOT, 'node_modules', from), path.join(ROOT, 'public/vendor', name)]
    if (statSync(target, { throwIfNoEntry: false })?.size === statSync(source).size) continue
    mkdirSync(path.dirname(target), { recursive: true })
    copyFileSync(source, target)
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) vendor()
