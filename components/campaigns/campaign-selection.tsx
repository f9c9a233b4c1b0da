'use client'

import { Pause, Play } from 'lucide-react'
import { type ReactNode, useTransition } from 'react'
import { LockedOthers, type OthersWork } from '#components/lists/row-lock'
import { SelectionBar, UNDO_MS, useSelection } from '#components/lists/selection'
import { Button } from '#components/ui/controls/button'
import { counted } from '#components/ui/counted'
import { toast } from '#components/ui/overlays/toast'

type Verb = 'pause' | 'resume'
export type ChangeCampaigns = (
  verb: Verb,
  campaignIds: string[],
) => Promise<{ changed: string[]; refused: string[] }>

type Row = { campaign_id: string; name: string; mayPause: boolean; mayResume: boolean }
type Props = {
  campaigns: Row[]
  change: ChangeCampaigns
  others?: OthersWork | null | undefined
  children: ReactNode
}

const DONE: Record<Verb, string> = { pause: 'paused', resume: 'resumed' }
const UNDO: Record<Verb, Verb> = { pause: 'resume', resume: 'pause' }

/**
 * The checkboxes of the rows inside (`data-select`) make up the selection; `x` toggles the focused row. Bulk
 * actions can be undone from the toast.
 */
export function CampaignSelection({ campaigns, change, others, children }: Props) {
  const [isPending, startTransition] = useTransition()
  const { place, ticked, clear } = useSelection(campaigns.map(({ campaign_id }) => campaign_id).join())
  const selected = campaigns.filter(({ campaign_id }) => ticked.includes(campaign_id))

  function run(verb: Verb, ids: string[], mayUndo: boolean) {
    startTransition(async () => {
      try {
        const { changed, refused } = await change(verb, ids)
        if (changed.length > 0)
          toast.success(`${counted(changed.length, 'campaigns')} ${DONE[verb]}.`, {
            duration: UNDO_MS,
            ...(mayUndo ? { action: { label: 'Undo', onClick: () => run(UNDO[verb], changed, false) } } : {}),
          })
        if (refused.length > 0)
          toast.error(
            `${counted(refused.length, 'campaigns')} could not be ${DONE[verb]}: ${[...new Set(refused)].join(' ')}`,
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

  const own = selected.filter(({ campaign_id }) => !others?.ids.includes(campaign_id))
  const permittedIds = (may: 'mayPause' | 'mayResume') =>
    own.flatMap((row) => (row[may] ? [row.campaign_id] : []))
  const toPause = permittedIds('mayPause')
  const toResume = permittedIds('mayResume')
  return (
    <div ref={place}>
      {children}
      <SelectionBar label="Selected campaigns" count={selected.length} clear={clear}>
        {own.length > 0 && (
          <>
            <Button
              size="sm"
              disabled={toPause.length === 0}
              aria-busy={isPending}
              onClick={() => run('pause', toPause, true)}
            >
              <Pause aria-hidden /> Pause{toPause.length > 0 && ` ${toPause.length}`}
            </Button>
            <Button
              size="sm"
              disabled={toResume.length === 0}
              aria-busy={isPending}
              onClick={() => run('resume', toResume, true)}
            >
              <Play aria-hidden /> Resume{toResume.length > 0 && ` ${toResume.length}`}
            </Button>
          </>
        )}
        <LockedOthers others={others} ids={ticked} />
      </SelectionBar>
    </div>
  )
}
