import { CopyButton } from './copy-button.tsx'
import { ScrollArea } from './layout/scroll-area.tsx'

export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <figure className="relative rounded-sm border border-border bg-sunken">
      <ScrollArea label={label}>
        <pre className="py-2.5 pr-11 pl-3 font-mono text-xs leading-5">
          <code>{code}</code>
        </pre>
      </ScrollArea>
      <span className="absolute top-0 right-0 rounded-sm bg-sunken p-1">
        <CopyButton text={code} label={`Copy ${label}`} />
      </span>
    </figure>
  )
}
