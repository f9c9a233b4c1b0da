'use client'

import { clsx } from 'clsx'
import { type KeyboardEvent, useLayoutEffect, useRef } from 'react'
import { Tip } from '#components/ui/overlays/tooltip'

/** How far an arrow key moves, in rows and cells. */
const STEPS: Record<string, [rows: number, cells: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

/** Only row numbers are tab stops; arrow keys move from them into the cells and between rows. */
export function moveAmongCells(event: KeyboardEvent<HTMLElement>) {
  const [down, right] = STEPS[event.key] ?? [0, 0]
  const cell = event.currentTarget.closest('td')
  const row = cell?.closest('tr')
  const isModified = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey
  if (!cell || !row || isModified || down === right) return
  const onto = down < 0 ? row.previousElementSibling : down > 0 ? row.nextElementSibling : row
  const next = onto?.children[cell.cellIndex + right]?.querySelector<HTMLElement>('button')
  if (!next) return
  event.preventDefault()
  next.focus()
}

export const loadEditor = () => import('./cell-editor.tsx')

type Props = {
  value: string
  /** The source, if a session filled it. */
  from: string | undefined
  /** It was just edited, so it takes the focus back unless that went elsewhere. */
  isBack: boolean
  onEdit: () => void
}

/** A cell that is not being edited; Enter or a click edits it. */
export function CellButton({ value, from, isBack, onEdit }: Props) {
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    if (isBack && (document.activeElement ?? document.body) === document.body) button.current?.focus()
  }, [isBack])
  return (
    <>
      <button
        ref={button}
        type="button"
        tabIndex={-1}
        title={!from && value.length > 20 ? value : undefined}
        aria-description={from}
        onFocus={loadEditor}
        onPointerEnter={loadEditor}
        onClick={onEdit}
        onKeyDown={(event) => {
          if (event.key === 'F2') onEdit()
          else moveAmongCells(event)
        }}
        className={clsx(
          '-mx-2 block min-h-7 w-[calc(100%+1rem)] scroll-mt-10 scroll-ml-20 truncate rounded-xs px-2 text-left hover:bg-sunken',
          from && 'underline decoration-muted decoration-dotted underline-offset-4',
        )}
      >
        {value || <span className="sr-only">Empty</span>}
      </button>
      {from && <Tip text={from} anchor={button} />}
    </>
  )
}
