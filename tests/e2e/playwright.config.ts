import { defineConfig } from '@playwright/test'
import { findBrowser } from '../support/browser.ts'

const { env, ...launch } = await findBrowser()

export default defineConfig({
  testDir: '.',
  outputDir: './results',
  globalSetup: './support/instance.ts',
  // One instance serves all: every test signs in a user of its own. Two cores, and a third for when one waits.
  workers: 3,
  // Long enough for a machine that is busy with something else: none of them is reached where all is well.
  timeout: 600_000,
  expect: { timeout: 60_000, toPass: { timeout: 120_000 } },
  forbidOnly: true,
  reporter: 'list',
  use: {
    browserName: 'chromium',
    // Of what is not there one hears after minutes, not after the whole time of the test.
    actionTimeout: 180_000,
    // What was done, asked and answered, without what the page was made of at each step: that costs much, and `--trace on` shows it.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false },
    screenshot: 'only-on-failure',
    launchOptions: { ...launch, env: { ...process.env, ...env } },
  },
})
