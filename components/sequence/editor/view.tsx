import { useState, useSyncExternalStore } from 'react'
import { SegmentedControl } from '#components/ui/controls/segmented-control'

export type SequenceView = 'list' | 'picture'

const VIEWS: { value: SequenceView; label: string }[] = [
  { value: 'list', label: 'List' },
  { value: 'picture', label: 'Picture' },
]

/** How the steps are shown; kept in the URL, so that a link shows the same. */
export function useView(first: SequenceView) {
  const [view, setView] = useState(first)
  const choose = (next: SequenceView) => {
    setView(next)
    const url = new URL(window.location.href)
    if (next === 'list') url.searchParams.delete('view')
    else url.searchParams.set('view', next)
    window.history.replaceState(null, '', url)
  }
  return [view, choose] as const
}

type Props = { view: SequenceView; onChoose: (view: SequenceView) => void }

/** Phones show only the list, since the picture does not fit. */
export function ViewControl({ view, onChoose }: Props) {
  return (
    <div className="max-sm:hidden">
      <SegmentedControl
        legend="View"
        name="view"
        value={view}
        options={VIEWS}
        onChange={(value) => onChoose(value === 'picture' ? 'picture' : 'list')}
      />
    </div>
  )
}

const WIDE = '(width >= 40rem)'

function subscribe(onChange: () => void) {
  const query = window.matchMedia(WIDE)
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}

/** Whether there is room for the picture. */
export const useIsWide = () =>
  useSyncExternalStore(
    subscribe,
    () => window.matchMedia(WIDE).matches,
    () => true,
  )
