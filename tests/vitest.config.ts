import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** What tests ask of the database themselves is told apart from what the product asks. */
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

/** Suites that touch Postgres clone one template database per test file. */
const onPostgres = {
  globalSetup: [`${root}tests/support/postgres.ts`],
  setupFiles: [`${root}tests/support/properties.ts`, `${root}tests/support/database.ts`],
  testTimeout: 120_000,
  hookTimeout: 120_000,
}

export default defineConfig({
  root,
  plugins: [ownClient],
  test: {
    env: {
      LOG_LEVEL: 'silent',
      WAKE_PAUSE_SECONDS: '0',
      APP_URL: 'http://opener.test',
      // Nobody answers there: a test that needs DNS brings its own, and none asks the internet.
      DNS_SERVERS: '127.0.0.1:1',
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    },
    // The default of one second is a clock in disguise: a busy machine fails by it.
    expect: { poll: { timeout: 60_000 } },
    // Two cores: more workers only make every clock in the suites less honest.
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: { ...suite('unit'), setupFiles: [`${root}tests/support/properties.ts`], testTimeout: 90_000 },
      },
      { extends: true, test: { ...suite('architecture'), testTimeout: 90_000 } },
      { extends: true, test: { ...suite('api'), ...onPostgres } },
      { extends: true, test: { ...suite('jobs'), ...onPostgres } },
      { extends: true, test: { ...suite('security'), ...onPostgres } },
      { extends: true, test: { ...suite('simulation'), ...onPostgres } },
    ],
  },
})
