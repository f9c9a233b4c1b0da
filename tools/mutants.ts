// npm run mutants [-- NAME...]: breaks one rule of sending after the other in a copy, and shows what catches each.
import { spawn } from 'node:child_process'
import * as fs from 'node:fs'
import path from 'node:path'
import { generateClient } from '#scripts/up/build'
import { ROOT } from '#scripts/up/settings'
import type { Mutant } from '#tests/simulation/mutant'
import { MUTANTS } from '#tests/simulation/mutants'
import { throwawayFolder } from '#tests/support/files/throwaway'
import { startServer } from '#tests/support/postgres'

const SEEDS = 120
/** The limit for a simulation that a broken rule keeps waiting for ever: many times what the seeds take. */
const NEVER_MS = 20 * 60_000
/** The tests that run if no seed catches a mutant. */
const TESTS = [
  'tests/jobs/sending/dispatch',
  'tests/jobs/campaigns/live-edits',
  'tests/jobs/inbox/inbound',
  'tests/jobs/social/social-edges',
  'tests/unit/',
]
/** Not copied: generated files, and the output of screenshots and reports. */
const MADE = /^(\.git|\.next.*|\.data.*|node_modules|tests\/(screens|e2e))$/

// Its child processes end with it.
process.once('SIGINT', () => process.exit(130))

const asked = process.argv.slice(2)
const chosen = MUTANTS.filter(({ name }) => asked.length === 0 || asked.some((part) => name.includes(part)))
await generateClient()
const folder = throwawayFolder()
const server = await startServer()
const survivors: string[] = []
const sound = new Set<string>()
try {
  fs.cpSync(ROOT, folder, { recursive: true, filter: (file) => !MADE.test(path.relative(ROOT, file)) })
  fs.symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'))
  for (const mutant of chosen) {
    const caught =
      (mutant.tests ? await byTests(mutant, [mutant.tests]) : null) ??
      (await broken(mutant, () => bySimulation(mutant))) ??
      (await byTests(mutant, TESTS))
    if (!caught) survivors.push(mutant.name)
    console.log(`| ${mutant.name} | ${caught ?? '**nothing**'} |`)
  }
} finally {
  await server.stop()
  fs.rmSync(folder, { recursive: true, force: true })
}
console.log(`${chosen.length - survivors.length} of ${chosen.length} mutants caught`)
process.exit(survivors.length === 0 ? 0 : 1)

/** Returns a function that undoes the change. If a text does not occur exactly once, the mutant would test nothing. */
function apply({ name, patches }: Mutant): () => void {
  const before = patches.map(({ file }) => fs.readFileSync(path.join(folder, file), 'utf8'))
  for (const { file, find, replace } of patches) {
    const text = fs.readFileSync(path.join(folder, file), 'utf8')
    if (text.split(find).length !== 2) throw new Error(`${name}: ${file} does not hold once: ${find}`)
    fs.writeFileSync(
      path.join(folder, file),
      text.replace(find, () => replace),
    )
  }
  return () => {
    for (const [index, { file }] of patches.entries())
      fs.writeFileSync(path.join(folder, file), before[index] ?? '')
  }
}

async function broken<T>(mutant: Mutant, ask: () => Promise<T>): Promise<T> {
  const undo = apply(mutant)
  try {
    return await ask()
  } finally {
    undo()
  }
}

async function bySimulation({ social, neighbours, granted }: Mutant): Promise<string | null> {
  const which = [
    ...(social ? ['--social'] : []),
    ...(neighbours ? ['--neighbours'] : []),
    ...(granted ? ['--granted'] : []),
  ]
  const said = await run(['tools/simulate.ts', '--seeds', `${SEEDS}`, '--stop', '--no-generate', ...which])
  const [, seed, broke] = /seed (\d+) broke ([^\n]{0,90})/.exec(said.output) ?? []
  if (seed) return `seed ${seed}: ${broke}`
  if (said.isStuck) return 'the simulation stood still'
  return said.code === 0 ? null : `the simulation fell over: ${said.output.trim().split('\n').at(-1)}`
}

/** The tests count only if they pass with nothing broken. */
async function byTests(mutant: Mutant, files: string[]): Promise<string | null> {
  const key = files.join()
  const faulty = sound.has(key) ? null : await firstFailure(files)
  if (faulty) throw new Error(`Nothing is broken yet, and still it fails, ${faulty}`)
  sound.add(key)
  return broken(mutant, () => firstFailure(files))
}

async function firstFailure(files: string[]): Promise<string | null> {
  const report = path.join(folder, 'report.json')
  const projects = ['unit', 'api', 'jobs'].flatMap((name) => ['--project', `${name}*`])
  const reporter = ['--reporter=json', `--outputFile.json=${report}`]
  fs.rmSync(report, { force: true })
  await run([
    'node_modules/vitest/vitest.mjs',
    'run',
    '--config',
    'tests/vitest.config.ts',
    ...projects,
    ...reporter,
    ...files,
  ])
  type Suite = { assertionResults: { status: string; title: string }[] }
  const suites: Suite[] = JSON.parse(fs.readFileSync(report, 'utf8')).testResults
  const failed = suites.flatMap((suite) => suite.assertionResults.filter((test) => test.status === 'failed'))
  return failed[0] ? `test: ${failed[0].title}` : null
}

function run(args: string[]): Promise<{ code: number; output: string; isStuck: boolean }> {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, TEST_DATABASE_URL: server.adminUrl },
    stdio: ['ignore', 'pipe', 'pipe'],
    // In its own group, so that its child processes can be ended with it.
    detached: true,
  })
  let output = ''
  let isStuck = false
  const end = () => void (child.pid && process.kill(-child.pid, 'SIGKILL'))
  const deadline = setTimeout(() => {
    isStuck = true
    end()
  }, NEVER_MS)
  process.once('exit', end)
  child.stdout.on('data', (text) => (output += text))
  child.stderr.on('data', (text) => (output += text))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      clearTimeout(deadline)
      process.off('exit', end)
      resolve({ code: code ?? 1, output, isStuck })
    })
  })
}
