import { Table, Td, Th, Tr } from '#components/ui/layout/table'
import type { ConnectedAccount } from '#lib/contracts/senders/connected-accounts'
import { ACTION_LABELS } from '../labels.tsx'

type Caps = ConnectedAccount['limits']['caps']

export const ofCap = (count: number, cap: number | null) =>
  cap === null ? count.toLocaleString('en') : `${count.toLocaleString('en')} of ${cap.toLocaleString('en')}`

/** The use of each cap and what is left; kinds of action that the account does not support are omitted. */
export function CapTable({ caps, name }: { caps: Caps; name: string }) {
  return (
    <Table caption={`Caps of ${name}`} narrow="scroll">
      <thead>
        <tr>
          <Th>Action</Th>
          <Th numeric>Today</Th>
          <Th numeric className="max-sm:hidden">
            Seven days
          </Th>
          <Th numeric>Left today</Th>
        </tr>
      </thead>
      <tbody>
        {caps
          .filter((cap) => cap.day !== 0)
          .map((cap) => (
            <Tr key={cap.action_type}>
              <Td>
                {ACTION_LABELS[cap.action_type]}
                {!cap.is_default && <span className="text-muted"> (yours)</span>}
                {/* On a phone the weekly cap is below the action, since four columns would not fit. */}
                <span className="block text-xs text-muted sm:hidden">
                  {ofCap(cap.used_this_week, cap.week)} in 7 days
                </span>
              </Td>
              <Td numeric className="whitespace-nowrap">
                {ofCap(cap.used_today, cap.day)}
              </Td>
              <Td numeric className="whitespace-nowrap max-sm:hidden">
                {ofCap(cap.used_this_week, cap.week)}
              </Td>
              <Td numeric className="whitespace-nowrap">
                {cap.left_today === null ? 'no cap' : cap.left_today.toLocaleString('en')}
              </Td>
            </Tr>
          ))}
      </tbody>
    </Table>
  )
}
