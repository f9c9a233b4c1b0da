import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { FileDrop } from '#components/ui/controls/file-drop'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { counted } from '#components/ui/counted'
import { Disclosure } from '#components/ui/layout/disclosure'
import { Panel } from '#components/ui/layout/panel'
import { Table, Td, Th, Tr } from '#components/ui/layout/table'
import { PlotBar } from '#components/ui/plots/plot-bar'
import type { DmarcSummary } from '#lib/contracts/domains/dmarc-reports'
import { shortDay } from '../ui/plots/short-day.ts'

type Props = { summary: DmarcSummary; add: FormAction }

const figure = (count: number) => count.toLocaleString('en')
const share = (part: number, whole: number) =>
  whole === 0 ? '0' : `${figure(part)} (${((100 * part) / whole).toFixed(part === whole ? 0 : 1)} %)`

/** What receivers reported about mail sent in the domain's name, by its owner and by others. */
export function DmarcReports({ summary, add }: Props) {
  const { reports, total, days, sources } = summary
  return (
    <Panel
      title="DMARC reports, 30 days"
      description="Receivers send one a day. It lists the servers sending as this domain and whether SPF or DKIM passed."
      flush
    >
      {reports > 0 && (
        <>
          <div className="border-border border-b p-4">
            <PlotBar
              title="By day"
              summary={`${counted(total.messages, 'emails')} in ${counted(reports, 'reports')}: ${share(total.passed, total.messages)} passed, ${figure(total.quarantined)} went to spam, ${figure(total.rejected)} were rejected.`}
              series={['passed', 'failed']}
              points={days.map(({ date, messages, passed }) => ({
                label: shortDay(date),
                values: [passed, messages - passed],
              }))}
            />
          </div>
          <SourceTable sources={sources} />
        </>
      )}
      <AddReports isFirst={reports === 0} add={add} domain={summary.domain} />
    </Panel>
  )
}

function SourceTable({ sources }: Pick<DmarcSummary, 'sources'>) {
  return (
    <Table caption="Servers sending as this domain">
      <thead>
        <tr>
          <Th>Server</Th>
          <Th>From</Th>
          <Th numeric>Emails</Th>
          <Th numeric>SPF</Th>
          <Th numeric>DKIM</Th>
          <Th numeric>Passed</Th>
          <Th numeric>Spam or rejected</Th>
        </tr>
      </thead>
      <tbody>
        {sources.slice(0, 20).map((source) => (
          <Tr key={`${source.source_ip} ${source.header_from}`}>
            <Td lead>
              <span className="font-mono wrap-anywhere">{source.source_ip}</span>
            </Td>
            <Td label="From">
              <span className="wrap-anywhere">{source.header_from || 'unknown'}</span>
            </Td>
            <Td label="Emails" numeric>
              {figure(source.messages)}
            </Td>
            <Td label="SPF" numeric>
              {share(source.spf, source.messages)}
            </Td>
            <Td label="DKIM" numeric>
              {share(source.dkim, source.messages)}
            </Td>
            <Td label="Passed" numeric>
              <span className={source.passed < source.messages ? 'font-medium text-danger' : undefined}>
                {share(source.passed, source.messages)}
              </span>
            </Td>
            <Td label="Spam or rejected" numeric>
              {figure(source.quarantined + source.rejected)}
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  )
}

function AddReports({ isFirst, add, domain }: { isFirst: boolean; add: FormAction; domain: string }) {
  return (
    <div className="grid gap-3 p-4">
      {isFirst && (
        <p className="max-w-prose text-muted text-sm">
          None yet. Add <code className="font-mono text-text wrap-anywhere">rua=mailto:reports@{domain}</code>{' '}
          to the DMARC record, with the address of a mailbox that is connected here: reports that arrive are
          read automatically, usually from the next day on.
        </p>
      )}
      <Disclosure title="Add a report from a file" summary="XML, gz or zip">
        <ActionForm action={add} className="grid gap-3 pt-2">
          <FileDrop
            name="file"
            label="Choose a report"
            hint="As received by email, up to 2 MB"
            accept=".xml,.gz,.zip"
          />
          <div>
            <SubmitButton>Add the report</SubmitButton>
          </div>
        </ActionForm>
      </Disclosure>
    </div>
  )
}
