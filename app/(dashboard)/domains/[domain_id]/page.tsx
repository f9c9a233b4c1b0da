import { RefreshCw, Trash2 } from 'lucide-react'
import type { Metadata } from 'next'
import type { z } from 'zod'
import { DmarcReports } from '#components/domains/dmarc-reports'
import { BounceAddress, DomainKey } from '#components/domains/domain-key'
import { DomainStatus } from '#components/domains/domain-status'
import { FurtherList } from '#components/domains/further-list'
import { Postmaster } from '#components/domains/postmaster'
import { RecordList } from '#components/domains/record-list'
import { AlignmentList, RequirementList } from '#components/domains/requirement-list'
import { ActionButton } from '#components/ui/controls/action-button'
import { counted } from '#components/ui/counted'
import { Callout } from '#components/ui/feedback/callout'
import { LiveRefresh } from '#components/ui/feedback/live-refresh'
import { Breadcrumbs } from '#components/ui/layout/breadcrumbs'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { RelativeTime } from '#components/ui/relative-time'
import { ReadDmarcReports } from '#lib/contracts/domains/dmarc-reports'
import {
  type DomainRequirements,
  type DomainSetup,
  type MailDomain,
  ReadDomain,
  ReadDomainRequirements,
  ReadDomainSetup,
} from '#lib/contracts/domains/domains'
import { ReadPostmaster } from '#lib/contracts/domains/postmaster'
import { requireUser } from '#lib/http/session'
import { dmarcSummary } from '#lib/services/domains/dmarc-reports'
import { getDomain } from '#lib/services/domains/domains'
import { postmasterSummary } from '#lib/services/domains/postmaster/summary'
import { domainRequirements } from '#lib/services/domains/requirements'
import { domainSetup } from '#lib/services/domains/setup'
import { orNotFound, parseParams } from '../../../page-input.ts'
import {
  addDmarcReports,
  connectPostmaster,
  deleteDomain,
  disconnectPostmaster,
  rotateDomainKey,
  setBounceAddress,
  verifyDomain,
} from '../actions.ts'

export const metadata: Metadata = { title: 'Domain' }

/** What is left to do, in a line; each record states its own problem below. */
function recordsTitle({ records }: z.output<typeof ReadDomainSetup.response>): string {
  const open = records.filter(({ required, status }) => required && status !== 'found')
  const wrong = open.filter(({ status }) => status === 'mismatch').length
  const missing = open.length - wrong
  if (wrong === 0) return `Next: publish ${counted(missing, 'records')}`
  return missing === 0
    ? `Next: correct ${counted(wrong, 'records')}`
    : `Next: publish ${counted(missing, 'records')} and correct ${wrong}`
}

export default async function DomainPage({ params }: PageProps<'/domains/[domain_id]'>) {
  const user = await requireUser()
  const { domain_id } = parseParams(ReadDomain.params, await params)
  const now = new Date()
  // Loaded first: before the first check it queries DNS, and the others show its result.
  const setup = ReadDomainSetup.response.parse(
    await orNotFound(domainSetup(user.workspace_id, domain_id, now)),
  )
  const [domain, demands, reports, postmaster] = await Promise.all([
    orNotFound(getDomain(user.workspace_id, domain_id)).then((row) => ReadDomain.response.parse(row)),
    orNotFound(domainRequirements(user.workspace_id, domain_id, now)).then((row) =>
      ReadDomainRequirements.response.parse(row),
    ),
    orNotFound(dmarcSummary(user.workspace_id, domain_id, now)).then((row) =>
      ReadDmarcReports.response.parse(row),
    ),
    orNotFound(postmasterSummary(user.workspace_id, domain_id, now)).then((row) =>
      ReadPostmaster.response.parse(row),
    ),
  ])
  const checked = setup.records.map((record) => record.checked_at).find(Boolean)
  const waits =
    domain.status === 'pending' || domain.status === 'verifying' || domain.dkim_next_selector !== null
  return (
    <>
      <LiveRefresh every_seconds={30} active={waits} watch="domains" />
      <PageHeader
        above={<Breadcrumbs items={[{ href: '/domains', label: 'Domains' }]} />}
        title={domain.domain}
        status={<DomainStatus status={domain.status} />}
        description={
          <>
            {checked ? (
              <>
                Checked <RelativeTime at={checked} now={now.toISOString()} />,{' '}
              </>
            ) : (
              'DNS has not answered yet, '
            )}
            again automatically <RelativeTime at={domain.next_check_at} now={now.toISOString()} />.
          </>
        }
        actions={<DomainActions domain_id={domain_id} domain={domain.domain} />}
      />
      <PageBody>
        <Callout
          tone={setup.ready ? 'success' : domain.status === 'failed' ? 'danger' : 'info'}
          title={setup.ready ? 'Every required record is found' : recordsTitle(setup)}
        >
          {setup.ready
            ? setup.instructions
            : 'Copy the marked values below into your DNS provider’s editor. If the editor adds the domain to names automatically, leave it out. Changes are seen within minutes to hours; we check again automatically, often in the first hour.'}
        </Callout>
        <Findings domain={domain} setup={setup} demands={demands} />
        <Postmaster
          summary={postmaster}
          now={now.toISOString()}
          connect={connectPostmaster.bind(null, domain_id)}
          disconnect={disconnectPostmaster}
        />
        <DmarcReports summary={reports} add={addDmarcReports.bind(null, domain_id)} />
      </PageBody>
    </>
  )
}

type Findings = {
  domain: MailDomain
  setup: DomainSetup
  demands: DomainRequirements
}

/** The DNS results, and what they mean for receivers. */
function Findings({ domain, setup, demands }: Findings) {
  const { domain_id } = domain
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <RecordList records={setup.records} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <DomainKey domain={domain} rotate={rotateDomainKey.bind(null, domain_id)} />
        <BounceAddress domain={domain} set={setBounceAddress.bind(null, domain_id)} />
        <AlignmentList {...demands} />
        <RequirementList {...demands} />
        <FurtherList {...demands} />
      </div>
    </div>
  )
}

function DomainActions({ domain_id, domain }: { domain_id: string; domain: string }) {
  return (
    <>
      <ActionButton variant="primary" act={verifyDomain.bind(null, domain_id)}>
        <RefreshCw aria-hidden /> Verify now
      </ActionButton>
      <ActionButton
        variant="ghost"
        act={deleteDomain.bind(null, domain_id)}
        aria-label={`Remove ${domain}`}
        confirm={{
          title: `Remove ${domain}?`,
          description: 'Its keys are deleted, and its mailboxes will send unsigned emails.',
          label: 'Remove domain',
          danger: true,
        }}
      >
        <Trash2 aria-hidden /> Remove
      </ActionButton>
    </>
  )
}
