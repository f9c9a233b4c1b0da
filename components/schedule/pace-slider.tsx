'use client'

import { useState } from 'react'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'

type Props = {
  name: string
  label: string
  /** Differs from the number's label, so that each control has a unique name. */
  slider_label: string
  hint?: string
  value: number
  /** The allowed range; the slider covers the usual part of it, up to `slider_max`, in steps of `step`. */
  min: number
  max: number
  slider_max: number
  step: number
}

/** A number with a slider below. The number is what is saved, so slider rounding loses nothing. */
export function PaceSlider({ name, label, slider_label, hint, value, min, max, slider_max, step }: Props) {
  const [text, setText] = useState(String(value))
  const reach = Math.max(slider_max, value)
  return (
    <div>
      <Field label={label} name={name} required hint={hint}>
        <Input
          type="number"
          min={min}
          max={max}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      <input
        type="range"
        aria-label={slider_label}
        min={min === 0 ? 0 : step}
        max={reach}
        step={step}
        value={Math.min(reach, Number(text) || min)}
        onChange={(event) => setText(event.target.value)}
        className="slider mt-2 h-6 w-full disabled:opacity-50"
      />
    </div>
  )
}
