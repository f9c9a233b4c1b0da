import { findFlags } from '#lib/domain/personalize/evidence'
import type { Flag } from '#lib/domain/personalize/flag'
import type { Claim } from '#lib/domain/personalize/material'
import { hasWord, plain } from '#lib/domain/personalize/plain-words'

/** The material for checking a drafted answer: the texts of both sides, the lead's cells and the sender's facts. */
export type ReplyMaterial = {
  theirs: string[]
  ours: string[]
  cells: Record<string, string>
  sender: Record<string, string>
}

/** The source for statements from the other side's messages, which are not a cell. */
export const CONVERSATION = 'conversation'

const SHORTEST = 2
const SHORTEST_SENTENCE = 10
const MOST = 12

/**
 * The sources of a draft's facts, found by its words alone and not by what a model claims: values of cells and of the sender,
 * and sentences of the other side, in the order of the draft.
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
  // If two cells have the same value, the first is enough.
  const once = new Map(sources.toReversed().map((source) => [plain(source.text), source]))
  const place = ({ text: value }: Claim) => said.indexOf(plain(value))
  return [...once.values()].toSorted((one, other) => place(one) - place(other)).slice(0, MOST)
}

function splitSentences(text: string): string[] {
  return text.split(/[\n.?!]/).map((sentence) => sentence.trim())
}

/** Statements of a draft that occur in no source, such as a date or a price: a person should check them. */
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
