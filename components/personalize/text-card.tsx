import { Badge } from '#components/ui/feedback/badge'
import type { Generation } from '#lib/contracts/personalize/generations'
import { ClaimedText } from './claimed-text.tsx'

type Shown = Pick<
  Generation,
  'lead_snapshot' | 'status' | 'subject' | 'body' | 'error' | 'claims' | 'flags' | 'model'
>

/** The text of one lead, its writer if not the `usual` one, and its flags. */
export function TextCard({ text, usual }: { text: Shown; usual?: string }) {
  if (text.status === 'failed' || !text.body)
    return <p className="text-sm text-danger">{text.error ?? 'Not written yet.'}</p>
  return (
    <div className="grid gap-3">
      {text.subject && <p className="text-sm font-medium wrap-anywhere">{text.subject}</p>}
      <ClaimedText text={text.body} claims={text.claims} />
      {text.flags.length > 0 && (
        <ul className="grid gap-1 text-sm text-warning" aria-label="Check this">
          {text.flags.map((flag) => (
            <li key={flag.code + flag.message}>{flag.message}</li>
          ))}
        </ul>
      )}
      {text.model !== usual && (
        <p className="flex flex-wrap gap-2 text-xs text-muted">
          <Badge>{text.model ?? 'Written manually'}</Badge>
        </p>
      )}
    </div>
  )
}

type Cells = { cells: Generation['lead_snapshot']; columns: readonly string[]; claims: Generation['claims'] }

/** The row's cells at the time of writing, in table order; columns that no longer exist come last. */
export function LeadCells({ cells, columns, claims }: Cells) {
  const used = new Set(claims.map(({ cell }) => cell))
  const place = (key: string) => (columns.includes(key) ? columns.indexOf(key) : columns.length)
  const known = Object.entries(cells)
    .filter(([, value]) => value !== null && value !== '')
    .toSorted(([one], [other]) => place(one) - place(other))
  return (
    // On a phone the text comes first and its sources below it.
    <dl className="grid content-start gap-1 text-sm max-md:order-last max-md:border-t max-md:border-border max-md:pt-3">
      {known.map(([key, value]) => (
        <div key={key} className="grid grid-cols-[7rem_minmax(0,1fr)] gap-2">
          <dt className="wrap-anywhere text-muted">{key}</dt>
          <dd className="wrap-anywhere">
            <span className={used.has(key) ? 'rounded-xs bg-accent-subtle' : undefined}>{String(value)}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}
