'use client'

import { CircleAlert, Plus } from 'lucide-react'
import { type KeyboardEvent, useRef } from 'react'
import { Button } from '#components/ui/controls/button'
import type { Variant } from '#lib/contracts/campaigns/steps'

type Props = {
  /** Weights in percent. */
  variants: Variant[]
  shown: string
  /** Labels of variants with errors. */
  wrong: string[]
  /** Ids of a tab and its panel. */
  ids: { tab: (label: string) => string; panel: string }
  onShow: (label: string) => void
  /** Absent if no more can be added. */
  onAdd: (() => void) | null
}

/** One tab per variant with its share of the leads; arrow keys move between them. */
export function VariantTabs({ variants, shown, wrong, ids, onShow, onAdd }: Props) {
  const list = useRef<HTMLDivElement>(null)
  function byKeyboard(event: KeyboardEvent) {
    const at = variants.findIndex(({ label }) => label === shown)
    const to = KEYS[event.key]?.(at, variants.length)
    const next = to === undefined ? undefined : variants.at(to % variants.length)
    if (!next) return
    event.preventDefault()
    onShow(next.label)
    list.current?.querySelector<HTMLElement>(`[data-variant="${CSS.escape(next.label)}"]`)?.focus()
  }
  return (
    <div className="flex flex-wrap items-end gap-x-2 gap-y-1 border-b border-border">
      <div ref={list} role="tablist" aria-label="Variants" className="flex min-w-0 flex-wrap">
        {variants.map(({ label, weight }) => (
          <button
            key={label}
            type="button"
            role="tab"
            id={ids.tab(label)}
            data-variant={label}
            aria-selected={label === shown}
            aria-controls={ids.panel}
            tabIndex={label === shown ? 0 : -1}
            onClick={() => onShow(label)}
            onKeyDown={byKeyboard}
            className={`-mb-px flex min-h-9 items-center gap-1.5 border-b-2 px-3 text-sm ${
              label === shown
                ? 'border-accent-text font-medium text-text'
                : 'border-transparent text-muted hover:text-text'
            }`}
          >
            <span className="max-w-40 truncate">{label}</span>
            <span className="text-xs text-muted tabular-nums">{weight} %</span>
            {wrong.includes(label) && (
              <CircleAlert role="img" aria-label="Cannot be saved yet" className="size-3.5 text-danger" />
            )}
          </button>
        ))}
      </div>
      {onAdd && (
        <Button size="sm" variant="ghost" className="mb-1" onClick={onAdd}>
          <Plus aria-hidden /> Add a variant
        </Button>
      )}
    </div>
  )
}

const KEYS: Record<string, (at: number, count: number) => number> = {
  ArrowRight: (at) => at + 1,
  ArrowLeft: (at, count) => at + count - 1,
  Home: () => 0,
  End: (_at, count) => count - 1,
}
