import { expect, test } from 'vitest'
import { readIntent } from '#lib/domain/inbox/intent/read-intent'

const read = (new_text: string) =>
  readIntent({ new_text, from: { name: 'Grace', address: 'grace@corp.example' }, recipients: [] }, 0)

/** Steps of the automata, each of which looks up one character. The first reading builds the automata, the second is counted. */
function stepsOver(text: string): number {
  read(text)
  let steps = 0
  const get = Map.prototype.get
  Map.prototype.get = function (key) {
    steps++
    return get.call(this, key)
  }
  try {
    read(text)
  } finally {
    Map.prototype.get = get
  }
  return steps
}

test.each([
  'a, ',
  'A b. ',
  '. ',
  'not ',
  'could you ',
  'on Tuesday at 3 ',
  'do not send me ',
  'x@y.example ',
  'Herr Kunz entscheidet. ',
  'Ab Cd ',
  'kan we een ',
  'pode ',
  'prosze o ',
  'wie ',
])('a reply of nothing but %j is read in as many steps as it has characters', (unit) => {
  const replyWith = (chars: number) => unit.repeat(Math.ceil(chars / unit.length))
  const steps = stepsOver(replyWith(1_000))
  expect(stepsOver(replyWith(2_000))).toBeLessThan(steps * 2.3)
  // Only the first 4,000 characters of a megabyte are read.
  expect(stepsOver(replyWith(1_000_000))).toBeLessThan(steps * 4.6)
})
