'use client'

import { CircleAlert, Lock } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { Menu } from '#components/ui/overlays/menu'
import { MenuChoice } from '#components/ui/overlays/menu-choice'
import type { StepConfig } from '#lib/contracts/campaigns/steps'
import type { StepTemplate } from '#lib/contracts/messages/templates'
import { stepAction } from '#lib/domain/campaigns/campaign-type'
import { byClipboard } from './clipboard-keys.tsx'
import { CONDITIONS, KINDS } from './kinds.tsx'
import { headline } from './step-headline.tsx'

type Props = {
  id: string
  step: StepConfig
  templates: StepTemplate[]
  isChosen: boolean
  isWrong: boolean
  isFixed: boolean
  mayMoveUp: boolean
  mayMoveDown: boolean
  onChoose: () => void
  onMove: (by: 1 | -1) => void
  onRemove: () => void
  onCopy: () => void
  /** Pastes the copied step below; absent if no step can be added there. */
  onPaste: (() => void) | null
  onDrag: (isOn: boolean) => void
}

/** One step in the list: its kind, first words and actions. */
export function StepCard(props: Props) {
  const { id, step, isChosen, isWrong, isFixed, onChoose, onDrag } = props
  const { icon: Icon, label } = KINDS[stepAction(step)]
  const condition = CONDITIONS.find(({ value }) => value === step.condition)?.short
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the mouse's way; keys and the menu move steps too
    <div
      draggable={!isFixed}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move'
        onDrag(true)
      }}
      onDragEnd={() => onDrag(false)}
      className={`flex items-center gap-1 rounded-md border bg-surface pr-1.5 shadow-control ${
        isChosen ? 'border-accent-text ring-1 ring-accent-text' : 'border-border'
      } ${isFixed ? '' : 'cursor-grab'}`}
    >
      <button
        type="button"
        aria-current={isChosen ? 'step' : undefined}
        aria-keyshortcuts={`Control+C Control+V${isFixed ? '' : ' Alt+ArrowUp Alt+ArrowDown Delete'}`}
        data-card={id}
        onClick={onChoose}
        onKeyDown={(event) => byKeyboard(event, props)}
        className="flex min-h-12 min-w-0 flex-1 items-center gap-2.5 rounded-sm py-2 pl-2.5 text-left text-sm"
      >
        <span
          className={`grid size-6 shrink-0 place-items-center rounded-sm ${
            isChosen ? 'bg-accent-subtle text-accent-text' : 'bg-sunken text-muted'
          }`}
        >
          <Icon aria-hidden className="size-3.5" />
        </span>
        <span className="min-w-0 flex-1">
          <span className="flex items-center gap-1.5 font-medium">
            <span className="truncate">
              {step.step}. {label}
            </span>
            {isWrong && (
              <CircleAlert
                role="img"
                aria-label="Cannot be saved yet"
                className="size-3.5 shrink-0 text-danger"
              />
            )}
          </span>
          <span className="block truncate text-xs text-muted">
            {condition && `${condition} · `}
            {headline(props)}
          </span>
        </span>
      </button>
      {isFixed ? (
        <Lock role="img" aria-label="Fixed" className="mx-1.5 size-3.5 shrink-0 text-muted" />
      ) : (
        <Tools {...props} />
      )}
    </div>
  )
}

function byKeyboard(event: KeyboardEvent<HTMLElement>, props: Props) {
  const { isFixed, mayMoveUp, mayMoveDown, onMove, onRemove } = props
  if (byClipboard(event, props)) return event.preventDefault()
  if (isFixed) return
  if (event.key === 'Delete') onRemove()
  else if (event.altKey && event.key === 'ArrowUp') mayMoveUp && onMove(-1)
  else if (event.altKey && event.key === 'ArrowDown') mayMoveDown && onMove(1)
  else return
  event.preventDefault()
}

function Tools({ step, mayMoveUp, mayMoveDown, onMove, onRemove, onCopy, onPaste }: Props) {
  const tools = [
    { label: 'Copy', keys: 'Ctrl C', isOff: false, act: onCopy },
    { label: 'Paste below', keys: 'Ctrl V', isOff: onPaste === null, act: () => onPaste?.() },
    { label: 'Move up', keys: 'Alt ↑', isOff: !mayMoveUp, act: () => onMove(-1) },
    { label: 'Move down', keys: 'Alt ↓', isOff: !mayMoveDown, act: () => onMove(1) },
    { label: 'Remove', keys: 'Del', isOff: false, act: onRemove },
  ]
  return (
    <Menu label={`Copy, move or remove step ${step.step}`}>
      {tools.map(({ label, keys, isOff, act }) => (
        <MenuChoice key={label} onChoose={act} danger={label === 'Remove'} disabled={isOff}>
          {label}
          <span aria-hidden className="ml-auto pl-4 text-xs text-muted">
            {keys}
          </span>
        </MenuChoice>
      ))}
    </Menu>
  )
}
