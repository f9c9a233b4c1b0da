import { ChevronLeft, ChevronRight } from 'lucide-react'
import { IconButton } from '#components/ui/controls/icon-button'

type Props = { lead: number; leads: number; onLead: (lead: number) => void }

/** Moves through the dataset's leads; the number can be typed. Shown from 1, internally from 0. */
export function LeadPager({ lead, leads, onLead }: Props) {
  if (leads === 0) return <span className="pr-2 text-muted">No leads yet</span>
  return (
    <span className="flex items-center gap-0.5">
      <IconButton small label="Previous lead" aria-disabled={lead === 0} onClick={() => onLead(lead - 1)}>
        <ChevronLeft />
      </IconButton>
      <label className="flex items-center gap-1.5 text-muted">
        Lead
        <input
          type="number"
          min={1}
          max={leads}
          value={lead + 1}
          onChange={(event) => {
            const wanted = event.target.valueAsNumber
            if (Number.isInteger(wanted) && wanted >= 1 && wanted <= leads) onLead(wanted - 1)
          }}
          className="h-7 w-14 rounded-sm border border-control bg-surface px-1.5 text-right text-text [appearance:textfield]"
        />
        of {leads.toLocaleString('en')}
      </label>
      <IconButton small label="Next lead" aria-disabled={lead >= leads - 1} onClick={() => onLead(lead + 1)}>
        <ChevronRight />
      </IconButton>
    </span>
  )
}
