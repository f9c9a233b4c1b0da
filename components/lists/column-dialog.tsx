'use client'

import { ArrowDown, ArrowUp, ArrowUpToLine } from 'lucide-react'
import { useLayoutEffect, useRef, useState } from 'react'
import { Button } from '#components/ui/controls/button'
import { Checkbox } from '#components/ui/controls/checkbox'
import { IconButton } from '#components/ui/controls/icon-button'
import { Dialog } from '#components/ui/overlays/dialog'
import { type Choosable, shownColumns } from './columns.tsx'

type Props = {
  all: Choosable[]
  shown: string[]
  onShow: (shown: string[]) => void
  onClose: () => void
}

/** The moves of a column that the buttons make. */
const MOVES = {
  first: { label: 'to the front', icon: ArrowUpToLine, to: () => 0 },
  up: { label: 'up', icon: ArrowUp, to: (place: number) => place - 1 },
  down: { label: 'down', icon: ArrowDown, to: (place: number) => place + 1 },
}
type Way = keyof typeof MOVES
const WAYS: Way[] = ['first', 'up', 'down']

/** Shown columns on top in their order; the others below in the table's order. */
const listedOrder = (all: Choosable[], shown: string[]) => [
  ...shown,
  ...all.flatMap(({ key }) => (shown.includes(key) ? [] : [key])),
]

/** The order being edited. A moved row keeps the focus on its button. */
function useOrder({ all, shown }: Pick<Props, 'all' | 'shown'>) {
  const list = useRef<HTMLUListElement>(null)
  const pressed = useRef<string>(undefined)
  const [order, setOrder] = useState(() => listedOrder(all, shown))
  const [ticked, setTicked] = useState(() => new Set(shown))
  const [said, setSaid] = useState('')
  // biome-ignore lint/correctness/useExhaustiveDependencies: once the rows stand in their new order
  useLayoutEffect(() => {
    if (pressed.current) list.current?.querySelector<HTMLElement>(pressed.current)?.focus()
    pressed.current = undefined
  }, [order])

  function move({ key, label }: Choosable, way: Way) {
    const place = order.indexOf(key)
    const to = MOVES[way].to(place)
    if (to === place || to < 0 || to >= order.length) return
    pressed.current = `[data-move="${CSS.escape(`${key} ${way}`)}"]`
    setOrder(order.toSpliced(place, 1).toSpliced(to, 0, key))
    setSaid(`${label}: ${to + 1} of ${order.length}`)
  }
  function tick(key: string, isTicked: boolean) {
    const next = new Set(ticked)
    if (isTicked) next.add(key)
    else next.delete(key)
    setTicked(next)
  }
  function reset() {
    const usual = shownColumns(all, undefined)
    setOrder(listedOrder(all, usual))
    setTicked(new Set(usual))
    setSaid('Default columns')
  }
  return { list, order, ticked, said, move, tick, reset, setTicked }
}

/** Chooses and orders columns with checkboxes and buttons, so no dragging is needed. */
export function ColumnDialog({ all, shown, onShow, onClose }: Props) {
  const { list, order, ticked, said, move, tick, reset, setTicked } = useOrder({ all, shown })
  const byKey = new Map(all.map((column) => [column.key, column]))
  const columns = order.flatMap((key) => byKey.get(key) ?? [])
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Columns"
      footer={
        <>
          <Button variant="ghost" className="mr-auto" onClick={reset}>
            Reset
          </Button>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            disabled={ticked.size === 0}
            onClick={() => onShow(order.filter((key) => ticked.has(key)))}
          >
            Show {ticked.size.toLocaleString('en')}
          </Button>
        </>
      }
    >
      <p role="status" className="sr-only">
        {said}
      </p>
      <div className="mb-2 flex gap-2">
        <Button size="sm" onClick={() => setTicked(new Set(order))}>
          Select all
        </Button>
        <Button size="sm" onClick={() => setTicked(new Set())}>
          Select none
        </Button>
      </div>
      <ul ref={list} aria-label="Column order">
        {columns.map((column, place) => (
          <li
            key={column.key}
            className="flex items-center justify-between gap-2 border-b border-border py-1 last:border-0"
          >
            <Checkbox
              label={<span className="wrap-anywhere">{column.label}</span>}
              checked={ticked.has(column.key)}
              onChange={({ currentTarget }) => tick(column.key, currentTarget.checked)}
              className="min-w-0 grow"
            />
            <Moves column={column} place={place} last={columns.length - 1} move={move} />
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

type MovesProps = {
  column: Choosable
  place: number
  last: number
  move: (column: Choosable, way: Way) => void
}

/** A button without effect stays in place, so that the focus is not lost at either end. */
const Moves = ({ column, place, last, move }: MovesProps) => (
  <span className="flex shrink-0">
    {WAYS.map((way) => {
      const { label, icon: Icon } = MOVES[way]
      const isEnd = way === 'down' ? place === last : place === 0
      return (
        <IconButton
          key={way}
          small
          label={`Move ${column.label} ${label}`}
          data-move={`${column.key} ${way}`}
          aria-disabled={isEnd}
          onClick={() => move(column, way)}
        >
          <Icon />
        </IconButton>
      )
    })}
  </span>
)
