import { expect, test } from 'vitest'
import { stepText } from '#lib/domain/inbox/new-text'

const LINE = 'Not for you? https://opener.example/unsubscribe/u1.abc'

test.each([
  {
    name: 'a line at the end',
    text: `Hi Ada,\n\nwho looks after it?\n\n${LINE}`,
    expected: 'Hi Ada,\n\nwho looks after it?',
  },
  { name: 'none', text: 'Hi Ada,\n\nwho looks after it?', expected: 'Hi Ada,\n\nwho looks after it?' },
  { name: 'a link within the words', text: `${LINE}\n\nYours, Dana`, expected: `${LINE}\n\nYours, Dana` },
  { name: 'nothing but the line', text: LINE, expected: LINE },
])('what a step said, with $name', ({ text, expected }) => {
  expect(stepText(text)).toBe(expected)
})
