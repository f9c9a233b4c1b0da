import { PlacementBadge, VerdictWord } from '#components/domains/authentication-words'
import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { Checkbox } from '#components/ui/controls/checkbox'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Badge } from '#components/ui/feedback/badge'
import { Panel } from '#components/ui/layout/panel'
import { Table, Td, Th, Tr } from '#components/ui/layout/table'
import { RelativeTime } from '#components/ui/relative-time'
import type { PlacementTest } from '#lib/contracts/senders/placement-tests'
import { PROVIDER_NAMES } from '#lib/domain/domains/recipient-provider'

type Seed = { mailbox_id: string; address: string }
type Props = { tests: PlacementTest[]; seeds: Seed[]; start: FormAction; now: string }

/**
 * In which folders test emails of a mailbox arrive at the workspace's other mailboxes, and the receivers'
 * results.
 */
export function PlacementTests({ tests, seeds, start, now }: Props) {
  return (
    <Panel
      title="Inbox placement"
      description="Sends a test email to other mailboxes of this workspace. You see which folder it landed in, and whether SPF, DKIM and DMARC passed."
      flush
    >
      {tests.length > 0 && <TestTable tests={tests} now={now} />}
      {seeds.length === 0 ? (
        <p className="p-4 text-sm text-muted">
          Connect another mailbox at Google, Microsoft or elsewhere to send a test to it.
        </p>
      ) : (
        <ActionForm action={start} className="grid gap-3 p-4">
          <fieldset className="grid gap-2">
            <legend className="mb-2 font-medium text-sm">Send a test to</legend>
            <div className="grid gap-x-6 gap-y-2 sm:grid-cols-2 lg:grid-cols-3">
              {seeds.map(({ mailbox_id, address }, index) => (
                <Checkbox
                  key={mailbox_id}
                  name="seed_mailbox_ids"
                  value={mailbox_id}
                  label={address}
                  defaultChecked={index < 3}
                />
              ))}
            </div>
          </fieldset>
          <div>
            <SubmitButton variant="secondary">Send the test</SubmitButton>
          </div>
        </ActionForm>
      )}
    </Panel>
  )
}

function TestTable({ tests, now }: Pick<Props, 'tests' | 'now'>) {
  return (
    <Table caption="Inbox placement tests">
      <thead>
        <tr>
          <Th>To</Th>
          <Th>Provider</Th>
          <Th>Arrived in</Th>
          <Th>SPF</Th>
          <Th>DKIM</Th>
          <Th>DMARC</Th>
          <Th>Sent</Th>
        </tr>
      </thead>
      <tbody>
        {tests.map((test) => (
          <Tr key={test.placement_test_id}>
            <Td lead>{test.seed_address}</Td>
            <Td label="Provider">{PROVIDER_NAMES[test.provider]}</Td>
            <Td label="Arrived in">
              <Outcome {...test} />
            </Td>
            <Verdicts {...test} />
            <Td label="Sent">
              <RelativeTime at={test.sent_at} now={now} />
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  )
}

function Outcome({ state, placement, error }: Pick<PlacementTest, 'state' | 'placement' | 'error'>) {
  if (placement) return <PlacementBadge placement={placement} />
  if (state === 'waiting') return <span className="text-muted">On its way</span>
  if (state === 'missing') return <Badge tone="danger">Not arrived</Badge>
  return <span className="wrap-anywhere text-danger">Not sent: {error}</span>
}

function Verdicts({ authentication }: Pick<PlacementTest, 'authentication'>) {
  const dkim = authentication?.dkim.find(({ result }) => result === 'pass') ?? authentication?.dkim[0] ?? null
  return (
    <>
      <Td label="SPF">
        <VerdictWord result={authentication?.spf?.result ?? null} />
      </Td>
      <Td label="DKIM">
        <VerdictWord result={dkim?.result ?? null} />
      </Td>
      <Td label="DMARC">
        <VerdictWord result={authentication?.dmarc?.result ?? null} />
      </Td>
    </>
  )
}
