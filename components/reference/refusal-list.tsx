import { Panel } from '#components/ui/layout/panel'

type Props = { refusals: { status: number; why: string; shape: string }[] }

/** The errors an operation can return, and their format. */
export function RefusalList({ refusals }: Props) {
  return (
    <Panel title="Refusals" flush>
      <ul>
        {refusals.map(({ status, why, shape }) => (
          <li key={status} className="border-b border-border px-4 py-2 text-sm last:border-0">
            <p>
              <span className="mr-2 font-mono">{status}</span>
              {why}.
            </p>
            <code className="font-mono text-xs text-muted wrap-anywhere">{shape}</code>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
