import type { Generation } from '#lib/contracts/personalize/generations'

/** A text with each fact marked and its source cell beside it. */
export function ClaimedText({ text, claims }: { text: string; claims: Generation['claims'] }) {
  return (
    <p className="text-sm leading-6 whitespace-pre-wrap wrap-anywhere">
      {pieces(text, claims).map(({ at, words, cell }) =>
        cell ? (
          <mark key={at} title={`From the cell ${cell}`} className="rounded-xs bg-accent-subtle text-text">
            {words}
            <span className="mx-1 rounded-xs border border-accent-border px-1 font-mono text-2xs text-accent-text">
              {cell}
            </span>
          </mark>
        ) : (
          <span key={at}>{words}</span>
        ),
      )}
    </p>
  )
}

type Piece = { at: number; words: string; cell: string | null }

function pieces(text: string, claims: Generation['claims']): Piece[] {
  const placed = claims
    .flatMap(({ text: words, cell }) => {
      const at = words ? text.indexOf(words) : -1
      return at < 0 ? [] : [{ at, words, cell }]
    })
    .toSorted((a, b) => a.at - b.at || b.words.length - a.words.length)
  const made: Piece[] = []
  let end = 0
  for (const piece of placed) {
    if (piece.at < end) continue
    if (piece.at > end) made.push({ at: end, words: text.slice(end, piece.at), cell: null })
    made.push(piece)
    end = piece.at + piece.words.length
  }
  if (end < text.length) made.push({ at: end, words: text.slice(end), cell: null })
  return made
}
