import type { Browser, CDPSession, Page } from '@playwright/test'
import { quantile } from '../bench/harness.ts'
import type { Sheet } from './sheet.ts'
import { type Cookies, visitor } from './visit.ts'

const LONG_FRAME_MS = 50
/** A fast wheel, dragging the scroll bar to the end and half-way back, and the wheel again in both directions. */
const WAY = [
  { frames: 300, px: 120 },
  { frames: 200, share: 1 / 200 },
  { frames: 100, share: -1 / 200 },
  { frames: 300, px: 120 },
  { frames: 300, px: -120 },
]

type Visit = { url: string; browser: Browser; cookies: Cookies }

/** Scrolls lists of 100,000 rows, each `[name, address, label of the scroll area]`. */
export async function timeScrolling(visit: Visit, lists: [string, string, string][]): Promise<Sheet> {
  const rows: string[][] = []
  for (const [name, at, label] of lists) {
    const context = await visitor(visit.browser, visit.url, visit.cookies)
    const page = await context.newPage()
    await page.goto(at, { waitUntil: 'networkidle' })
    const row = [name, ...(await scrolled(page, label))]
    rows.push(row)
    console.log(row.join('  '))
    await context.close()
  }
  return {
    title: 'Scrolling 100,000 rows',
    about: `${WAY.reduce((sum, { frames }) => sum + frames, 0)} frames: down by 120 px each, on to the end in 200 jumps, half of it back, and there down and up by 120 px each. A frame is the time between two calls of requestAnimationFrame (16.7 ms at 60 Hz). "Filled" is the longest wait for the rows in sight after one of these five movements. Goals: no frame over ${LONG_FRAME_MS} ms.`,
    head: [
      'list',
      'frame p50',
      'p95',
      'longest',
      `over ${LONG_FRAME_MS} ms`,
      'most nodes',
      'heap before, after',
      'filled',
    ],
    rows,
  }
}

async function scrolled(page: Page, label: string): Promise<string[]> {
  const client = await page.context().newCDPSession(page)
  const before = await heapMb(client)
  const { times, nodes, filled } = await page.evaluate(scrollAll, { label, way: WAY })
  const after = await heapMb(client)
  return [
    `${quantile(times, 0.5).toFixed(1)} ms`,
    `${quantile(times, 0.95).toFixed(1)} ms`,
    `${Math.max(...times).toFixed(1)} ms`,
    `${times.filter((ms) => ms > LONG_FRAME_MS).length}`,
    nodes.toLocaleString('en'),
    `${before.toFixed(1)}, ${after.toFixed(1)} MB`,
    `${filled.toFixed(0)} ms`,
  ]
}

async function heapMb(client: CDPSession): Promise<number> {
  await client.send('HeapProfiler.collectGarbage')
  const { usedSize } = await client.send('Runtime.getHeapUsage')
  return usedSize / 2 ** 20
}

type Way = { frames: number; px?: number; share?: number }[]

/** Runs in the page. */
async function scrollAll({ label, way }: { label: string; way: Way }) {
  const section = document.querySelector(`section[aria-label="${label}"]`)
  if (!section) throw new Error(`Nothing is called ${label}`)
  const scroller = section
  const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
  const times: number[] = []
  let nodes = 0
  let filled = 0
  for (const { frames, px, share = 0 } of way) {
    let last = await frame()
    for (let count = 0; count < frames; count++) {
      scroller.scrollTop += px ?? share * scroller.scrollHeight
      const now = await frame()
      times.push(now - last)
      last = now
      if (count % 20 === 0) nodes = Math.max(nodes, document.getElementsByTagName('*').length)
    }
    const rested = performance.now()
    while (scroller.querySelector('[aria-busy]')) await frame()
    filled = Math.max(filled, performance.now() - rested)
  }
  return { times, nodes, filled }
}
