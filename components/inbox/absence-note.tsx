import { ActionButton } from '#components/ui/controls/action-button'
import type { Act } from '#components/ui/use-action'
import { ZonedTime } from '#components/ui/zoned-time'
import type { PersonHold } from '#lib/contracts/leads/lead-holds'

/** `isAsked`: the person asked in a reply to be contacted later; they are not away. */
type Props = {
  absence: PersonHold
  isAsked?: boolean
  zone: string
  release: Act | null
  addDeputy: Act | null
}

/** Until when the person is not contacted, the words that say so, and their deputy. */
export function AbsenceNote({ absence, isAsked = false, zone, release, addDeputy }: Props) {
  const isAway = Boolean(absence.said) && !isAsked
  const { until, said, deputy_email, deputy_name } = absence
  return (
    <section aria-label={isAway ? 'Absence' : 'Hold'} className="grid gap-1.5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5">
        <p>
          <span className="font-medium">
            {isAway ? 'Away' : 'Held'} until <ZonedTime at={until} zone={zone} />
          </span>
          <span className="text-muted"> · No campaign contacts them until then.</span>
        </p>
        {release && (
          <ActionButton size="sm" act={release}>
            Resume now
          </ActionButton>
        )}
      </div>
      {isAway && <p className="wrap-anywhere text-muted">“{said}”</p>}
      {deputy_email && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
          <p className="wrap-anywhere">
            Deputy: {deputy_name ? `${deputy_name}, ${deputy_email}` : deputy_email}
          </p>
          {addDeputy && (
            <ActionButton size="sm" act={addDeputy}>
              Add as a lead
            </ActionButton>
          )}
        </div>
      )}
    </section>
  )
}
