import type { CSSProperties, ReactNode } from 'react'
import type { Branding } from '#lib/contracts/workspaces/branding'
import { accentStyle } from '#lib/domain/workspaces/accent'

/** Applies the workspace's accent colour to its content. */
export function BrandFrame({ accent, children }: Pick<Branding, 'accent'> & { children: ReactNode }) {
  const style: CSSProperties = accentStyle(accent)
  return (
    <div className="contents" style={style}>
      {children}
    </div>
  )
}
