import { setTimeout as sleep } from 'node:timers/promises'
import { encode } from 'next-auth/jwt'
import { quantile } from '../bench/harness.ts'
import { descendants } from '../bench/instance/processes.ts'
import { forget, manyPeople } from './seed.ts'
import type { Sheet } from './sheet.ts'

const TABS = 1_000
/** The polling interval of components/ui/feedback/live-refresh.tsx if nothing happens. */
const POLL_MS = 15_000
const RENEW_MS = 300_000
const WARM_MS = 20_000
const MEASURED_MS = 60_000
const AT_ONCE = 16
const FLOOD_MS = 10_000

type Instance = { url: string; pid: number; secret: string; cookie_name: string }

/** What idle open tabs cost, each of another user: at their normal pace, and as fast as they are answered. */
export async function timeTabs(instance: Instance): Promise<Sheet> {
  const people = await manyPeople(TABS)
  try {
    const cookies = await Promise.all(
      people.map(async ({ user_id, sid }) => {
        const value = await encode({
          token: { sub: user_id, sid },
          secret: instance.secret,
          maxAge: 3600,
        })
        return `${instance.cookie_name}=${value}`
      }),
    )
    const rows = [
      await openTabs(instance, cookies, 'polls', false),
      await openTabs(instance, cookies, 'polls, and the page anew each five minutes', true),
      await flood(instance, cookies),
    ]
    for (const row of rows) console.log(row.join('  '))
    return {
      title: `${TABS.toLocaleString('en')} open tabs`,
      about: `Visible tabs on /campaigns, each of another person with 20 campaigns, on which nothing happens: a poll of /live/campaigns each ${POLL_MS / 1000} s, answered 304, and the page's server parts each ${RENEW_MS / 1000} s. One core is 100 %. The callers run on the same machine.`,
      head: ['what', 'requests', 'p50', 'p99', 'web', 'Postgres'],
      rows,
    }
  } finally {
    await forget(people.map(({ user_id }) => user_id))
  }
}

type Tab = { cookie: string; etag: string | null }

async function ask({ url }: Instance, tab: Tab, times: number[]) {
  const started = performance.now()
  const response = await fetch(`${url}/live/campaigns`, {
    headers: { cookie: tab.cookie, ...(tab.etag ? { 'if-none-match': tab.etag } : {}) },
  })
  await response.arrayBuffer()
  if (response.status !== (tab.etag ? 304 : 200)) throw new Error(`A poll was answered ${response.status}`)
  tab.etag = response.headers.get('etag')
  times.push(performance.now() - started)
}

async function renew({ url }: Instance, tab: Tab) {
  const response = await fetch(`${url}/campaigns`, { headers: { cookie: tab.cookie, rsc: '1' } })
  await response.arrayBuffer()
  if (!response.headers.get('content-type')?.startsWith('text/x-component'))
    throw new Error(`A page was answered ${response.status}`)
}

/** The tabs' polls are spread evenly over time. */
async function openTabs(
  instance: Instance,
  cookies: string[],
  what: string,
  renews: boolean,
): Promise<string[]> {
  let times: number[] = []
  const begun = performance.now()
  const end = begun + WARM_MS + MEASURED_MS
  const every = async (ms: number, offset: number, act: () => Promise<void>) => {
    for (let at = begun + offset * ms; at < end; at += ms) {
      await sleep(Math.max(0, at - performance.now()))
      await act()
    }
  }
  const work = Promise.all(
    cookies.flatMap((cookie, index) => {
      const tab: Tab = { cookie, etag: null }
      const offset = index / cookies.length
      const polls = every(POLL_MS, offset, () => ask(instance, tab, times))
      return renews ? [polls, every(RENEW_MS, offset, () => renew(instance, tab))] : [polls]
    }),
  )
  await Promise.race([work, sleep(WARM_MS)])
  times = []
  const used = cpuSince(instance.pid)
  await work
  return buildRow(what, times, MEASURED_MS, used())
}

async function flood(instance: Instance, cookies: string[]): Promise<string[]> {
  const times: number[] = []
  const used = cpuSince(instance.pid)
  const end = performance.now() + FLOOD_MS
  let next = 0
  const tabs = cookies.map((cookie): Tab => ({ cookie, etag: null }))
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (performance.now() < end) {
        const tab = tabs[next++ % tabs.length]
        if (tab) await ask(instance, tab, times)
      }
    }),
  )
  return buildRow(`as many as it answers, ${AT_ONCE} at once`, times, FLOOD_MS, used())
}

const buildRow = (what: string, times: number[], ms: number, used: Used) => [
  what,
  `${((times.length * 1000) / ms).toFixed(0)} polls/s`,
  `${quantile(times, 0.5).toFixed(1)} ms`,
  `${quantile(times, 0.99).toFixed(1)} ms`,
  `${used.web.toFixed(0)} %`,
  `${used.Postgres.toFixed(0)} %`,
]

type Used = { web: number; Postgres: number }

/** CPU shares since the call, in percent of one core. */
function cpuSince(root: number): () => Used {
  const read = () => new Map(descendants(root).map((one) => [one.pid, one]))
  const [before, began] = [read(), performance.now()]
  return () => {
    const seconds = (performance.now() - began) / 1000
    const of = (name: string) =>
      [...read().values()]
        .filter((one) => one.name === name)
        .reduce((sum, one) => sum + one.cpu_s - (before.get(one.pid)?.cpu_s ?? 0), 0)
    return { web: (100 * of('web')) / seconds, Postgres: (100 * of('Postgres')) / seconds }
  }
}
