import { Badge, type Tone } from './badge.tsx'

export type StatusMark = 'hollow' | 'half' | 'full' | 'pulse' | 'pause' | 'cross' | 'check'

/** Word, shape and colour carry the same information, so any of them may be missing. */
export function StatusPill({ tone, mark, label }: { tone: Tone; mark: StatusMark; label: string }) {
  return (
    <Badge tone={tone}>
      <Mark mark={mark} />
      {label}
    </Badge>
  )
}

function Mark({ mark }: { mark: StatusMark }) {
  const line = { fill: 'none', stroke: 'currentColor', strokeWidth: 1.75, strokeLinecap: 'round' as const }
  return (
    <svg viewBox="0 0 12 12" aria-hidden="true">
      {mark === 'hollow' && <circle cx="6" cy="6" r="3.5" {...line} strokeDasharray="2 2" />}
      {mark === 'half' && <path d="M6 2.5a3.5 3.5 0 0 1 0 7z" fill="currentColor" />}
      {(mark === 'half' || mark === 'pulse') && (
        <circle cx="6" cy="6" r="3.75" {...line} strokeWidth={1.25} />
      )}
      {mark === 'full' && <circle cx="6" cy="6" r="3.5" fill="currentColor" />}
      {mark === 'pulse' && (
        <circle cx="6" cy="6" r="1.9" fill="currentColor" className="animate-pulse-soft" />
      )}
      {mark === 'pause' && <path d="M4.25 3v6M7.75 3v6" {...line} />}
      {mark === 'cross' && <path d="M3.5 3.5l5 5M8.5 3.5l-5 5" {...line} />}
      {mark === 'check' && <path d="M2.5 6.5l2.5 2.5 4.5-5.5" {...line} />}
    </svg>
  )
}
