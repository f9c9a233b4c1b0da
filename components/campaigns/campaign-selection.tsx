'use client'

import { Pause, Play, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState, useTransition } from 'react'
import { boxesIn, tickFocused } from '#components/lists/select-boxes'
import { Button } from '#components/ui/button'
import { IconButton } from '#components/ui/icon-button'
import { toast } from '#components/ui/toaster'

type Verb = 'pause' | 'resume'
export type ChangeCampaigns = (
  verb: Verb,
  campaignIds: string[],
) => Promise<{ changed: string[]; refused: string[] }>

type Row = { campaign_id: string; name: string; mayPause: boolean; mayResume: boolean }
type Props = { campaigns: Row[]; change: ChangeCampaigns; children: ReactNode }

const DONE: Record<Verb, string> = { pause: 'paused', resume: 'resumed' }
const UNDO: Record<Verb, Verb> = { pause: 'resume', resume: 'pause' }
/** Longer than other receipts: it can still be taken back. */
const UNDO_MS = 10_000

const counted = (count: number) => (count === 1 ? '1 campaign' : `${count} campaigns`)

/**
 * Boxes of the rows inside (`data-select`) make up the selection; `x` ticks the row that has the focus. What is done to
 * the selection can be undone from its receipt.
 */
export function CampaignSelection({ campaigns, change, children }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const [ticked, setTicked] = useState<string[]>([])
  const [isPending, startTransition] = useTransition()
  const selected = campaigns.filter(({ campaign_id }) => ticked.includes(campaign_id))

  const shown = campaigns.map(({ campaign_id }) => campaign_id).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows have other boxes
  useEffect(() => {
    const element = place.current
    const read = () => setTicked(boxesIn(element).flatMap((box) => (box.checked ? [box.value] : [])))
    read()
    element?.addEventListener('change', read)
    document.addEventListener('keydown', tickFocused)
    return () => {
      element?.removeEventListener('change', read)
      document.removeEventListener('keydown', tickFocused)
    }
  }, [shown])

  function clear() {
    for (const box of boxesIn(place.current)) box.checked = false
    setTicked([])
  }

  function run(verb: Verb, ids: string[], mayUndo: boolean) {
    startTransition(async () => {
      try {
        const { changed, refused } = await change(verb, ids)
        if (changed.length > 0)
          toast.success(`${counted(changed.length)} ${DONE[verb]}.`, {
            duration: UNDO_MS,
            ...(mayUndo ? { action: { label: 'Undo', onClick: () => run(UNDO[verb], changed, false) } } : {}),
          })
        if (refused.length > 0)
          toast.error(
            `${counted(refused.length)} could not be ${DONE[verb]}: ${[...new Set(refused)].join(' ')}`,
            {
              duration: Number.POSITIVE_INFINITY,
            },
          )
        clear()
      } catch {
        toast.error('The server could not be reached. Reload to see which campaigns were changed.', {
          duration: Number.POSITIVE_INFINITY,
        })
      }
    })
  }

  const idsOf = (may: 'mayPause' | 'mayResume') =>
    selected.flatMap((row) => (row[may] ? [row.campaign_id] : []))
  const toPause = idsOf('mayPause')
  const toResume = idsOf('mayResume')
  return (
    <div ref={place}>
      {children}
      {selected.length > 0 && (
        <section
          aria-label="Selected campaigns"
          className="fixed bottom-20 left-1/2 z-20 flex -translate-x-1/2 items-center gap-2 rounded-md bg-raised py-2 pr-2 pl-4 text-sm whitespace-nowrap shadow-raised sm:bottom-6"
        >
          <p role="status" className="mr-2">
            {selected.length} selected
          </p>
          <Button
            size="sm"
            disabled={isPending || toPause.length === 0}
            onClick={() => run('pause', toPause, true)}
          >
            <Pause aria-hidden /> Pause{toPause.length > 0 && ` ${toPause.length}`}
          </Button>
          <Button
            size="sm"
            disabled={isPending || toResume.length === 0}
            onClick={() => run('resume', toResume, true)}
          >
            <Play aria-hidden /> Resume{toResume.length > 0 && ` ${toResume.length}`}
          </Button>
          <IconButton small label="Clear the selection" onClick={clear}>
            <X />
          </IconButton>
        </section>
      )}
    </div>
  )
}
