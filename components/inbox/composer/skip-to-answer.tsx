'use client'

import { ANSWER } from './answer-id.tsx'

/** Visible on focus: skips folders, list and messages to reach the reply field. */
export const SkipToAnswer = () => (
  <a
    href={`#${ANSWER}`}
    onClick={(event) => {
      const fields = document.querySelectorAll<HTMLElement>(`#${ANSWER} textarea`)
      const field = [...fields].find((one) => one.checkVisibility())
      if (!field) return
      event.preventDefault()
      field.focus()
    }}
    className="sr-only rounded-sm bg-inverse px-3 py-2 text-sm text-on-inverse focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-30"
  >
    Skip to answer
  </a>
)
