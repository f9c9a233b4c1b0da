import { Fragment } from 'react'
import { Link } from '#components/ui/controls/link'
import { Callout } from '#components/ui/feedback/callout'
import { Stat, StatRow } from '#components/ui/feedback/stat'
import { queryHref } from '#components/ui/query-href'
import type { DatasetVerification } from '#lib/contracts/enrichment/verification'
import type { AlsoIn } from '#lib/domain/datasets/also-in'
import type { ListRisk } from '#lib/domain/finder/list-risk'

const RISKS = {
  low: { tone: 'success', title: 'Low risk' },
  medium: { tone: 'warning', title: 'Some risk' },
  high: { tone: 'danger', title: 'High risk' },
  unknown: { tone: 'info', title: 'Risk not known yet' },
} as const satisfies Record<ListRisk, { tone: string; title: string }>

const share = (part: number, all: number) => (all === 0 ? '' : `${Math.round((part / all) * 100)} % of all`)

type Props = { found: DatasetVerification; dataset_id: string }

/** What verification found in a list, and what sending to all of it would risk. */
export function VerificationSummary({ found, dataset_id }: Props) {
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
      <Overlaps found={found} dataset_id={dataset_id} />
    </>
  )
}

type Overlap = {
  key: 'without_address' | 'repeated' | 'suppressed' | 'in_campaigns' | 'in_other_datasets'
  words: string
  /** What shows these rows. */
  also_in?: AlsoIn
}
const OVERLAPS: Overlap[] = [
  { key: 'without_address', words: 'without an address' },
  { key: 'repeated', words: 'with an address of an earlier row', also_in: 'earlier_row' },
  { key: 'suppressed', words: 'on the suppression list' },
  { key: 'in_campaigns', words: 'in a campaign already', also_in: 'campaign' },
  { key: 'in_other_datasets', words: 'in another dataset too', also_in: 'other_dataset' },
]

function Overlaps({ found, dataset_id }: Props) {
  const lines = OVERLAPS.filter(({ key }) => found[key] > 0)
  if (lines.length === 0) return null
  return (
    <p className="text-sm text-muted">
      {'Of these rows: '}
      {lines.map(({ key, words, also_in }, place) => {
        const said = `${found[key].toLocaleString('en')} ${words}`
        return (
          <Fragment key={key}>
            {place > 0 && ', '}
            {also_in ? (
              <Link
                href={queryHref(`/datasets/${dataset_id}`, {}, { also_in })}
                className="underline underline-offset-4"
              >
                {said}
              </Link>
            ) : (
              said
            )}
          </Fragment>
        )
      })}
      .
    </p>
  )
}
