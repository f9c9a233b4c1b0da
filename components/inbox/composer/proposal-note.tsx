import { TriangleAlert } from 'lucide-react'

export type Proposal = {
  written_by: string
  claims: { text: string; cell: string }[]
  flags: { message: string }[]
}

const PLACES: Record<string, string> = { conversation: 'their message', 'sender.name': 'your name' }

/** Who proposed the text, the sources of its facts, and claims without a source. */
export function ProposalNote({ proposal: { written_by, claims, flags } }: { proposal: Proposal }) {
  return (
    <>
      Drafted by {written_by}. Nothing is sent until you send it.
      {claims.length > 0 && (
        <span className="mt-1 block">
          Sources:{' '}
          {claims.map(({ text, cell }, index) => (
            <span key={cell + text} className="wrap-anywhere">
              {index > 0 && ', '}“{text}” from{' '}
              {PLACES[cell] ?? <code className="font-mono text-xs">{cell}</code>}
            </span>
          ))}
        </span>
      )}
      {flags.map(({ message }) => (
        <span key={message} className="mt-1 flex items-start gap-1.5 text-warning">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" /> {message}
        </span>
      ))}
    </>
  )
}
