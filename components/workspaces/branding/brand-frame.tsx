import type { CSSProperties, ReactNode } from 'react'
import type { Branding } from '#lib/contracts/workspaces/branding'
import { accentStyle } from '#lib/domain/workspaces/accent'

/** Whatever stands in it has the accent of the workspace. */
export function BrandFrame({ accent, children }: Pick<Branding, 'accent'> & { children: ReactNode }) {
  const style: CSSProperties = accentStyle(accent)
  return (
    <div className="contents" style={style}>
      {children}
    </div>
  )
}
