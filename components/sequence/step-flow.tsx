'use client'

import { type ReactNode, useState } from 'react'
import type { StepConfig } from '#lib/contracts/campaigns/steps'
import type { StepTemplate } from '#lib/contracts/messages/templates'
import { AddStep } from './add-step.tsx'
import type { Kind } from './kinds.tsx'
import { StepCard } from './step-card.tsx'
import { type Item, MOST_STEPS } from './steps.tsx'
import type { Sequence, SequenceAct } from './use-sequence.tsx'

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
}

/**
 * The list of steps with the waits between them; steps are moved by dragging, by menu, or with Alt and arrow
 * keys.
 */
export function StepFlow(props: Props) {
  const { sequence, dispatch, isLocked, reached, findObstacle } = props
  const { items, said } = sequence
  const [dragged, setDragged] = useState<string | null>(null)
  const [over, setOver] = useState<number | null>(null)
  const isFull = items.length >= MOST_STEPS
  const add = (at: number) => (kind: Kind) => dispatch({ act: 'add', kind, at })

  function drop(index: number) {
    if (dragged && index >= reached) dispatch({ act: 'move', key: dragged, to: index })
    setDragged(null)
    setOver(null)
  }
  return (
    <section aria-label="Steps" className="min-w-0">
      <ol>
        {items.map(({ key, step }, index) => (
          <li
            key={key}
            onDragOver={(event) => {
              if (!dragged || index < reached) return
              event.preventDefault()
              setOver(index)
            }}
            onDrop={(event) => {
              event.preventDefault()
              drop(index)
            }}
            className={over === index && dragged !== key ? 'rounded-md outline-2 outline-accent-text' : ''}
          >
            <Wait
              days={step.delay_days}
              isFirst={index === 0}
              insert={
                isLocked || isFull || index < reached || index === 0 ? null : (
                  <AddStep
                    compact
                    label={`Insert before step ${index + 1}`}
                    findObstacle={findObstacle}
                    onAdd={add(index)}
                  />
                )
              }
            />
            <FlowCard
              {...props}
              item={{ key, step }}
              index={index}
              onDrag={(isOn) => setDragged(isOn ? key : null)}
            />
          </li>
        ))}
      </ol>
      <p role="status" className="sr-only">
        {said}
      </p>
      {!isLocked && (
        <div className="mt-3">
          <AddLast isFull={isFull} findObstacle={findObstacle} onAdd={add(items.length)} />
        </div>
      )}
    </section>
  )
}

/** The line leading to a step, with the wait. */
function Wait({ days, isFirst, insert }: { days: number; isFirst: boolean; insert: ReactNode }) {
  if (isFirst && days === 0) return null
  const wait = days === 0 ? 'the same day' : `${days} ${days === 1 ? 'day' : 'days'}`
  return (
    <div className="flex h-9 items-center gap-2 pl-[1.375rem] text-xs text-muted">
      <span aria-hidden className="h-full w-px bg-border" />
      <span className="rounded-full border border-border bg-sunken px-2 py-0.5">
        {days === 0 ? wait : `wait ${wait}${isFirst ? ' after the launch' : ''}`}
      </span>
      {insert && <span className="ml-auto">{insert}</span>}
    </div>
  )
}

type CardProps = Props & { item: Item; index: number; onDrag: (isOn: boolean) => void }

function FlowCard({ item: { key, step }, index, onDrag, ...props }: CardProps) {
  const { sequence, dispatch, templates, wrong, isLocked, reached, onChoose, onCopy, onPaste } = props
  return (
    <StepCard
      id={key}
      step={step}
      templates={templates}
      isChosen={key === sequence.chosen}
      isWrong={wrong.has(key)}
      isFixed={isLocked || step.step <= reached}
      mayMoveUp={index > reached}
      mayMoveDown={index < sequence.items.length - 1}
      onChoose={() => onChoose(key)}
      onMove={(by) => dispatch({ act: 'move', key, to: index + by })}
      onRemove={() => dispatch({ act: 'remove', key })}
      onCopy={() => onCopy(step)}
      onPaste={isLocked || index + 1 < reached ? null : () => onPaste(index + 1)}
      onDrag={onDrag}
    />
  )
}

type AddProps = Pick<Props, 'findObstacle'> & { isFull: boolean; onAdd: (kind: Kind) => void }

function AddLast({ isFull, findObstacle, onAdd }: AddProps) {
  if (isFull) return <p className="text-sm text-muted">A sequence has at most {MOST_STEPS} steps.</p>
  return <AddStep label="Add a step" findObstacle={findObstacle} onAdd={onAdd} />
}
