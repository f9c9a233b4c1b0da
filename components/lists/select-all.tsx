import { ListChecks } from 'lucide-react'
import { Button } from '#components/ui/controls/button'

type Props = { count: number; total: number; most: number; isBusy: boolean; onClick: () => void }

/** Extends the selection to all rows of the list, or to as many as one action can change. */
export function SelectAll({ count, total, most, isBusy, onClick }: Props) {
  const all = Math.min(total, most)
  if (count >= all) return null
  return (
    <Button size="sm" variant="ghost" aria-busy={isBusy} onClick={onClick}>
      <ListChecks aria-hidden /> {total > most ? 'First' : 'All'} {all.toLocaleString('en')}
    </Button>
  )
}
