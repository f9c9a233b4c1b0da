'use client'

import { Field } from '#components/ui/controls/field'
import { ActingButton } from '#components/ui/controls/lock'
import { Textarea } from '#components/ui/controls/textarea'
import { Callout } from '#components/ui/feedback/callout'
import { StatusPill } from '#components/ui/feedback/status-pill'
import { Panel } from '#components/ui/layout/panel'
import { Table, Td, Th, Tr } from '#components/ui/layout/table'
import { type Ask, type Asked, useAsked } from '#components/ui/use-asked'
import type { OrganizationRows } from '#lib/contracts/senders/mail-organizations'

export type RowsAnswer = Asked<OrganizationRows>
type Props = { most: number; connect: Ask<OrganizationRows> }

/** Connects addresses, one per line, and shows the result of each. */
export function OrganizationMailboxes({ most, connect }: Props) {
  const { asked, lost, native, onSubmit, isPending } = useAsked(connect)
  return (
    <>
      <Panel
        className="max-w-2xl"
        title="Connect mailboxes"
        description="Each is checked with the provider before it is connected. Nothing is sent."
      >
        <form action={native} onSubmit={onSubmit} className="grid gap-4">
          <Field
            label="Addresses"
            name="mailboxes"
            hint={`One per line, up to ${most}. With a name: Ana Silva <ana@company.com>`}
          >
            <Textarea
              rows={5}
              spellCheck={false}
              autoComplete="off"
              placeholder={'ana@company.com\nBo Chen <bo@company.com>'}
            />
          </Field>
          <div>
            <ActingButton type="submit" variant="primary" aria-busy={isPending}>
              {isPending ? 'Opening each mailbox …' : 'Connect mailboxes'}
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
    </>
  )
}

const OUTCOMES = {
  connected: { tone: 'success', mark: 'check', label: 'Connected' },
  already: { tone: 'neutral', mark: 'hollow', label: 'Already connected' },
  refused: { tone: 'danger', mark: 'cross', label: 'Not connected' },
} as const

function Report({ answer: { connected, already, refused, rows } }: { answer: OrganizationRows }) {
  return (
    <Panel flush title={`${connected} connected, ${already} already connected, ${refused} not connected`}>
      <Table caption="Result of each address">
        <thead>
          <tr>
            <Th>Address</Th>
            <Th>Outcome</Th>
            <Th className="w-1/2">What to do</Th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Tr key={row.address}>
              <Td lead className="wrap-anywhere">
                {row.mailbox_id ? (
                  <a className="hover:underline" href={`/mailboxes/${row.mailbox_id}`}>
                    {row.address}
                  </a>
                ) : (
                  row.address
                )}
              </Td>
              <Td label="Outcome">
                <StatusPill {...OUTCOMES[row.outcome]} />
              </Td>
              <Td label="What to do" className="text-muted wrap-anywhere">
                {row.remedy ?? (row.outcome === 'already' ? 'It was not changed.' : '–')}
                {row.said && <span className="mt-1 block text-xs">The provider said: {row.said}</span>}
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
    </Panel>
  )
}
