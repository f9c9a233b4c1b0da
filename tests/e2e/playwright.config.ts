import { defineConfig } from '@playwright/test'
import { findBrowser } from '../support/browser.ts'

const { env, ...launch } = await findBrowser()

export default defineConfig({
  testDir: '.',
  outputDir: './results',
  globalSetup: './support/instance.ts',
  // One instance serves all tests: each signs in a user of its own. Two cores, and a third worker for when one waits.
  workers: 3,
  // Long enough for a busy machine: no limit is reached where all is well.
  timeout: 600_000,
  expect: { timeout: 60_000, toPass: { timeout: 120_000 } },
  forbidOnly: true,
  reporter: 'list',
  use: {
    browserName: 'chromium',
    // A missing element is reported after minutes, not only when the test times out.
    actionTimeout: 180_000,
    // Records actions, requests and answers, but no page snapshots: those are expensive, and `--trace on` adds them.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false },
    screenshot: 'only-on-failure',
    launchOptions: { ...launch, env: { ...process.env, ...env } },
  },
})
