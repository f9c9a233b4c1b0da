import { readFileSync } from 'node:fs'

const FILES = [
  'english',
  'german-french-spanish-italian',
  'other-languages',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
]

export type FreshReply = { intent: string; text: string }

/**
 * Replies as people write them, and their intent; `none` where they express no intent. The rules are written against
 * `development`. The other sets only measure: their failures are not looked at. `heldOut` was written before the rules, by
 * the same author; `unseen` was written after the last rule.
 */
export function freshReplies(): Record<'development' | 'heldOut' | 'unseen', FreshReply[]> {
  const replies = FILES.flatMap(read)
  return {
    development: replies.filter(({ text }) => hash(text) % 3 !== 0),
    heldOut: replies.filter(({ text }) => hash(text) % 3 === 0),
    unseen: read('unseen'),
  }
}

const read = (name: string) =>
  readFileSync(new URL(`fresh-replies-${name}.txt`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map(parseLine)

function parseLine(line: string): FreshReply {
  const [intent = '', text = ''] = line.split(' | ')
  return { intent, text: text.replaceAll(' / ', '\n') }
}

/** FNV-1a, so that a reply stays in its set whatever is added. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (const char of text) value = Math.imul(value ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return value
}
