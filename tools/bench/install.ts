import * as fs from 'node:fs'
import path from 'node:path'
import { megabytes, report } from './harness.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
/** The size before, when an instance ran with Prisma's command line, TypeScript, a Node, and several copies of libraries. */
const BEFORE_MB = 1351

type Lock = { packages: Record<string, { dev?: boolean }> }
const { packages }: Lock = JSON.parse(fs.readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8'))
const installed = (isWanted: (entry: { dev?: boolean }) => boolean) =>
  Object.entries(packages)
    .filter(([place, entry]) => place !== '' && isWanted(entry))
    .map(([place]) => path.join(ROOT, place))
    .filter((folder) => fs.existsSync(folder))

const needed = installed(({ dev }) => !dev)
const all = installed(() => true)
const size_mb = measure(needed)
report({
  what: `Packages that an instance runs with (\`npm ci --omit=dev\`: ${needed.length} of ${all.length})`,
  ours: `${size_mb} MB on disk`,
  against: `${BEFORE_MB} MB (2026-11-26)`,
  ratio: (size_mb / BEFORE_MB).toFixed(2),
  goal: '≤ 0.6',
  met: size_mb <= 0.6 * BEFORE_MB,
})
report({
  what: 'Packages with those that build and test it (`npm ci`)',
  ours: `${measure(all)} MB on disk`,
  against: '',
  ratio: '',
  goal: '',
  met: null,
})

function measure(folders: string[]): number {
  return megabytes(folders.map(diskUsage).reduce((sum, bytes) => sum + bytes, 0))
}

/** Counts blocks, as `du` does; nested packages have their own entries in the lock file. */
function diskUsage(entry: string): number {
  const stat = fs.lstatSync(entry)
  const inside = stat.isDirectory() ? fs.readdirSync(entry).filter((name) => name !== 'node_modules') : []
  const sizes = inside.map((name) => diskUsage(path.join(entry, name)))
  return sizes.reduce((sum, bytes) => sum + bytes, stat.blocks * 512)
}
