import { spawn } from 'node:child_process'
import * as fs from 'node:fs'
import path from 'node:path'
import { ROOT } from '#scripts/up/settings'

/** `failures`: those printed long before the end, by name and the beginning of their message. */
export type Tally = { passed: number; failed: number; failures: string[] }

const SHOWN_LINES = 12
/** Node's compile cache: hundreds of processes of the suites load the same sources. */
const COMPILED = path.join(ROOT, '.next/cache/opener-compiled-by-tests')

/** Runs vitest suites with visible output; a file or process that breaks counts as a failure. */
export async function runVitest(suites: string[], filters: string[], folder: string): Promise<Tally> {
  const report = path.join(folder, 'vitest.json')
  const projects = suites.flatMap((suite) => ['--project', `${suite}*`])
  const config = ['--config', 'tests/vitest.config.ts', '--passWithNoTests']
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const args = ['node_modules/vitest/vitest.mjs', 'run', ...config, ...projects, ...reporters, ...filters]
  const code = await show(args, {})
  const said = read<VitestReport>(report)
  if (!said) return { passed: 0, failed: code === 0 ? 0 : 1, failures: [] }
  // A file that cannot be loaded fails without a failed test.
  const unloaded = said.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  )
  const failed = said.numFailedTests + unloaded.length
  return { passed: said.numPassedTests, failed: atLeastOne(code, failed), failures: listFailures(said) }
}

/** Runs the end-to-end suite in a real browser against its own instance. */
export async function runPlaywright(filters: string[], folder: string): Promise<Tally> {
  const report = path.join(folder, 'playwright.json')
  const config = [
    '--config',
    'tests/e2e/playwright.config.ts',
    '--reporter=list,json',
    '--pass-with-no-tests',
  ]
  const args = ['node_modules/@playwright/test/cli.js', 'test', ...config, ...filters]
  const code = await show(args, { PLAYWRIGHT_JSON_OUTPUT_FILE: report })
  const said = read<PlaywrightReport>(report)
  if (!said) return { passed: 0, failed: code === 0 ? 0 : 1, failures: [] }
  const { expected, flaky, unexpected } = said.stats
  // Playwright prints its failures last by itself.
  return { passed: expected + flaky, failed: atLeastOne(code, unexpected), failures: [] }
}

type VitestReport = {
  numPassedTests: number
  numFailedTests: number
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
  }[]
}
type PlaywrightReport = { stats: { expected: number; unexpected: number; flaky: number } }

/** An unhandled error or a failed teardown fails the run without failing a test. */
function atLeastOne(code: number, failed: number): number {
  return code === 0 ? failed : Math.max(failed, 1)
}

function listFailures({ testResults }: VitestReport): string[] {
  return testResults.flatMap((file) => {
    const where = path.relative(ROOT, file.name)
    const failed = file.assertionResults.filter((test) => test.status === 'failed')
    if (file.status === 'failed' && failed.length === 0) return [`${where}\n${begin(file.message)}`]
    return failed.map((test) => `${where} > ${test.fullName}\n${begin(test.failureMessages.join('\n'))}`)
  })
}

function begin(message: string): string {
  return message.split('\n', SHOWN_LINES).join('\n')
}

function read<T>(file: string): T | null {
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : null
}

function show(args: string[], env: Record<string, string>): Promise<number> {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { NODE_COMPILE_CACHE: COMPILED, ...process.env, ...env },
    stdio: 'inherit',
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}
