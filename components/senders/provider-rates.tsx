import { ActionButton } from '#components/ui/controls/action-button'
import { Badge } from '#components/ui/feedback/badge'
import { Panel } from '#components/ui/layout/panel'
import { Table, Td, Th, Tr } from '#components/ui/layout/table'
import { ZonedTime } from '#components/ui/zoned-time'
import type { MailboxHealth } from '#lib/contracts/senders/mailbox-health'
import {
  PROVIDER_NAMES,
  providerInWords,
  type RecipientProvider,
} from '#lib/domain/domains/recipient-provider'
import type { Act } from '../ui/use-action.tsx'

const CAUSES = { bounces: 'Bounces', deferrals: 'Deferrals', complaints: 'Complaints' }

type Props = Pick<MailboxHealth, 'providers' | 'timezone'> & {
  resume: (provider: RecipientProvider) => Act
}

/** Results by recipient provider, and current pauses. */
export function ProviderRates({ providers, timezone, resume }: Props) {
  return (
    <Panel title="By recipients’ provider, 30 days" flush>
      <Table caption="By recipients’ provider, 30 days">
        <thead>
          <tr>
            <Th>Provider</Th>
            <Th numeric>Sent</Th>
            <Th numeric>Replied</Th>
            <Th numeric>Bounced</Th>
            <Th numeric>Deferred</Th>
            <Th numeric>Complaints</Th>
            <Th>Sending</Th>
          </tr>
        </thead>
        <tbody>
          {providers.map(({ provider, sent, replied, bounced, deferred, complained, pause }) => (
            <Tr key={provider}>
              <Td lead>{PROVIDER_NAMES[provider]}</Td>
              <Td label="Sent" numeric>
                {sent.toLocaleString('en')}
              </Td>
              <Td label="Replied" numeric>
                {share(replied, sent)}
              </Td>
              <Td label="Bounced" numeric>
                {share(bounced, Math.max(sent, bounced))}
              </Td>
              <Td label="Deferred" numeric>
                {share(deferred, sent + deferred)}
              </Td>
              <Td label="Complaints" numeric>
                {share(complained, sent)}
              </Td>
              <Td label="Sending">
                {pause ? (
                  <span className="flex flex-wrap items-center gap-2">
                    <Badge tone="warning">Paused</Badge>
                    <span className="text-muted">
                      {CAUSES[pause.cause]}, until <ZonedTime at={pause.until} zone={timezone} />
                    </span>
                    <ActionButton
                      size="sm"
                      act={resume(provider)}
                      confirm={{
                        title: `Resume sending to ${providerInWords(provider)}?`,
                        description:
                          'Waiting leads are contacted immediately. If the provider still refuses, this mailbox’s reputation there suffers.',
                        label: 'Resume',
                      }}
                    >
                      Resume
                    </ActionButton>
                  </span>
                ) : (
                  'On'
                )}
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
    </Panel>
  )
}

const share = (part: number, whole: number) =>
  part === 0 ? '0' : `${part.toLocaleString('en')} (${((100 * part) / Math.max(1, whole)).toFixed(1)} %)`
