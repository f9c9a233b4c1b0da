import vm from 'node:vm'

/** A function that reads words of others. `max` says what its only callers cut those words to. */
export type Reader = { name: string; read: (text: string) => unknown; max: number }

/**
 * Whatever reads words of others takes at most proportionally longer for longer words: every such function
 * meets some hundred hostile inputs at two sizes. A new one gets one line in its room's list; the second entry
 * feeds a text in. The third only where every caller cuts the text before, and then what it cuts it to.
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

/** Null: it was stopped. */
export type Growth = { input: string; small_ms: number | null; large_ms: number | null }

const SMALL = 16 * 1024
const LARGE = 64 * 1024
/** Four times the words may take six times as long; a square takes sixteen. */
const MAX_RATIO = 6
/**
 * Milliseconds of work below which nothing is judged: what allocates much outgrows its input here, as more of it
 * lives when the garbage is collected. A square of single characters takes seconds.
 */
const CHEAP = 150
/** A square that takes this little for the small input stays cheap for the large one. */
const PASSED_BY = CHEAP / (LARGE / SMALL) ** 2
/** How often a suspicion is measured anew; once in proportion, and it is none. */
const ROUNDS = 3
/** Milliseconds after which one unit's inputs count as never read, however busy the machine. */
const HANGS_AFTER = 120_000
/** Milliseconds of work that can be told apart, and how many runs are made for them at most. */
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

/** What stands before and after: a run costs a square only where something keeps it from ending. */
export const FRAMES: readonly (readonly [before: string, after: string])[] = [
  ['', ''],
  ['', '\n!'],
  ['<a "', 'x'],
  ['{{ (a@', ' }}'],
]

/** Thread time, not the clock's: neighbours on a busy machine do not count. */
function work(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

function tried(run: () => unknown): void {
  try {
    run()
  } catch {
    // A refusal is an answer.
  }
}

/** By the clock, which never says too little and costs nothing to read. */
function timed(run: () => unknown): number {
  const before = performance.now()
  tried(run)
  return performance.now() - before
}

/** Of whole units, so that both lengths end alike: a template that is cut in a field is refused before it is filled in. */
function filled(unit: string, [before, after]: readonly [string, string], length: number): string {
  const room = Math.max(0, length - before.length - after.length)
  return `${before}${unit.repeat(Math.floor(room / unit.length))}${after}`
}

/** The two lengths that are compared, for readers whose words are cut at `max`. */
export function sizesUpTo(max: number): [small: number, large: number] {
  const large = Math.min(LARGE, max)
  return [Math.floor((large * SMALL) / LARGE), large]
}

/** The first input for which a reader's work outgrows the input, or null. Measured anew before it is said. */
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

/** The growth between two inputs, the second four times as long; null where it is in proportion. */
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

/** Of as many runs as it takes to be seen: the system counts in steps of milliseconds. */
export function workOf(run: () => unknown): number {
  const before = work()
  for (let times = 1; ; times++) {
    tried(run)
    const took = work() - before
    if (took >= ENOUGH || times === MOST_RUNS) return took / times
  }
}

/** Runs things under the one clock that ends even an expression in its midst. */
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
