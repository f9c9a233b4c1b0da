import type { Branding } from '#lib/contracts/workspaces/branding'

type Props = Pick<Branding, 'logo_url'> & { name: string; className?: string }

/** The logo, if any, and the name. */
export function BrandMark({ logo_url, name, className = '' }: Props) {
  return (
    <span className={`flex min-w-0 items-center gap-2.5 font-semibold tracking-tight ${className}`}>
      {logo_url && (
        // biome-ignore lint/performance/noImgElement: it is small already, and its address is good for ever
        <img src={logo_url} alt="" className="h-7 w-auto max-w-32 shrink-0 object-contain" />
      )}
      <span className="truncate">{name}</span>
    </span>
  )
}
