import { median, oneDecimal, printNote, report } from '../harness.ts'
import type { Sample } from './sample.ts'

const GOAL = { rate: 0.97, growth: 1.1, p99: 1.25, p99_ms: 50 }
/** The tables that grow with imports and sends. */
const TABLES = ['actions', 'campaign_leads', 'dataset_rows']
/** The share of the time until caches and connections have settled. */
const WARM_UP = 0.1

/** The first and the last quarter of the measurements after the warm-up. */
function quarters(samples: readonly Sample[]): { first: Sample[]; last: Sample[]; whole: Sample[] } {
  const whole = samples.slice(Math.ceil(samples.length * WARM_UP))
  const size = Math.max(1, Math.floor(whole.length / 4))
  return { first: whole.slice(0, size), last: whole.slice(-size), whole }
}

export function reportFlatness(samples: readonly Sample[], asked: number, minutes: number): void {
  const { first, last, whole } = quarters(samples)
  const both = (pick: (sample: Sample) => number) => ({
    before: median(first.map(pick)),
    after: median(last.map(pick)),
  })
  const reportGrowth = (
    what: string,
    pick: (sample: Sample) => number,
    shown: (value: number) => string,
    { most = GOAL.growth, and = '', isMet = true, more = '' } = {},
  ) => {
    const { before, after } = both(pick)
    report({
      what: `${what}, last quarter against the first`,
      ours: `${shown(after)}${more}`,
      against: shown(before),
      ratio: (after / before).toFixed(2),
      goal: `≤ ${most}${and}`,
      met: after / before <= most && isMet,
    })
  }
  const seconds =
    ((whole.at(-1)?.minute ?? 0) - (samples[samples.length - whole.length - 1]?.minute ?? 0)) * 60
  const taken = (whole.at(-1)?.taken ?? 0) - (samples[samples.length - whole.length - 1]?.taken ?? 0)
  const rate = taken / seconds
  report({
    what: `Mails a second for ${minutes} min, beside imports, opens and answers`,
    ours: `${rate.toFixed(0)}/s`,
    against: `${asked}/s`,
    ratio: (rate / asked).toFixed(2),
    goal: `≥ ${GOAL.rate}`,
    met: rate / asked >= GOAL.rate,
  })
  const parts = Object.keys(samples.at(-1)?.memory ?? {}).filter((name) => name !== 'all')
  const memory = parts.map((name) => `${name} ${both((one) => one.memory[name] ?? 0).after.toFixed(0)}`)
  reportGrowth(
    'Memory of all its processes',
    (one) => one.memory.all ?? 0,
    (mb) => `${mb.toFixed(0)} MB`,
    { more: ` (${memory.join(', ')})` },
  )
  reportGrowth('Connections to Postgres', (one) => one.connections, String)
  for (const name of TABLES) {
    const perRow = (one: Sample, of: 'heap' | 'indexes') =>
      (one.tables[name]?.[of] ?? 0) / (one.tables[name]?.live ?? 1)
    const rows = Math.round(samples.at(-1)?.tables[name]?.live ?? 0).toLocaleString('en')
    reportGrowth(
      `Bytes for each of ${rows} rows of ${name} with its indexes`,
      (one) => perRow(one, 'heap') + perRow(one, 'indexes'),
      (bytes) => bytes.toFixed(0),
      { more: ` (${both((one) => perRow(one, 'indexes')).after.toFixed(0)} of indexes)` },
    )
  }
  const p99 = both((one) => one.p99).after
  const failed = samples.reduce((total, one) => total + one.failed_reads, 0)
  reportGrowth(
    'Pages of lists over the API, 16 callers, p99 of a minute',
    (one) => one.p99,
    (ms) => `${oneDecimal(ms)} ms`,
    {
      most: GOAL.p99,
      and: ` and ≤ ${GOAL.p99_ms} ms`,
      isMet: p99 <= GOAL.p99_ms && failed === 0,
      more: ` (p50 ${oneDecimal(both((one) => one.p50).after)} ms, ${failed} failed)`,
    },
  )
  const perMail = (pick: (sample: Sample) => number) =>
    median(whole.map((one) => pick(one) / Math.max(1, one.per_second)))
  const cpu = (name: string) => `${(1_000 * perMail((one) => one.cores[name] ?? 0)).toFixed(2)} ms of ${name}`
  const gigabytes = (samples.at(-1)?.database_mb ?? 0) / 1_000
  report({
    what: 'CPU for each mail, with all that went on beside it',
    ours: `${['web', 'Postgres', 'engine', 'reader'].map(cpu).join(', ')}; database of ${oneDecimal(gigabytes)} GB`,
    against: '',
    ratio: '',
    goal: '',
    met: null,
  })
}

/** For further analysis: the tables that have grown most since the first quarter, per mail. */
export function printGrowth(samples: readonly Sample[]): void {
  const [first, last] = [quarters(samples).first.at(0), samples.at(-1)]
  if (!first || !last) return
  const grown = Object.entries(last.tables)
    .map(([name, now]) => {
      const before = first.tables[name] ?? { live: 0, dead: 0, heap: 0, indexes: 0 }
      return { name, now, bytes: now.heap + now.indexes - before.heap - before.indexes }
    })
    .toSorted((one, other) => other.bytes - one.bytes)
  for (const { name, now, bytes } of grown.slice(0, 12))
    printNote(
      `${name}: +${(bytes / 1e6).toFixed(1)} MB to ${((now.heap + now.indexes) / 1e6).toFixed(1)} MB, ${now.live} rows, ${now.dead} dead`,
    )
}
