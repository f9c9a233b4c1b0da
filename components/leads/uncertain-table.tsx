import { ActionButton } from '#components/ui/controls/action-button'
import type { FormResult } from '#components/ui/controls/action-form'
import { Pagination } from '#components/ui/layout/pagination'
import { Panel } from '#components/ui/layout/panel'
import { Table, Td, Th, Tr } from '#components/ui/layout/table'
import type { Query } from '#components/ui/query-href'
import { ZonedTime } from '#components/ui/zoned-time'
import type { UncertainAction } from '#lib/contracts/leads/uncertain-actions'

export type Resolve = (action_id: string, resolution: 'sent' | 'not_sent') => Promise<FormResult>

type Props = {
  path: string
  query: Query
  actions: UncertainAction[]
  total: number
  page: number
  page_size: number
  timezone: string
  resolve: Resolve
}

/**
 * Uncertain sends with what is known about each. Only their owner, who can look into the Sent folder, can say
 * what happened.
 */
export function UncertainTable({ path, query, actions, timezone, resolve, ...list }: Props) {
  return (
    <Panel title="Uncertain sends" flush>
      <Table caption="Uncertain sends">
        <thead>
          <tr>
            <Th>Lead</Th>
            <Th>Message</Th>
            <Th>Attempted</Th>
            <Th>What is known</Th>
            <Th>
              <span className="sr-only">Outcome</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {actions.map((action) => (
            <Tr key={action.action_id}>
              <Td lead>{action.email ?? `Row ${action.lead_index + 1}`}</Td>
              <Td label="Message">
                <div>
                  <p>
                    Step {action.step}
                    {action.subject && `: ${action.subject}`}
                  </p>
                  {action.message_id && (
                    <code className="font-mono text-xs wrap-anywhere text-muted">{action.message_id}</code>
                  )}
                </div>
              </Td>
              <Td label="Attempted">
                <ZonedTime at={action.offered_at} zone={timezone} />
              </Td>
              <Td label="Known">
                <span className="wrap-anywhere">{action.response ?? 'Nothing more.'}</span>
              </Td>
              <Td className="w-px">
                <Answers action={action} resolve={resolve} />
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
      <Pagination path={path} query={query} {...list} noun="sends" />
    </Panel>
  )
}

function Answers({ action, resolve }: { action: UncertainAction; resolve: Resolve }) {
  const to = action.email ?? `row ${action.lead_index + 1}`
  return (
    <span className="flex flex-wrap justify-end gap-1.5 sm:flex-nowrap">
      <ActionButton size="sm" act={resolve.bind(null, action.action_id, 'sent')}>
        It was sent
      </ActionButton>
      <ActionButton
        size="sm"
        act={resolve.bind(null, action.action_id, 'not_sent')}
        confirm={{
          title: action.may_send_again
            ? `Send step ${action.step} to ${to} again?`
            : `Mark the send to ${to} as failed?`,
          description: action.may_send_again
            ? 'If it did arrive, the lead gets it twice. Check the Sent folder first.'
            : (action.why_not ?? undefined),
          label: action.may_send_again ? 'Send it again' : 'Mark as failed',
          danger: action.may_send_again,
        }}
      >
        It was not
      </ActionButton>
    </span>
  )
}
