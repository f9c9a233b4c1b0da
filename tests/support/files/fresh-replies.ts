import { readFileSync } from 'node:fs'

const FILES = ['english', 'german-french-spanish-italian', 'other-languages']

export type FreshReply = { intent: string; text: string }

/**
 * Replies as people write them, and what they want; `none` where they say no such thing. The rules are written against the
 * ones in `development`. The ones in `heldOut` only measure: what fails there is not looked at.
 */
export function freshReplies(): { development: FreshReply[]; heldOut: FreshReply[] } {
  const replies = FILES.flatMap((name) =>
    readFileSync(new URL(`fresh-replies-${name}.txt`, import.meta.url), 'utf8')
      .trim()
      .split('\n')
      .map(parseLine),
  )
  return {
    development: replies.filter(({ text }) => hash(text) % 3 !== 0),
    heldOut: replies.filter(({ text }) => hash(text) % 3 === 0),
  }
}

function parseLine(line: string): FreshReply {
  const [intent = '', text = ''] = line.split(' | ')
  return { intent, text: text.replaceAll(' / ', '\n') }
}

/** FNV-1a, so that a reply stays in its part whatever is added. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (const char of text) value = Math.imul(value ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return value
}
