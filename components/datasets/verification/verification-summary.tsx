import { Callout } from '#components/ui/feedback/callout'
import { Stat, StatRow } from '#components/ui/feedback/stat'
import type { DatasetVerification } from '#lib/contracts/enrichment/verification'
import type { ListRisk } from '#lib/domain/finder/list-risk'

const RISKS = {
  low: { tone: 'success', title: 'Low risk' },
  medium: { tone: 'warning', title: 'Some risk' },
  high: { tone: 'danger', title: 'High risk' },
  unknown: { tone: 'info', title: 'Risk not known yet' },
} as const satisfies Record<ListRisk, { tone: string; title: string }>

const share = (part: number, all: number) => (all === 0 ? '' : `${Math.round((part / all) * 100)} %`)

/** What verification found in a list, and what sending to all of it would risk. */
export function VerificationSummary({ found }: { found: DatasetVerification }) {
  const { valid, invalid, risky, unknown, unverified } = found
  const addresses = valid + invalid + risky + unknown + unverified
  const stats = [
    ['Valid', valid],
    ['Risky', risky],
    ['Invalid', invalid],
    ['Unknown', unknown],
    ['Not verified', unverified],
  ] as const
  return (
    <>
      <Callout tone={RISKS[found.risk].tone} title={RISKS[found.risk].title}>
        {found.risk_reason}
      </Callout>
      <StatRow>
        {stats.map(([label, count]) => (
          <Stat
            key={label}
            label={label}
            value={count.toLocaleString('en')}
            detail={share(count, addresses)}
          />
        ))}
      </StatRow>
      <Overlaps found={found} />
    </>
  )
}

const OVERLAPS = [
  ['without_address', 'without an address'],
  ['repeated', 'with an address of an earlier row'],
  ['suppressed', 'on the suppression list'],
  ['in_campaigns', 'in a campaign already'],
  ['in_other_datasets', 'in another dataset too'],
] as const

function Overlaps({ found }: { found: DatasetVerification }) {
  const lines = OVERLAPS.filter(([key]) => found[key] > 0)
  if (lines.length === 0) return null
  return (
    <p className="text-sm text-muted">
      {'Of these rows: '}
      {lines.map(([key, words]) => `${found[key].toLocaleString('en')} ${words}`).join(', ')}.
    </p>
  )
}
