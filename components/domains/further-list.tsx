import type { Tone } from '#components/ui/feedback/badge'
import { type StatusMark, StatusPill } from '#components/ui/feedback/status-pill'
import { Panel } from '#components/ui/layout/panel'
import type { DomainRequirements } from '#lib/contracts/domains/domains'

type Further = DomainRequirements['further'][number]

const TITLES: Record<Further['id'], string> = {
  mta_sts: 'MTA-STS: incoming mail is encrypted',
  tls_rpt: 'TLS-RPT: reports of failed encryption',
  bimi: 'BIMI: your logo next to your emails',
  blocklist_domain: 'Blocklists: the domain',
  blocklist_servers: 'Blocklists: the sending servers',
  tracking_certificate: 'Certificate of the tracking domain',
}

const LOOKS: Record<Further['state'], { tone: Tone; mark: StatusMark; label: string }> = {
  ok: { tone: 'success', mark: 'check', label: 'OK' },
  absent: { tone: 'neutral', mark: 'hollow', label: 'Not set up' },
  problem: { tone: 'danger', mark: 'cross', label: 'Problem' },
  unknown: { tone: 'neutral', mark: 'hollow', label: 'Unknown' },
}

/** Checks that no provider requires but that are good to know. */
export function FurtherList({ further }: Pick<DomainRequirements, 'further'>) {
  if (further.length === 0) return null
  return (
    <Panel title="Other checks" description="No provider requires these." flush>
      <ul>
        {further.map(({ id, state, detail }) => (
          <li
            key={id}
            className="grid gap-x-4 gap-y-1 border-b border-border px-4 py-3 text-sm last:border-0 sm:grid-cols-[6rem_minmax(0,1fr)]"
          >
            <span>
              <StatusPill {...LOOKS[state]} />
            </span>
            <div className="min-w-0">
              <h3 className="font-medium">{TITLES[id]}</h3>
              <p className="max-w-prose text-muted wrap-anywhere">{detail}</p>
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
