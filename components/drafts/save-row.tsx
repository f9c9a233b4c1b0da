import type { ReactNode } from 'react'
import { SubmitButton } from '#components/ui/controls/submit-button'

/**
 * At the end of a long form, and in sight from its beginning: whether something is unsaved, and the button that saves it.
 * Beside the main button of its page: that one steps back while something is unsaved, and this one comes forward.
 */
export const SaveRow = ({ children }: { children: ReactNode }) => (
  <div className="sticky bottom-0 z-10 flex min-h-14 items-center gap-3 border-t border-border bg-bg py-2 max-sm:bottom-[calc(3.5rem+env(safe-area-inset-bottom))]">
    <SubmitButton variant="secondary" className={COMES_FORWARD}>
      {children}
    </SubmitButton>
    <p className="hidden text-sm text-muted in-[form:has([data-unsaved])]:block">Unsaved changes</p>
  </div>
)

/** Of the form around, which is no grid: in that the row would have no room to stay in sight. What gets the focus is not scrolled to below it. */
export const ABOVE_ROW = '[&_:is(input,select,textarea,button)]:scroll-mb-32'

const COMES_FORWARD =
  'in-[form:has([data-unsaved])]:border-transparent in-[form:has([data-unsaved])]:bg-accent in-[form:has([data-unsaved])]:text-on-accent in-[form:has([data-unsaved])]:hover:bg-accent-hover'

/** The same the other way round, for the main button. */
export const STEPS_BACK =
  'in-[main:has([data-unsaved])]:border in-[main:has([data-unsaved])]:border-border in-[main:has([data-unsaved])]:bg-surface in-[main:has([data-unsaved])]:text-text in-[main:has([data-unsaved])]:hover:bg-hover'
