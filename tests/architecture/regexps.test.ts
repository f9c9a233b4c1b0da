import { check, type Diagnostics } from 'recheck'
import { beforeAll, expect, test } from 'vitest'
import { growthOf, outgrown, sizesUpTo, workOf } from '#tests/support/code/growth'
import {
  attackOf,
  builtExpressions,
  type Expression,
  hashOf,
  readVerdicts,
  writeVerdicts,
  writtenExpressions,
} from '#tests/support/code/regexps'

/**
 * No regular expression of the product takes more than linear time on untrusted text. How a new one is admitted:
 * docs/regular-expressions.md. `REGEXPS=write npm test -- architecture regexps` stores the new verdicts.
 */
const isWriting = process.env.REGEXPS === 'write'

/** Makes calls that build the expressions which are not built at load time, so that they are recorded. */
async function buildTheRest() {
  const { mergeFieldFallback } = await import('#components/messages/merge-fields')
  mergeFieldFallback('', 'first_name')
}

/** Time limit of the checker for one expression; a busy machine needs more than an idle one. */
const THINKS = 120_000
/** Milliseconds that the longest text which an expression ever gets may take. */
const CHEAP = 50

const verdicts = readVerdicts()
const { literals, builders } = writtenExpressions()
let expressions: Expression[] = []
let built: Expression[] = []

beforeAll(async () => {
  built = await builtExpressions(
    builders.map(({ file }) => file),
    buildTheRest,
  )
  const all = new Map([...literals, ...built].map((one) => [hashOf(one), one]))
  expressions = [...all.values()]
}, 300_000)

test('every place that builds an expression was seen at it', () => {
  const unseen = builders.filter(
    ({ file, sites }) => built.filter(({ files }) => files.includes(file)).length < sites,
  )
  expect(unseen).toEqual([])
  expect(literals.length).toBeGreaterThan(400)
})

test('every expression is linear, or listed with the longest text that it meets', async () => {
  const safe = new Set(verdicts.safe)
  const fresh = expressions.filter((one) => !safe.has(hashOf(one)) && !(hashOf(one) in verdicts.listed))
  const refused: object[] = []
  const judge = async (queue: Expression[]) => {
    for (let one = queue.pop(); one; one = queue.pop()) {
      const found = await check(one.source, one.flags, { timeout: THINKS })
      if (found.status === 'safe') safe.add(hashOf(one))
      else refused.push(refusalOf(one, found))
    }
  }
  await Promise.all([judge(fresh), judge(fresh)])
  if (isWriting) {
    const there = new Set(expressions.map(hashOf))
    const known = Object.entries(verdicts.listed).filter(([hash]) => there.has(hash))
    writeVerdicts({ listed: Object.fromEntries(known), safe: [...safe].filter((hash) => there.has(hash)) })
  }
  expect(refused).toEqual([])
}, 3_600_000)

/** The verdict in the form of an entry for the list, in case it belongs there. */
function refusalOf({ source, flags, files }: Expression, found: Diagnostics): object {
  const attack = found.status === 'vulnerable' ? found.attack : undefined
  return {
    [hashOf({ source, flags })]: {
      expression: `/${source}/${flags}`,
      file: files[0],
      checker: found.status === 'unknown' ? found.error.kind : found.complexity?.summary,
      ...(attack && {
        attack: {
          before: '',
          pumps: attack.pumps.map(({ prefix, pump }) => ({ before: prefix, pump })),
          after: attack.suffix,
        },
      }),
    },
  }
}

test('the list holds only what is there', () => {
  const there = new Set(expressions.map(hashOf))
  expect(Object.entries(verdicts.listed).filter(([hash]) => !isWriting && !there.has(hash))).toEqual([])
})

const LISTED = Object.entries(verdicts.listed).map(([hash, one]) => ({ hash, ...one }))

test.each(LISTED)(
  '$file: $expression is cheap for whatever it meets',
  ({ hash, attack, ...one }) => {
    const known = expressions.find((expression) => hashOf(expression) === hash)
    // The expression is gone: the test above fails for it.
    if (!known) return
    const everywhere = new RegExp(known.source, known.flags.includes('g') ? known.flags : `${known.flags}g`)
    const read = (text: string) => text.replace(everywhere, '')
    const max = one.max ?? Number.POSITIVE_INFINITY
    // Where the checker found no attack, the expression gets all inputs that other readers get.
    if (!attack) return void expect(outgrown({ name: hash, read, max })).toBeNull()
    const [few, many] = sizesUpTo(max).map((size) => attackOf(attack, size)) as [string, string]
    expect(growthOf(read, few, () => many)).toBeNull()
    if (one.max) expect(workOf(() => read(many))).toBeLessThan(CHEAP)
  },
  600_000,
)
