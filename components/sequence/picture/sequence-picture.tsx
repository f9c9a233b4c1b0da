'use client'

import { type KeyboardEvent, useMemo } from 'react'
import type { StepConfig } from '#lib/contracts/campaigns/steps'
import type { StepTemplate } from '#lib/contracts/messages/templates'
import { AddStep } from '../add-step.tsx'
import { byClipboard } from '../clipboard-keys.tsx'
import type { Kind } from '../kinds.tsx'
import { MOST_STEPS } from '../steps.tsx'
import type { Sequence, SequenceAct } from '../use-sequence.tsx'
import { layoutPicture, type Spot } from './layout.tsx'
import { count, type Numbers } from './numbers.tsx'
import { StepNode } from './step-node.tsx'
import { useNumbers } from './use-numbers.tsx'
import { Ways, WayWords } from './ways.tsx'
import { Zoom } from './zoom.tsx'

type Props = {
  sequence: Sequence
  dispatch: (act: SequenceAct) => void
  onChoose: (key: string) => void
  templates: StepTemplate[]
  /** Keys of steps with errors. */
  wrong: Set<string>
  isLocked: boolean
  /** Steps up to this one are fixed, because leads have reached them. */
  reached: number
  findObstacle: (kind: Kind) => string | null
  onCopy: (step: StepConfig) => void
  onPaste: (at: number) => void
  /** The saved version of a step; absent for a new one. */
  findSaved: (key: string) => StepConfig | undefined
  /** Null before the launch. */
  loadNumbers: (() => Promise<Numbers | null>) | null
  leads: number
}

/** The sequence as a graph from launch to end, with the running campaign's numbers on its lines. */
export function SequencePicture(props: Props) {
  const { sequence, dispatch, isLocked, reached, findObstacle, findSaved, leads } = props
  const { items, said } = sequence
  const numbers = useNumbers(props.loadNumbers)
  const layout = useMemo(
    () => layoutPicture(items.map(({ key, step }) => ({ key, isConditional: step.condition !== 'always' }))),
    [items],
  )
  const findNumbers = (key: string) => {
    const saved = findSaved(key)?.step
    return saved === undefined ? undefined : numbers?.steps.find(({ step }) => step === saved)
  }
  const drawn = { layout, steps: items, numbers, findNumbers }
  const canAdd = !isLocked && items.length < MOST_STEPS
  return (
    <Zoom
      width={layout.width}
      height={layout.height}
      label="Sequence picture"
      note={<Note {...props} numbers={numbers} />}
    >
      <Ways {...drawn} />
      <WayWords {...drawn} />
      <Pill spot={layout.start}>
        {count(numbers?.total ?? leads)} {(numbers?.total ?? leads) === 1 ? 'lead' : 'leads'}
      </Pill>
      {layout.steps.map((spot, index) => (
        <Node key={spot.key} {...props} spot={spot} index={index} findNumbers={findNumbers} />
      ))}
      <Pill spot={layout.end}>{numbers ? `${count(numbers.completed)} finished` : 'End'}</Pill>
      {canAdd &&
        [...layout.steps, layout.end].map((spot, index) =>
          index < reached || (index === 0 && items.length > 0) ? null : (
            <span
              key={spot.key}
              className="absolute -translate-y-1/2"
              style={{ left: layout.start.x + layout.start.width + 4, top: spot.y - 42 }}
            >
              <AddStep
                compact
                label={index < items.length ? `Insert before step ${index + 1}` : 'Add a step'}
                findObstacle={findObstacle}
                onAdd={(kind) => dispatch({ act: 'add', kind, at: index })}
              />
            </span>
          ),
        )}
      <p role="status" className="sr-only">
        {said}
      </p>
    </Zoom>
  )
}

function Note({ loadNumbers, numbers }: Props & { numbers: Numbers | null }) {
  if (!loadNumbers) return 'Numbers appear once the campaign launches.'
  return numbers ? 'All leads so far.' : 'Counting …'
}

function Pill({ spot, children }: { spot: Spot; children: React.ReactNode }) {
  return (
    <p
      className="absolute flex items-center justify-center rounded-full border border-border bg-sunken px-3 text-center text-xs leading-4 font-medium tabular-nums"
      style={{ left: spot.x, top: spot.y, width: spot.width, height: spot.height }}
    >
      <span>{children}</span>
    </p>
  )
}

type NodeProps = Props & {
  spot: Spot
  index: number
  findNumbers: (key: string) => Parameters<typeof StepNode>[0]['numbers']
}

function Node(props: NodeProps) {
  const { spot, index, sequence, dispatch, templates, wrong, isLocked, reached, findNumbers, onChoose } =
    props
  const { items, chosen } = sequence
  const step = items[index]?.step
  if (!step) return null
  const isFixed = isLocked || step.step <= reached
  const goTo = (place: number) => {
    const key = items[place]?.key
    if (key) document.querySelector<HTMLElement>(`[data-card="${key}"]`)?.focus()
  }
  function byKeyboard(event: KeyboardEvent<HTMLElement>) {
    const onPaste = isLocked || index + 1 < reached ? null : () => props.onPaste(index + 1)
    if (byClipboard(event, { onCopy: () => step && props.onCopy(step), onPaste }))
      return event.preventDefault()
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (by && event.altKey) {
      if (!isFixed && index + by >= reached) dispatch({ act: 'move', key: spot.key, to: index + by })
    } else if (by) goTo(index + by)
    else if (event.key === 'Delete' && !isFixed) dispatch({ act: 'remove', key: spot.key })
    else return
    event.preventDefault()
  }
  return (
    <StepNode
      spot={spot}
      step={step}
      templates={templates}
      numbers={findNumbers(spot.key)}
      isChosen={spot.key === chosen}
      isWrong={wrong.has(spot.key)}
      isFixed={isFixed}
      isStop={spot.key === chosen}
      onChoose={() => onChoose(spot.key)}
      onKeyDown={byKeyboard}
    />
  )
}
