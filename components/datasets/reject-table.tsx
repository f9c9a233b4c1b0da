'use client'

import { useState, useTransition } from 'react'
import { SortTh } from '#components/lists/sort-th'
import { Input } from '#components/ui/controls/input'
import { ActingButton, useLock } from '#components/ui/controls/lock'
import { Callout } from '#components/ui/feedback/callout'
import { Pagination } from '#components/ui/layout/pagination'
import { Panel } from '#components/ui/layout/panel'
import { Table, Td, Th, Tr } from '#components/ui/layout/table'
import { ExportMenu } from '#components/ui/overlays/export-menu'
import { toast } from '#components/ui/overlays/toast'
import type { Query } from '#components/ui/query-href'
import type { Output } from '#lib/contracts/contract'
import type { ListDatasetRejects } from '#lib/contracts/datasets/datasets'
import { type AddRowsAnswer, countText } from './rows/added-rows.tsx'

type Rejects = Output<typeof ListDatasetRejects>
type Reject = Rejects['items'][number]
export type FixedRow = { row_number: number; data: Record<string, string> }
export type ImportFixed = (rows: FixedRow[]) => Promise<AddRowsAnswer>

type Props = { path: string; query: Query; rejects: Rejects; importFixed: ImportFixed }

/** Corrections of faulty cells, and why some were refused again; both by row. */
function useFixes(rejects: Reject[], importFixed: ImportFixed) {
  const [typed, setTyped] = useState<Record<number, string>>({})
  const [problems, setProblems] = useState<Record<number, string>>({})
  const [failure, setFailure] = useState<string | null>(null)
  const [isPending, start] = useTransition()
  const fixed = rejects.flatMap(({ row_number, column_name, value }): FixedRow[] => {
    const cell = typed[row_number]?.trim()
    return cell && cell !== value && column_name ? [{ row_number, data: { [column_name]: cell } }] : []
  })
  function type(row: number, cell: string) {
    setTyped((before) => ({ ...before, [row]: cell }))
    setProblems(({ [row]: _, ...others }) => others)
  }
  const submit = () =>
    start(async () => {
      const result = await importFixed(fixed).catch(
        () => ({ ok: false, message: 'The server could not be reached.' }) as const,
      )
      setFailure(result.ok ? null : result.message)
      if (!result.ok) return
      const { added, skipped } = result.answer
      setProblems(
        Object.fromEntries(skipped.map(({ index, message }) => [fixed[index]?.row_number, message])),
      )
      if (added > 0) toast.success(`${countText(added, 'rows')} imported.`)
    })
  return { typed, problems, failure, fixed, isPending, type, submit }
}

/**
 * Row and cell as named by spreadsheet programs. A faulty cell can be fixed in place and its row imported.
 */
export function RejectTable({ path, query, rejects, importFixed }: Props) {
  const fixes = useFixes(rejects.items, importFixed)
  const { failure, fixed, isPending, submit } = fixes
  return (
    <Panel
      title="Refused rows"
      description="Correct the value and import the row."
      flush
      action={
        <>
          <ExportMenu path={`${path}/export`} label="Export refused rows" />
          <ActingButton
            variant="primary"
            disabled={fixed.length === 0}
            aria-busy={isPending}
            onClick={submit}
          >
            {fixed.length === 0 ? 'Import fixed rows' : `Import ${countText(fixed.length, 'rows')}`}
          </ActingButton>
        </>
      }
    >
      {failure && (
        <div className="p-4">
          <Callout tone="danger" role="alert">
            {failure}
          </Callout>
        </div>
      )}
      <Table caption="Refused rows">
        <thead>
          <tr>
            <SortTh {...{ path, query }} column="row_number">
              Cell
            </SortTh>
            <Th>Row</Th>
            <SortTh {...{ path, query }} column="column_name">
              Column
            </SortTh>
            <SortTh {...{ path, query }} column="value" className="w-1/4">
              Value
            </SortTh>
            <SortTh {...{ path, query }} column="code" className="w-1/3">
              Why it was refused
            </SortTh>
          </tr>
        </thead>
        <tbody>
          {rejects.items.map((reject) => (
            <RejectRow key={`${reject.row_number}-${reject.code}`} reject={reject} fixes={fixes} />
          ))}
        </tbody>
      </Table>
      <Pagination
        path={path}
        query={query}
        page={rejects.page}
        page_size={rejects.page_size}
        total={rejects.total}
        noun="rows"
      />
    </Panel>
  )
}

function RejectRow({ reject, fixes }: { reject: Reject; fixes: ReturnType<typeof useFixes> }) {
  const { typed, problems, fixed, isPending, type, submit } = fixes
  const isLocked = useLock() !== null
  const { row_number, column_name, value, reason } = reject
  return (
    <Tr>
      <Td lead>{reject.cell ?? `Row ${row_number}`}</Td>
      <Td label="Row" className="text-muted">
        {rowWords(reject)}
      </Td>
      <Td label="Column">{column_name ?? '–'}</Td>
      <Td label="Value">
        {reject.data && column_name && !isLocked ? (
          <Input
            aria-label={`${column_name} of row ${row_number}`}
            aria-invalid={problems[row_number] ? true : undefined}
            className="min-w-44"
            maxLength={4_000}
            value={typed[row_number] ?? value ?? ''}
            onChange={(event) => type(row_number, event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && fixed.length > 0 && !isPending) submit()
            }}
          />
        ) : (
          <Shown value={value} />
        )}
      </Td>
      <Td label="Why">
        <Why reason={reason} problem={problems[row_number]} />
      </Td>
    </Tr>
  )
}

const Shown = ({ value }: { value: string | null }) =>
  value ? (
    <code className="font-mono text-xs wrap-anywhere">{value}</code>
  ) : (
    <span className="text-muted">empty</span>
  )

/** Announced to screen readers when a row is refused again. */
const Why = ({ reason, problem }: { reason: string; problem: string | undefined }) => (
  <span role="status" className={problem ? 'text-danger' : undefined}>
    {problem ?? reason}
  </span>
)

const MOST_WORDS = 3

/** Identifies the row by its other cells. */
function rowWords({ data }: Reject): string {
  if (!data) return '–'
  const { first_name, last_name, full_name, company, email } = data
  const name = full_name ?? [first_name, last_name].filter(Boolean).join(' ')
  const known = [name, company, email].filter(Boolean)
  return (known.length > 0 ? known : Object.values(data).slice(0, MOST_WORDS)).join(' · ') || '–'
}
