import { findFlags } from '#lib/domain/personalize/evidence'
import type { Flag } from '#lib/domain/personalize/flag'
import type { Claim } from '#lib/domain/personalize/material'
import { hasWord, plain } from '#lib/domain/personalize/plain-words'

/** What a draft of an answer rests on: words of both sides, the lead's cells and the sender's facts. */
export type ReplyMaterial = {
  theirs: string[]
  ours: string[]
  cells: Record<string, string>
  sender: Record<string, string>
}

/** The source that is no cell: what the other side wrote. */
export const CONVERSATION = 'conversation'

const SHORTEST = 2
const SHORTEST_SENTENCE = 10
const MOST = 12

/**
 * Where the facts of a draft come from, found by its words alone and not by what a model says of itself: values of cells, of the
 * sender and sentences of the other side that stand in it, in the order of the draft.
 */
export function replySources(text: string, { theirs, cells, sender }: ReplyMaterial): Claim[] {
  const said = plain(text)
  const facts = [
    ...Object.entries(cells),
    ...Object.entries(sender).map(([key, value]) => [`sender.${key}`, value] as const),
  ].filter(([, value]) => value.length >= SHORTEST && hasWord(said, plain(value)))
  const sentences = theirs
    .flatMap(splitSentences)
    .filter((one) => one.length >= SHORTEST_SENTENCE && said.includes(plain(one)))
  const sources = [
    ...facts.map(([cell, value]) => ({ text: value, cell })),
    ...sentences.map((sentence) => ({ text: sentence, cell: CONVERSATION })),
  ]
  // Of two cells of one value the first is enough.
  const once = new Map(sources.toReversed().map((source) => [plain(source.text), source]))
  const place = ({ text: value }: Claim) => said.indexOf(plain(value))
  return [...once.values()].toSorted((one, other) => place(one) - place(other)).slice(0, MOST)
}

function splitSentences(text: string): string[] {
  return text.split(/[\n.?!]/).map((sentence) => sentence.trim())
}

/** What of a draft stands in none of them, such as a date or a price: a person looks at it twice. */
export const replyFlags = (text: string, { theirs, ours, cells, sender }: ReplyMaterial): Flag[] =>
  findFlags(
    { subject: '', body: text, claims: [] },
    {
      cells: { ...cells, [CONVERSATION]: theirs.join('\n') },
      sender,
      template: null,
      prompt: ours.join('\n'),
    },
  )
