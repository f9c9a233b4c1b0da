import type { ReactNode } from 'react'
import { SubmitButton } from '#components/ui/controls/submit-button'

/**
 * The save button at the end of a long form, always visible: it says whether something is unsaved. Beside the
 * page's main button, this one becomes primary while something is unsaved.
 */
export const SaveRow = ({ children }: { children: ReactNode }) => (
  <div className="sticky bottom-0 z-10 flex min-h-14 items-center gap-3 border-t border-border bg-bg py-2 max-sm:bottom-[calc(3.5rem+env(safe-area-inset-bottom))]">
    <SubmitButton variant="secondary" className={COMES_FORWARD}>
      {children}
    </SubmitButton>
    <p className="hidden text-sm text-muted in-[form:has([data-unsaved])]:block">Unsaved changes</p>
  </div>
)

/**
 * For the surrounding form, which must not be a grid, because the row could not stick in one. Keeps a focused
 * control from being scrolled below the row.
 */
export const ABOVE_ROW = '[&_:is(input,select,textarea,button)]:scroll-mb-32'

const COMES_FORWARD =
  'in-[form:has([data-unsaved])]:border-transparent in-[form:has([data-unsaved])]:bg-accent in-[form:has([data-unsaved])]:text-on-accent in-[form:has([data-unsaved])]:hover:bg-accent-hover'

/** The opposite, for the page's main button. */
export const STEPS_BACK =
  'in-[main:has([data-unsaved])]:border in-[main:has([data-unsaved])]:border-border in-[main:has([data-unsaved])]:bg-surface in-[main:has([data-unsaved])]:text-text in-[main:has([data-unsaved])]:hover:bg-hover'
