import vm from 'node:vm'

/** A function that reads untrusted text. `max` is the length to which all its callers cut the text. */
export type Reader = { name: string; read: (text: string) => unknown; max: number }

/**
 * Every function that reads untrusted text must take at most proportionally longer for longer text: each one is run
 * on some hundred hostile inputs at two sizes. A new reader gets one line in the list of its module. `read` feeds a
 * text in; `max` is given only where every caller cuts the text first, and is the length they cut it to.
 */
export const reader = (
  name: string,
  read: (text: string) => unknown,
  max = Number.POSITIVE_INFINITY,
): Reader => ({
  name,
  read,
  max,
})

/** Null: the run was stopped. */
export type Growth = { input: string; small_ms: number | null; large_ms: number | null }

const SMALL = 16 * 1024
const LARGE = 64 * 1024
/** For four times the text the work may grow sixfold; quadratic work grows sixteenfold. */
const MAX_RATIO = 6
/**
 * Milliseconds of work below which nothing is judged: a function that allocates much grows faster than its input at these
 * sizes, as more of its objects survive each garbage collection. Quadratic work on single characters takes seconds.
 */
const CHEAP = 150
/** Quadratic work that takes less than this on the small input stays below CHEAP on the large one. */
const PASSED_BY = CHEAP / (LARGE / SMALL) ** 2
/** How often a suspicious input is measured again; one proportional result clears it. */
const ROUNDS = 3
/** Milliseconds after which a reader counts as hanging on the inputs of one unit, however busy the machine is. */
const HANGS_AFTER = 120_000
/** Milliseconds of work that can be measured reliably, and how many runs are made at most to reach them. */
const ENOUGH = 40
const MOST_RUNS = 64

/** Repeated to fill the input: whatever some expression or loop may start over at. */
// biome-ignore format: a list to look through
export const UNITS = [
  'a', 'A', '0', '9', ' ', '\t', '\n', '\r\n', '\u00a0', '\ufeff', 'é', 'ß', '中', '👍',
  '.', ',', ';', ':', '!', '?', '-', '_', '/', '\\', '|', '+', '*', '=', '#', '&', '%', '$', '@', '~', '^', '`',
  '<', '>', '(', ')', '[', ']', '{', '}', '"', "'", '’', '“', '–',
  'a ', 'a\n', 'a.', 'a,', 'a-', 'a_', 'a/', 'a+A+', 'a@', '@a', 'a=', 'a;', 'a|', 'A. ', 'Aa ', '1 ', '1.', '1/',
  '\n\n', '\n ', ' \n', ' ,', ', ', '. ', '- ', '> ', '>\n', '--', '--\n', '\n--',
  '<a', '<a ', '<a>', '</a>', '<p>a</p>', 'a <b>', '<!--', '<!', '<?', '<![CDATA[', '<a href="', '<a href=x ', "<a b='", '<style', '<style>',
  '&amp;', '&#', '&#x', '&a', '{{', '{{a}}', '{{ a | a: ', '{%', '{%a', '{%raw%}', '{%if a%}', '\n{{a}}', '{a|', '{a|a}', '{a', '|{', '}|',
  '=?a?q?', '=20', '=\n', '%20', '\\"', '""', '",', '(a', '[a', '[a](', 'a]', '{"a":', '[[', ',,',
  'on ', 'at ', ' at ', 'a at a ', 'http://', 'http://a', 'www.', 'www.a.', 'a@a.', 'a@a.de ', 'To: a\n', 'dear ,,,', 'On a wrote:\n',
  '/a', '/in/', '://', '1-', '(1) ', '1e', '+1 ', 'GmbH ', 'Inc. ', 'Dr. ', 'von ', 'v=spf1 ', 'include:a ', 'p=',
]

/** Text before and after the repeated unit: a run is quadratic only where something keeps the match from ending. */
export const FRAMES: readonly (readonly [before: string, after: string])[] = [
  ['', ''],
  ['', '\n!'],
  ['<a "', 'x'],
  ['{{ (a@', ' }}'],
]

/** CPU time of this thread, not wall-clock time, so that other processes on a busy machine do not count. */
function work(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

function tried(run: () => unknown): void {
  try {
    run()
  } catch {
    // A refusal counts as an answer.
  }
}

/** Wall-clock time: it never understates the work and is cheap to read. */
function timed(run: () => unknown): number {
  const before = performance.now()
  tried(run)
  return performance.now() - before
}

/** Filled with whole units, so that both lengths end alike: a template that is cut inside a field is refused before it is rendered. */
function filled(unit: string, [before, after]: readonly [string, string], length: number): string {
  const room = Math.max(0, length - before.length - after.length)
  return `${before}${unit.repeat(Math.floor(room / unit.length))}${after}`
}

/** The two lengths to compare, for readers whose text is cut at `max`. */
export function sizesUpTo(max: number): [small: number, large: number] {
  const large = Math.min(LARGE, max)
  return [Math.floor((large * SMALL) / LARGE), large]
}

/** The first input for which a reader's work outgrows the input, or null. It is measured again before it is reported. */
export function outgrown({ read, max }: Reader, hangs_after = HANGS_AFTER): Growth | null {
  const [small, large] = sizesUpTo(max)
  const stopped = stopper(hangs_after)
  for (const unit of UNITS) {
    let input = ''
    const found = stopped(() => {
      for (const frame of FRAMES) {
        input = `${JSON.stringify(frame[0])} ${JSON.stringify(unit)}… ${JSON.stringify(frame[1])}`
        const growth = growthOf(read, filled(unit, frame, small), () => filled(unit, frame, large))
        if (growth) return growth
      }
      return null
    })
    if (found === 'stopped') return { input, small_ms: null, large_ms: null }
    if (found) return { input, ...found }
  }
  return null
}

/** The growth between two inputs, the second four times as long as the first; null where it is proportional. */
export function growthOf(read: Reader['read'], few: string, makeMany: () => string) {
  const few_ms = timed(() => read(few))
  if (few_ms < PASSED_BY) return null
  const many = makeMany()
  const many_ms = timed(() => read(many))
  if (many_ms <= CHEAP || many_ms <= 2 * few_ms) return null
  let growth = { small_ms: 0, large_ms: 0 }
  for (let round = 0; round < ROUNDS; round++) {
    growth = { small_ms: workOf(() => read(few)), large_ms: workOf(() => read(many)) }
    if (growth.large_ms <= CHEAP || growth.large_ms <= MAX_RATIO * growth.small_ms) return null
  }
  return growth
}

/** Averaged over as many runs as it takes to measure: the system counts in steps of milliseconds. */
export function workOf(run: () => unknown): number {
  const before = work()
  for (let times = 1; ; times++) {
    tried(run)
    const took = work() - before
    if (took >= ENOUGH || times === MOST_RUNS) return took / times
  }
}

/** Runs functions under a vm timeout, the only timeout that can interrupt a regular expression while it matches. */
function stopper(timeout: number) {
  const place: { run?: () => unknown } = vm.createContext({})
  const script = new vm.Script('run()')
  return <T>(run: () => T): T | 'stopped' => {
    place.run = run
    try {
      return script.runInContext(place, { timeout }) as T
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return 'stopped'
      throw error
    }
  }
}
