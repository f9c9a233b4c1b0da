import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { chromium } from '@playwright/test'

export type Browser = { executablePath: string; args: string[]; env: Record<string, string> }

const CACHE = path.resolve(import.meta.dirname, '../../.next/cache')
// Chromium has no sandbox as root, small containers have no /dev/shm, and a test's browser visits only our own server.
const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking']

const INSTALLED = [
  ...['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'].map(
    (name) => `/usr/bin/${name}`,
  ),
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/**
 * A real Chromium without a download step: the one that PLAYWRIGHT_CHROMIUM names, else one that Playwright or the system
 * has installed, else the one inside the npm package @sparticuz/chromium, unpacked once into the checkout's cache.
 */
export async function findBrowser(): Promise<Browser> {
  const given = process.env.PLAYWRIGHT_CHROMIUM
  if (given) return { executablePath: given, args: ARGS, env: {} }
  const installed = [chromium.executablePath(), ...INSTALLED].find((file) => fs.existsSync(file))
  if (installed) return { executablePath: installed, args: ARGS, env: {} }
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(
      'No Chromium or Chrome found: set PLAYWRIGHT_CHROMIUM, or `npx playwright install chromium`.',
    )
  }
  const folder = await unpacked()
  const executablePath = path.join(folder, 'chromium')
  return { executablePath, args: ARGS, env: surroundings(executablePath, folder) }
}

/** Unpacked into a draft folder and then renamed, so that a second run never starts a half-written browser. */
async function unpacked(): Promise<string> {
  const bin = path.resolve(createRequire(import.meta.url).resolve('@sparticuz/chromium'), '../../bin')
  const { version } = JSON.parse(fs.readFileSync(path.join(bin, '../package.json'), 'utf8'))
  const folder = path.join(CACHE, `opener-chromium-${version}`)
  if (fs.existsSync(folder)) return folder
  const draft = `${folder}.${process.pid}`
  fs.mkdirSync(draft, { recursive: true })
  const temporary = process.env.TMPDIR
  process.env.TMPDIR = draft
  try {
    const { default: carried, inflate } = await import('@sparticuz/chromium')
    await carried.executablePath()
    await inflate(path.join(bin, 'al2023.tar.br'))
  } finally {
    if (temporary === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = temporary
  }
  try {
    fs.renameSync(draft, folder)
  } catch (error) {
    // Another run renamed its copy first: that copy is as good.
    fs.rmSync(draft, { recursive: true, force: true })
    if (!fs.existsSync(folder)) throw error
  }
  return folder
}

/** Slim systems lack libraries or fonts that a browser needs: the package's own are used there. */
function surroundings(executablePath: string, folder: string): Record<string, string> {
  const env: Record<string, string> = {}
  if (!fs.existsSync('/etc/fonts/fonts.conf')) env.FONTCONFIG_PATH = path.join(folder, 'fonts')
  try {
    execFileSync(executablePath, ['--version'], { stdio: 'ignore' })
  } catch {
    env.LD_LIBRARY_PATH = [path.join(folder, 'al2023/lib'), process.env.LD_LIBRARY_PATH]
      .filter(Boolean)
      .join(':')
  }
  return env
}
