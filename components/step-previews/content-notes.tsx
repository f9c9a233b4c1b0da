import { Info, TriangleAlert } from 'lucide-react'

export type ContentNote = { code: string; severity: 'warns' | 'informs'; message: string; words: string[] }

const SIGNS = {
  warns: { icon: TriangleAlert, ink: 'text-warning', label: 'Warning' },
  informs: { icon: Info, ink: 'text-info', label: 'Note' },
}

/** What spam filters may object to in this email, with the words concerned. */
export function ContentNotes({ notes }: { notes: ContentNote[] }) {
  return (
    <section aria-label="Content check" className="grid gap-2 border-t border-border pt-3">
      <h3 className="text-xs font-medium text-muted">Content check</h3>
      <ul className="grid gap-2">
        {notes.map(({ code, severity, message, words }) => {
          const { icon: Icon, ink, label } = SIGNS[severity]
          return (
            <li key={code} className="flex items-start gap-2">
              <Icon role="img" aria-label={label} className={`mt-0.5 size-4 shrink-0 ${ink}`} />
              <div className="min-w-0">
                <p>{message}</p>
                {words.length > 0 && <p className="text-muted wrap-anywhere">{words.join(', ')}</p>}
              </div>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
