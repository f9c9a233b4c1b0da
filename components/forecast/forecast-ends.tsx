import { Stat } from '#components/ui/feedback/stat'
import { ZonedTime } from '#components/ui/zoned-time'
import type { Forecast } from '#lib/contracts/campaigns/forecast-shape'
import { LIMITS } from './forecast-limits.ts'

/** When the last send is planned, and which rule makes it take that long. */
export function ForecastEnds({
  forecast: { finish_at, total_actions, limited_by, timezone },
  isPaused,
}: {
  forecast: Forecast
  isPaused: boolean
}) {
  return (
    <Stat
      label={isPaused ? 'Ends, if resumed now' : 'Ends'}
      isText
      value={
        finish_at ? (
          <ZonedTime at={finish_at} zone={timezone} style="weekday" />
        ) : total_actions > 0 ? (
          'After ten years'
        ) : (
          '–'
        )
      }
      detail={
        finish_at &&
        `${total_actions.toLocaleString('en')} ${total_actions === 1 ? 'send' : 'sends'} left · ${LIMITS[limited_by].toLowerCase()}`
      }
    />
  )
}
