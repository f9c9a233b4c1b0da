import { describe, expect, test } from 'vitest'
import { seededNumbers } from '#lib/domain/messages/seed'
import { mutated } from '#tests/support/fuzz/mutate'
import { faultOf } from '#tests/support/fuzz/one-run'
import { search } from '#tests/support/fuzz/search'
import { shrunk } from '#tests/support/fuzz/shrink'
import { bytesOf, type Target, textOf } from '#tests/support/fuzz/target'
import { FUZZ_ENV, TARGETS, targetNamed } from '#tests/support/fuzz/targets'

// Set before any module reads the environment.
Object.assign(process.env, { DATABASE_URL: FUZZ_ENV.DATABASE_URL })

/** Fewer inputs for these: SheetJS is slow. */
const FEW = ['sheets', 'xml-parts', 'xlsx-parts']

describe('every reader keeps its promises for its seeds and some inputs made of them', () => {
  test.each(Object.keys(TARGETS))('%s', async (name) => {
    const target = await targetNamed(name)
    const lots = seededNumbers('smoke')
    const seeds = target.seeds().map(bytesOf)
    const inputs = [...seeds]
    while (inputs.length < seeds.length + (FEW.includes(name) ? 20 : 100))
      inputs.push(
        mutated(inputs[Math.floor(lots() * inputs.length)] ?? new Uint8Array(), lots, target, seeds),
      )
    for (const input of inputs) await target.run(input)
    expect(target.name).toBe(name)
  })
})

/** Fails at a word that random changes find only letter by letter; the target reports each letter that was reached. */
function planted(word: string) {
  let reached = 0
  let told = 0
  const target: Target = {
    name: 'planted',
    max: 64,
    seeds: () => ['aaaaaa'],
    words: ['b'],
    run(input) {
      const said = textOf(input)
      let at = 0
      while (at < word.length && said[at] === word[at]) at += 1
      reached = Math.max(reached, at)
      if (at === word.length) throw new TypeError('read')
    },
  }
  const news = () => {
    const more = reached - told
    told = reached
    return more
  }
  return { target, news }
}

const foundIn = (seed: string) =>
  search({ ...planted('abba'), lots: seededNumbers(seed), isOver: (runs) => runs > 20_000 })

test('what lies behind several conditions is found, told once, and made small', async () => {
  const { findings } = await foundIn('1')
  expect(findings.map(({ kind, input }) => [kind, textOf(input)])).toEqual([['threw', 'abba']])
})

test('the same seed makes the same inputs', async () => {
  const [one, other] = [await foundIn('2'), await foundIn('2')]
  expect(one.findings.map(({ input }) => input)).toEqual(other.findings.map(({ input }) => input))
  expect([one.runs, one.kept]).toEqual([other.runs, other.kept])
})

test('a finding is made as small as it gets', async () => {
  const input = bytesOf(`${'x'.repeat(200)}a${'y'.repeat(99)}b`)
  const small = await shrunk(input, async (part) => /a.*b/.test(textOf(part)), 1_000)
  expect(textOf(small)).toBe('ab')
})

test('what takes too long for its length is a fault, and so is what rejects', async () => {
  const base = { name: 'slow', max: 1, seeds: () => [], words: [], slow_ms: -1 }
  expect(await faultOf({ ...base, run: () => {} }, new Uint8Array())).toMatchObject({ kind: 'slow' })
  const rejects = () => Promise.reject(new RangeError('no'))
  expect(await faultOf({ ...base, run: rejects }, new Uint8Array())).toMatchObject({ kind: 'threw' })
})
