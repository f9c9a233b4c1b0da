import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Queries by the tests themselves must be distinguished from the product's. */
const ownClient = {
  name: 'own-client',
  enforce: 'pre' as const,
  resolveId: (source: string, importer: string | undefined) =>
    source === '#lib/db/client' && /\/tests\/(?!support\/statements\/own-client)/.test(importer ?? '')
      ? `${root}tests/support/statements/own-client.ts`
      : undefined,
}

const root = fileURLToPath(new URL('..', import.meta.url))
const suite = (name: string) => ({ name, include: [`tests/${name}/**/*.test.ts`] })

/** Changes to the process that the next test file in it would notice. */
const ALTERS =
  /process\.env(\.\w+|\[[^\]]+\])\s*(\?\?|\|\|)?=[^=]|assign\((process\.env|env\(\))|env\(\)\.\w+ =[^=]|delete process|vi\.(mock|doMock|resetModules|stub|spyOn|useFakeTimers)/

/** Files under tests that alter their process, or import a file that does. */
function findAltering(): Set<string> {
  const files = globSync('tests/{unit,api,jobs,support}/**/*.ts', { cwd: root })
  const texts = new Map(files.map((file) => [file, readFileSync(`${root}${file}`, 'utf8')]))
  const altering = new Set(files.filter((file) => file !== DATABASE && ALTERS.test(texts.get(file) ?? '')))
  const takesIn = (file: string) =>
    [...(texts.get(file) ?? '').matchAll(/'#(tests\/support\/[^']+)'/g)].some(([, name]) =>
      altering.has(`${name}.ts`),
    )
  for (let known = -1; known < altering.size; ) {
    known = altering.size
    for (const file of files) if (takesIn(file)) altering.add(file)
  }
  return altering
}

const DATABASE = 'tests/support/database.ts'
const altering = findAltering()

/**
 * A suite whose files share the process of a worker, since loading the product takes longer than most of them; files that alter
 * the process get one of their own.
 */
function sharing(name: string, options: typeof onPostgres | typeof unit) {
  const files = globSync(`tests/${name}/**/*.test.ts`, { cwd: root })
  const alone = files.filter((file) => altering.has(file))
  const shared = files.filter((file) => !altering.has(file))
  return [
    { extends: true as const, test: { name, include: alone, ...options } },
    {
      extends: true as const,
      test: { name: `${name} in one process`, include: shared, isolate: false, ...options },
    },
  ]
}

const unit = { setupFiles: [`${root}tests/support/properties.ts`], testTimeout: 90_000 }

/** Suites that touch Postgres clone one template database per test file. */
const onPostgres = {
  globalSetup: [`${root}tests/support/postgres.ts`],
  setupFiles: [`${root}tests/support/properties.ts`, `${root}tests/support/database.ts`],
  testTimeout: 120_000,
  hookTimeout: 120_000,
}

/** One test file takes four minutes: started last, it would run alone at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const isLong = ({ moduleId }: TestSpecification) => moduleId.endsWith('/simulation/simulation.test.ts')
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig({
  root,
  plugins: [ownClient],
  test: {
    env: {
      LOG_LEVEL: 'silent',
      WAKE_PAUSE_SECONDS: '0',
      APP_URL: 'http://opener.test',
      // Nobody answers there: a test that needs DNS brings its own, and none reaches the internet.
      DNS_SERVERS: '127.0.0.1:1',
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    },
    // The default of one second depends on speed: it fails on a busy machine.
    expect: { poll: { timeout: 60_000 } },
    // Two cores, and a third worker for when one waits: for a process, a lease or the disk.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    projects: [
      ...sharing('unit', unit),
      { extends: true, test: { ...suite('architecture'), testTimeout: 90_000 } },
      ...sharing('api', onPostgres),
      ...sharing('jobs', onPostgres),
      { extends: true, test: { ...suite('security'), ...onPostgres } },
      { extends: true, test: { ...suite('simulation'), ...onPostgres } },
    ],
  },
})
