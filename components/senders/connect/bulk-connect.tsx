'use client'

import type { ReactNode } from 'react'
import { FileDrop } from '#components/ui/controls/file-drop'
import { ActingButton } from '#components/ui/controls/lock'
import { Callout } from '#components/ui/feedback/callout'
import { StatusPill } from '#components/ui/feedback/status-pill'
import { Panel } from '#components/ui/layout/panel'
import { Table, Td, Th, Tr } from '#components/ui/layout/table'
import { type Ask, type Asked, useAsked } from '#components/ui/use-asked'
import type { ConnectedRows } from '#lib/contracts/senders/mailboxes'

export type BulkAnswer = Asked<ConnectedRows>
type Props = {
  connect: Ask<ConnectedRows>
  /** Instructions about the file. */
  children: ReactNode
}

/** Connects mailboxes from a file with one row each, and shows the result per row. */
export function BulkConnect({ connect, children }: Props) {
  const { asked, lost, native, onSubmit, isPending } = useAsked(connect)
  return (
    <div className="grid gap-4">
      <Panel className="max-w-2xl">
        <form action={native} onSubmit={onSubmit} className="grid gap-4">
          <FileDrop
            name="file"
            label="Choose a CSV file"
            hint="One row per mailbox, up to 50. The first row names the columns."
            accept=".csv,.tsv,.txt,text/csv"
          />
          {children}
          <div>
            <ActingButton type="submit" variant="primary" aria-busy={isPending}>
              {isPending ? 'Connecting and testing …' : 'Connect mailboxes'}
            </ActingButton>
          </div>
        </form>
      </Panel>
      <div aria-live="polite" className="grid gap-4 empty:hidden">
        {lost && <Callout tone="danger">{lost}</Callout>}
        {asked && 'problem' in asked && (
          <Callout tone="danger" title="Nothing was connected">
            {asked.problem}
          </Callout>
        )}
        {asked && 'answer' in asked && <Report answer={asked.answer} />}
      </div>
    </div>
  )
}

const OUTCOMES = {
  connected: { tone: 'success', mark: 'check', label: 'Connected' },
  untested: { tone: 'warning', mark: 'half', label: 'Connected, not tested' },
  failing: { tone: 'danger', mark: 'cross', label: 'Test failed' },
  refused: { tone: 'danger', mark: 'cross', label: 'Not connected' },
} as const

function Report({ answer }: { answer: ConnectedRows }) {
  const { connected, failing, refused, ignored_columns, rows } = answer
  return (
    <Panel
      flush
      title={`${connected} connected, ${failing} failed their test, ${refused} not connected`}
      {...(ignored_columns.length > 0 && { description: `Columns not used: ${ignored_columns.join(', ')}` })}
    >
      <Table caption="Result of each row">
        <thead>
          <tr>
            <Th numeric>Row</Th>
            <Th>Address</Th>
            <Th>Outcome</Th>
            <Th className="w-1/2">Why</Th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Tr key={row.row_number}>
              <Td label="Row" numeric>
                {row.row_number}
              </Td>
              <Td lead className="wrap-anywhere">
                {row.mailbox_id ? (
                  <a className="hover:underline" href={`/mailboxes/${row.mailbox_id}`}>
                    {row.address}
                  </a>
                ) : (
                  (row.address ?? '–')
                )}
              </Td>
              <Td label="Outcome">
                <StatusPill {...OUTCOMES[row.outcome]} />
              </Td>
              <Td label="Why" className="text-muted wrap-anywhere">
                {row.error ?? '–'}
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
    </Panel>
  )
}
