import type { ReactNode } from 'react'
import { SubmitButton } from '#components/ui/controls/submit-button'

/** Beside the main button of its page: that one steps back while something is unsaved, and this one comes forward. */
export const SaveButton = ({ children }: { children: ReactNode }) => (
  <SubmitButton variant="secondary" className={COMES_FORWARD}>
    {children}
  </SubmitButton>
)

const COMES_FORWARD =
  'in-[form:has([data-unsaved])]:border-transparent in-[form:has([data-unsaved])]:bg-accent in-[form:has([data-unsaved])]:text-on-accent in-[form:has([data-unsaved])]:hover:bg-accent-hover'

/** The same the other way round, for the main button. */
export const STEPS_BACK =
  'in-[main:has([data-unsaved])]:border in-[main:has([data-unsaved])]:border-border in-[main:has([data-unsaved])]:bg-surface in-[main:has([data-unsaved])]:text-text in-[main:has([data-unsaved])]:hover:bg-hover'
