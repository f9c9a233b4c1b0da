import { ACTION_LABELS } from '#components/senders/labels'
import { Panel } from '#components/ui/layout/panel'
import { PlotInterval } from '#components/ui/plots/plot-interval'
import type { CampaignAnalytics } from '#lib/contracts/campaigns/campaign-analytics'
import { aheadWords, chanceText } from './ahead.tsx'

type Step = CampaignAnalytics['steps'][number]
type Variant = Step['variants'][number]

/** One step: what was sent and its results, and its variants compared. */
export function StepResults({ step, isPart }: { step: Step; isPart: boolean }) {
  const isSocial = step.channel === 'social'
  const done = isSocial ? 'performed' : 'sent'
  const facts = [
    [step.sent, done],
    [step.accepted ?? 0, 'accepted'],
    [step.replied, 'replied'],
    [step.bounced, 'bounced'],
    [step.unsubscribed, 'unsubscribed'],
    [step.failed, 'failed'],
    [step.uncertain, 'uncertain'],
    [step.skipped, 'skipped'],
  ] as const
  const isSilent = isSocial && SILENT.includes(step.action_type ?? '')
  const measured = step.variants.filter((variant) => variant.reply_rate.rate !== null)
  return (
    <Panel
      title={stepTitle(step)}
      description={facts
        .filter(([count, word]) => count > 0 || word === done)
        .map(([count, word]) => `${count.toLocaleString('en')} ${word}`)
        .join(' · ')}
    >
      {step.acceptance_rate && <Accepted step={step} />}
      {step.reply_rate.rate === null ? (
        <p className="text-sm text-muted">{isPart ? 'Nothing sent in this period.' : 'Nothing sent yet.'}</p>
      ) : isSilent && step.replied === 0 ? (
        <p className="text-sm text-muted">This step has no text, so it gets no replies.</p>
      ) : measured.length > 0 ? (
        <PlotInterval title="Replies by variant" rows={measured.map((row) => toRow(row, done))} />
      ) : (
        <PlotInterval title="Replies" rows={[toRow({ ...step, label: 'All' }, done)]} />
      )}
      {isSocial && step.skip_reasons.length > 0 && <Skipped reasons={step.skip_reasons} />}
      {step.comparison && <Verdict comparison={step.comparison} />}
    </Panel>
  )
}

/** Whether anything happened in the step, including skips. */
export const hasHappened = ({ sent, accepted, failed, uncertain, skipped }: Step): boolean =>
  sent + (accepted ?? 0) + failed + uncertain + skipped > 0

/** Steps without results yet, one line each; empty charts would push the others down. */
export function StepsToCome({ steps, isPart }: { steps: Step[]; isPart: boolean }) {
  if (steps.length === 0) return null
  return (
    <Panel title={isPart ? 'Nothing sent in this period' : 'Not reached yet'}>
      <ul className="flex flex-wrap gap-x-6 gap-y-1 text-sm text-muted">
        {steps.map((step) => (
          <li key={step.step}>{stepTitle(step)}</li>
        ))}
      </ul>
    </Panel>
  )
}

/** Actions that nobody can reply to. */
const SILENT = ['visit_profile', 'follow', 'like_post', 'endorse', 'withdraw_invitation']

const stepTitle = (step: Step) =>
  step.channel === 'social' ? `Step ${step.step}: ${stepLabel(step)}` : `Step ${step.step}`

const stepLabel = ({ action_type }: Step) => (ACTION_LABELS[action_type ?? ''] ?? 'Social step').toLowerCase()

/** Accepted invitations, by variant if there are several. */
function Accepted({ step }: { step: Step }) {
  const arms = step.variants.length > 0 ? step.variants : [{ ...step, label: 'All' }]
  const rows = arms.flatMap(({ label, acceptance_rate }) =>
    acceptance_rate === null || acceptance_rate.rate === null
      ? []
      : [toRow({ label, reply_rate: acceptance_rate }, 'invited')],
  )
  return rows.length === 0 ? null : (
    <div className="mb-4">
      <PlotInterval title="Accepted invitations" rows={rows} />
    </div>
  )
}

function Skipped({ reasons }: { reasons: Step['skip_reasons'] }) {
  return (
    <>
      <h3 className="mt-4 mb-1 text-sm font-medium">Skipped</h3>
      <ul className="grid gap-1 text-sm text-muted">
        {reasons.map(({ reason, count }) => (
          <li key={reason}>
            <span className="text-text">{count.toLocaleString('en')}</span>: {reason}
          </li>
        ))}
      </ul>
    </>
  )
}

function toRow(
  {
    label,
    reply_rate,
    ...rest
  }: Pick<Variant, 'label' | 'reply_rate'> & { probability_best?: number | null },
  noun: string,
) {
  const { numerator, denominator, rate, low, high } = reply_rate
  const best = rest.probability_best
  const chance = typeof best === 'number' ? ` · ${chanceText(best)} chance of being best` : ''
  return {
    label,
    value: rate ?? 0,
    low: low ?? 0,
    high: high ?? 1,
    detail: `${numerator.toLocaleString('en')} of ${denominator.toLocaleString('en')} ${noun}${chance}`,
  }
}

/** The conclusion, or how many more sends would allow one. */
function Verdict({ comparison }: { comparison: NonNullable<Step['comparison']> }) {
  const { leader, probability, settled, more_sends } = comparison
  return (
    <p className="mt-3 text-sm">
      <span className="font-medium">
        {aheadWords(leader, probability, 'No variant is ahead yet')}
        {settled ? '.' : ';'}
      </span>{' '}
      {settled
        ? 'That is settled.'
        : more_sends === null
          ? 'more than a million further sends would be needed to settle it.'
          : `about ${more_sends.toLocaleString('en')} more sends would settle it if the rates stay as they are.`}
    </p>
  )
}
