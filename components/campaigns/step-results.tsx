import { Panel } from '#components/ui/panel'
import { PlotInterval } from '#components/ui/plot-interval'
import type { CampaignAnalytics } from '#lib/contracts/campaign-analytics'

type Step = CampaignAnalytics['steps'][number]
type Variant = Step['variants'][number]

/** One step: what left and what came of it, and its variants against each other. */
export function StepResults({ step }: { step: Step }) {
  const facts = [
    [step.sent, 'sent'],
    [step.replied, 'replied'],
    [step.bounced, 'bounced'],
    [step.unsubscribed, 'unsubscribed'],
    [step.failed, 'failed'],
    [step.uncertain, 'uncertain'],
    [step.skipped, 'skipped'],
  ] as const
  const measured = step.variants.filter((variant) => variant.reply_rate.rate !== null)
  return (
    <Panel
      title={`Step ${step.step}`}
      description={facts
        .filter(([count, word]) => count > 0 || word === 'sent')
        .map(([count, word]) => `${count.toLocaleString('en')} ${word}`)
        .join(' · ')}
    >
      {measured.length > 0 ? (
        <PlotInterval title="Replies by variant" rows={measured.map(rowOf)} />
      ) : (
        <PlotInterval
          title="Replies"
          rows={step.reply_rate.rate === null ? [] : [rowOf({ ...step, label: 'All' })]}
        />
      )}
      {step.comparison && <Verdict comparison={step.comparison} />}
    </Panel>
  )
}

function rowOf({
  label,
  reply_rate,
  ...rest
}: Pick<Variant, 'label' | 'reply_rate'> & { probability_best?: number | null }) {
  const { numerator, denominator, rate, low, high } = reply_rate
  const best = rest.probability_best
  const chance = typeof best === 'number' ? ` · best with ${Math.round(100 * best)} %` : ''
  return {
    label,
    value: rate ?? 0,
    low: low ?? 0,
    high: high ?? 1,
    detail: `${numerator.toLocaleString('en')} of ${denominator.toLocaleString('en')} sent${chance}`,
  }
}

/** What may be concluded, and how many sends would settle what may not. */
function Verdict({ comparison }: { comparison: NonNullable<Step['comparison']> }) {
  const { leader, probability, settled, more_sends } = comparison
  const chance = `${Math.round(100 * probability)} %`
  return (
    <p className="mt-3 text-sm">
      <span className="font-medium">
        {leader} is better with {chance} probability{settled ? '.' : ';'}
      </span>{' '}
      {settled
        ? 'That is settled.'
        : more_sends === null
          ? 'more than a million further sends would be needed to settle it.'
          : `about ${more_sends.toLocaleString('en')} more sends would settle it if the rates stay as they are.`}
    </p>
  )
}
