import { Stat, StatRow } from '#components/ui/feedback/stat'
import { Panel } from '#components/ui/layout/panel'
import { PlotBar } from '#components/ui/plots/plot-bar'
import type { MailboxHealth as Health } from '#lib/contracts/senders/mailbox-health'
import type { RecipientProvider } from '#lib/domain/domains/recipient-provider'
import { shortDay } from '../ui/plots/short-day.ts'
import type { Act } from '../ui/use-action.tsx'
import { ProviderRates } from './provider-rates.tsx'

const percent = (part: number, whole: number) =>
  whole === 0 ? 'nothing sent yet' : `${((100 * part) / whole).toFixed(1)} % of messages sent`

type Props = { health: Health; resume: (provider: RecipientProvider) => Act }

/** A month of results, and what the mailbox sends next. */
export function MailboxHealth({ health, resume }: Props) {
  const { total, days, next_hours, timezone, campaigns_left_out } = health
  const planned = next_hours.reduce((sum, hour) => sum + hour.planned, 0)
  const hour = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: timezone })
  return (
    <section aria-label="Health" className="grid gap-4">
      <StatRow>
        <Stat label="Sent in 30 days" value={total.sent.toLocaleString('en')} />
        <Stat
          label="Replied"
          value={total.replied.toLocaleString('en')}
          detail={percent(total.replied, total.sent)}
        />
        <Stat
          label="Bounced"
          value={total.bounced.toLocaleString('en')}
          detail={percent(total.bounced, total.sent)}
        />
        <Stat
          label="Deferred"
          value={total.deferred.toLocaleString('en')}
          detail="Tried again automatically"
        />
      </StatRow>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-2">
        <Panel>
          <PlotBar
            title="Last 30 days"
            summary={`${total.sent.toLocaleString('en')} sent, ${total.bounced.toLocaleString('en')} bounced. Days in ${timezone}.`}
            series={['sent', 'bounced']}
            points={days.map(({ date, sent, bounced }) => ({
              label: shortDay(date),
              values: [sent, bounced],
            }))}
          />
        </Panel>
        {planned + campaigns_left_out === 0 ? (
          <Panel title="Next 24 hours">
            <p className="text-sm text-muted">Nothing is planned.</p>
          </Panel>
        ) : (
          <Panel>
            <PlotBar
              title="Next 24 hours"
              summary={`${planned.toLocaleString('en')} planned${campaigns_left_out > 0 ? `, without ${campaigns_left_out} more campaigns` : ''}. Replies and limits may change it.`}
              series={['planned']}
              points={next_hours.map(({ at, planned: count }) => ({
                label: hour.format(new Date(at)),
                values: [count],
              }))}
            />
          </Panel>
        )}
      </div>
      {health.providers.length > 0 && (
        <ProviderRates providers={health.providers} timezone={timezone} resume={resume} />
      )}
    </section>
  )
}
