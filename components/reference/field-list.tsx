import { Panel } from '#components/ui/layout/panel'
import { Markdown } from '#components/ui/markdown'
import type { FieldRow } from '#lib/contracts/reference'

/** Fields with types and limits; nested fields are indented. */
export function FieldList({ title, rows }: { title: string; rows: FieldRow[] }) {
  if (rows.length === 0) return null
  // Two alternatives of a union may have fields with the same name, so the key includes the position.
  const placed = rows.map((row, place) => ({ ...row, key: `${row.path} ${place}` }))
  return (
    <Panel title={title} flush>
      <ul>
        {placed.map((row) => (
          <li
            key={row.key}
            className="border-b border-border py-2 pr-4 last:border-0"
            style={{ paddingLeft: `calc(1rem + ${row.depth} * 1.25rem)` }}
          >
            <p className="flex flex-wrap items-baseline gap-x-2 text-sm">
              <code className="font-mono font-medium wrap-anywhere">{row.name}</code>
              <span className="text-xs text-muted">{row.type}</span>
              {row.is_required && <span className="text-xs text-warning">required</span>}
            </p>
            {row.limits.length > 0 && (
              <p className="text-xs text-muted wrap-anywhere">{row.limits.join(' · ')}</p>
            )}
            {row.description && (
              <div className="mt-0.5 text-sm wrap-anywhere">
                <Markdown text={row.description} />
              </div>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  )
}
