'use client'

import { Download } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { buttonClass } from '#components/ui/controls/button'
import { Stat, StatRow } from '#components/ui/feedback/stat'
import { Panel } from '#components/ui/layout/panel'
import type { ImportCheck as Check, CheckedReject } from '#lib/contracts/datasets/uploads'
import { csvLine } from '#lib/domain/text/csv'

/** How to fix the problem in the file. */
const REPAIRS: Record<string, string> = {
  missing_email: 'Fill in the address',
  invalid_email: 'Correct the address',
  duplicate_email: 'Nothing to do: the first row with the address is kept',
  too_long: 'Shorten the cell',
}

/** The counts before anything is written, with refused rows grouped by how to fix them. */
export function ImportCheck({ check, filename }: { check: Check; filename: string }) {
  const refused = check.refused.reduce((sum, group) => sum + group.count, 0)
  const section = useRef<HTMLElement>(null)
  // The button that was pressed is gone, and a sheet with many columns would keep this section below the window.
  // The effect must return nothing: browsers may return a promise from these calls, which React would take for a clean-up function.
  useEffect(() => {
    section.current?.focus({ preventScroll: true })
    section.current?.scrollIntoView({ block: 'start' })
  }, [])
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-label="Check"
      className="grid scroll-my-20 grid-cols-[minmax(0,1fr)] gap-4 focus-visible:outline-none"
    >
      <p role="status" className="font-medium">
        {n(check.kept + refused)} rows: {n(check.kept)} kept, {n(refused)} refused. Nothing is saved yet.
      </p>
      <CheckFigures check={check} refused={refused} />
      {check.suppressed.count > 0 && (
        <p className="text-sm text-muted">
          Suppressed rows are kept as leads, but no campaign contacts them.
        </p>
      )}
      {refused > 0 && (
        <Panel
          title="Refused rows, by fix"
          flush
          action={
            <a
              className={buttonClass({ size: 'sm' })}
              download={`${filename.replace(/\.[^.]+$/, '')} refused.csv`}
              href={`data:text/csv;charset=utf-8,${encodeURIComponent(toCsv(check.rejects))}`}
            >
              <Download aria-hidden /> Download
            </a>
          }
        >
          <ul>
            {check.refused.map((group) => (
              <li key={group.code} className="border-b border-border px-4 py-3 text-sm last:border-0">
                <p className="flex justify-between gap-4 font-medium">
                  <span>{REPAIRS[group.code] ?? group.code.replaceAll('_', ' ')}</span>
                  <span>{n(group.count)}</span>
                </p>
                <Reasons rejects={group.samples} />
                <Further group={group} rejects={check.rejects} />
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </section>
  )
}

function Reasons({ rejects }: { rejects: CheckedReject[] }) {
  return (
    <ul className="mt-1 text-muted">
      {rejects.map((reject) => (
        <li key={reject.row_number} className="wrap-anywhere">
          {reject.cell ?? `Row ${reject.row_number}`}
          {reject.email && `, ${reject.email}`}: {reject.reason}{' '}
          {reject.value && <code className="font-mono text-xs">{reject.value}</code>}
        </li>
      ))}
    </ul>
  )
}

/** The remaining rows of a group with place and reason; a download has all of them if there are many. */
function Further({ group, rejects }: { group: Check['refused'][number]; rejects: CheckedReject[] }) {
  const shown = group.samples.length
  if (group.count <= shown) return null
  const others = rejects.filter(({ code }) => code === group.code).slice(shown, MOST_LISTED)
  const left = group.count - shown - others.length
  return (
    <details className="mt-1 text-muted">
      <summary className="inline-flex min-h-6 items-center rounded-xs underline decoration-border underline-offset-4 hover:text-text">
        and {(group.count - shown).toLocaleString('en')} more
      </summary>
      <Reasons rejects={others} />
      {left > 0 && <p className="mt-1">{left.toLocaleString('en')} more are not listed here.</p>}
    </details>
  )
}

const MOST_LISTED = 200

/** With a byte order mark, so that spreadsheet programs read the file as UTF-8. */
const toCsv = (rejects: CheckedReject[]) =>
  `\uFEFF${[
    csvLine(['row', 'cell', 'column', 'value', 'reason', 'email']),
    ...rejects.map(({ row_number, cell, column_name, value, reason, email }) =>
      csvLine([row_number, cell, column_name, value, reason, email]),
    ),
  ].join('')}`

const n = (count: number) => count.toLocaleString('en')

function CheckFigures({ check, refused }: { check: Check; refused: number }) {
  const repeated = check.refused.find(({ code }) => code === 'duplicate_email')?.count ?? 0
  return (
    <StatRow>
      <Stat label="Created" value={n(check.kept)} detail="new leads in a new dataset" />
      <Stat label="Updated" value="0" detail="existing datasets are not changed" />
      <Stat
        label="Refused"
        value={n(refused)}
        detail={repeated > 0 ? `${n(repeated)} of them repeat a row` : 'each with its reason'}
      />
      <Stat
        label="Suppressed"
        value={n(check.suppressed.count)}
        detail={check.suppressed.samples.join(', ') || 'of the rows kept'}
      />
      <Stat
        label="In other datasets too"
        value={check.known ? n(check.known.count) : '–'}
        detail={check.known ? check.known.samples.join(', ') || 'of the rows kept' : 'too many to compare'}
      />
    </StatRow>
  )
}
